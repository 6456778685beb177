"""What a path inside a bundle may be called.

The rules are stricter than any one file system, so that every program that reads the
archive, on any system, means the same file by the same name.
"""

import unicodedata
from collections.abc import Iterable

from bot_runner.errors import BundleRefused

LONGEST = 200
"""Bytes of a path in UTF-8."""
DEEPEST = 16
"""Parts of a path."""
COMPILED = "__pycache__"
PATH_HOOKS = ("sitecustomize.py", "usercustomize.py")


def check_path(path: str) -> None:
    """BundleRefused unless ``path`` (a folder's ends in ``/``) is a plain relative path."""
    _check_text(path)
    parts = path.removesuffix("/").split("/")
    if path.startswith("/") or "\\" in path or ":" in path:
        raise BundleRefused("path", "a path is relative, with / between its parts, without \\ and :", path)
    if any(part in ("", ".", "..") for part in parts):
        raise BundleRefused("path", "no part of a path may be empty, '.' or '..'", path)
    if len(parts) > DEEPEST:
        raise BundleRefused("depth", f"{len(parts)} parts deep; {DEEPEST} are allowed", path)
    _check_python(path, parts)


def _check_text(path: str) -> None:
    if any(unicodedata.category(sign).startswith("C") for sign in path):
        raise BundleRefused("name", "a name holds no control, format or unassigned characters", path)
    if unicodedata.normalize("NFC", path) != path:
        raise BundleRefused("name", "a name is written in Unicode's form NFC", path)
    if len(path.encode()) > LONGEST:
        raise BundleRefused("name", f"longer than {LONGEST} bytes", path)


def _check_python(path: str, parts: list[str]) -> None:
    name = parts[-1].lower()
    if COMPILED in (part.lower() for part in parts) or name.endswith((".pyc", ".pyo")):
        raise BundleRefused("compiled", "compiled Python may differ from its source; leave it out", path)
    if name.endswith(".pth") or name in PATH_HOOKS:
        raise BundleRefused("hook", "a file that Python would run by itself; import it from the entry", path)


def check_apart(paths: Iterable[str]) -> None:
    """BundleRefused if a path comes twice, if two are one on some file system, or one is a file and a folder."""
    spelt: dict[str, str] = {}
    seen: set[str] = set()
    for path in paths:
        if path in seen:
            raise BundleRefused("duplicate", "the archive holds this name twice", path)
        seen.add(path)
        for name in (*_parents(path), path):
            if (known := spelt.setdefault(_fold(name), name)) != name:
                raise BundleRefused("twin", f"some systems cannot tell {name!r} from {known!r}", path)


def _parents(path: str) -> list[str]:
    """The folders above, each with a slash at its end."""
    parts = path.removesuffix("/").split("/")
    return ["/".join(parts[:count]) + "/" for count in range(1, len(parts))]


def _fold(path: str) -> str:
    """The same for all that some file system takes for one name, a folder's and a file's too."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path.removesuffix("/")).casefold())
