"""The runner plans the runs, has them judged, and yields events. It prints nothing."""
