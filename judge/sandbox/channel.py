"""One direction of an interaction: what one run writes and the other one reads.

A `Channel` is a single pipe, so that the two runs wake each other without anyone in between. The judge keeps both ends
open: the reader must not notice that the writer has ended before the judge knows it, and a writer must not fail because
the reader has ended without reading everything. A `RecordingChannel` is two pipes with the judge in between, which
costs several times as much per message, but sees everything.
"""

import fcntl
import os
import select
import termios
from collections.abc import Callable

_CHUNK = 1 << 16  # bytes: the capacity of a pipe


class Channel:
    """A pipe between two runs.

    Attributes:
        writer, reader: the descriptors for the two runs.
    """

    def __init__(self) -> None:
        self.reader, self.writer = os.pipe()
        self._is_discarding = False
        self._opened = {self.reader, self.writer}

    def start(self) -> None:
        """Note that both runs have their descriptors."""

    def finish(self) -> None:
        """Note that nothing more is written: the reader sees the end of its input after all that was written."""
        self._close(self.writer)

    def discard(self) -> None:
        """Note that nothing more is read: what is written from now on is thrown away, and writing never fails."""
        self._is_discarding = True

    def has_unread_data(self) -> bool:
        """Return whether the reader has something to read; False after the end of its input."""
        return self._holds_data(self.writer)

    def awaited(self) -> tuple[int, int]:
        """Return a descriptor to wait for with poll(2), and the event; (-1, 0) for nothing."""
        if self._is_discarding and self.reader in self._opened:
            return self.reader, select.POLLIN
        return -1, 0

    def move(self) -> None:
        """Do what is possible without waiting, after the awaited event."""
        if not os.read(self.reader, _CHUNK):
            self._close(self.reader)

    def close(self) -> None:
        """Close all descriptors."""
        for fd in list(self._opened):
            self._close(fd)

    def _holds_data(self, fd: int) -> bool:
        """Return whether the pipe that a descriptor belongs to holds data; False if the descriptor is closed."""
        return fd in self._opened and bool(fcntl.ioctl(fd, termios.FIONREAD, bytes(4)).strip(b"\0"))

    def _close(self, fd: int) -> None:
        if fd in self._opened:
            self._opened.remove(fd)
            os.close(fd)


class RecordingChannel(Channel):
    """Two pipes and the judge between them.

    Args:
        record: called with each piece that is written while the reader exists.
    """

    def __init__(self, record: Callable[[bytes], None]) -> None:
        super().__init__()
        self._record = record
        self._source = self.reader
        self.reader, self._target = os.pipe()
        self._opened |= {self.reader, self._target}
        self._data = b""  # read but not written yet
        os.set_blocking(self._source, False)
        os.set_blocking(self._target, False)

    def start(self) -> None:
        """Note that both runs have their descriptors."""
        self._close(self.reader)

    def has_unread_data(self) -> bool:
        """Return whether the reader has something to read; False after the end of its input."""
        return self._holds_data(self._target)

    def awaited(self) -> tuple[int, int]:
        """Return a descriptor to wait for with poll(2), and the event; (-1, 0) for nothing."""
        if self._data:
            return self._target, select.POLLOUT
        return (self._source, select.POLLIN) if self._source in self._opened else (-1, 0)

    def move(self) -> None:
        """Do what is possible without waiting, after the awaited event."""
        is_new = not self._data
        if is_new:
            self._data = os.read(self._source, _CHUNK)
            if not self._data:
                self._close(self._source)
                self._close(self._target)
                return
        if self._is_discarding:
            self._data = b""
            return
        data = self._data
        try:
            self._data = data[os.write(self._target, data) :]
        except BlockingIOError:
            pass
        except BrokenPipeError:  # the reader has ended: what follows is not part of the dialogue
            self.discard()
            self._data = b""
            return
        if is_new:
            self._record(data)
