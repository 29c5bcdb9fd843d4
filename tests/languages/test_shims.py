"""Programs that stand for others."""

from pathlib import Path

import pytest

from judge.errors import ToolError
from judge.languages.shims import behind_rustup


@pytest.fixture
def rustup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RUSTUP_HOME", str(tmp_path))
    monkeypatch.delenv("RUSTUP_TOOLCHAIN", raising=False)
    (tmp_path / "rustup").touch()
    (tmp_path / "rustc").symlink_to("rustup")
    return tmp_path


def test_the_compiler_of_the_default_toolchain_is_found(rustup: Path) -> None:
    for name in ("1.80-x86_64", "stable-x86_64"):
        (rustup / "toolchains" / name / "bin").mkdir(parents=True)
        (rustup / "toolchains" / name / "bin/rustc").touch()
    assert behind_rustup(f"{rustup}/rustc") == f"{rustup}/toolchains/stable-x86_64/bin/rustc"
    (rustup / "settings.toml").write_text('default_toolchain = "1.80-x86_64"\n')
    assert behind_rustup(f"{rustup}/rustc") == f"{rustup}/toolchains/1.80-x86_64/bin/rustc"
    assert behind_rustup("/usr/bin/gcc") == "/usr/bin/gcc"


def test_a_rustup_without_a_toolchain_is_a_missing_tool(rustup: Path) -> None:
    with pytest.raises(ToolError, match=r"Rust needs a toolchain of rustup: .*run `rustup default stable`"):
        behind_rustup(f"{rustup}/rustc")
