"""Makes a copy of ``engine_service`` whose rules are compiled: ``compile_rules.py ROOT FOLDER``.

What is compiled is the kernel and the games, all in one go, so that calls between them are
calls in C. The copy stands before the sources on PYTHONPATH, or in an image in their place.
It is made anew only when the sources, this program or the Python have changed.
Needs mypyc, setuptools and a C compiler; the product needs none of them.
"""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGE = "engine_service"
RULES = (f"{PACKAGE}/core", f"{PACKAGE}/games")
OPTIMISE = "2"


def sources(root: Path) -> list[Path]:
    """What is compiled, relative to the root."""
    found = [path.relative_to(root) for folder in RULES for path in sorted((root / folder).rglob("*.py"))]
    return [path for path in found if path.as_posix() != f"{PACKAGE}/core/__init__.py"]


def stamp_of(root: Path) -> str:
    """Changes whenever the copy would."""
    total = hashlib.sha256(sys.version.encode() + Path(__file__).read_bytes())
    for path in sorted((root / PACKAGE).rglob("*.py")):
        total.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return total.hexdigest()


def build(folder: Path) -> None:
    """Compiles what stands in the folder, in place. Run there, for mypyc takes names from where it runs."""
    from mypyc.build import mypycify
    from setuptools import setup

    names = [path.as_posix() for path in sources(folder)]
    modules = mypycify(["--strict", *names], opt_level=OPTIMISE, multi_file=False)
    setup(name="rules", packages=[], ext_modules=modules, script_args=["--quiet", "build_ext", "--inplace"])


def make(root: Path, folder: Path) -> None:
    """The copy, in a folder beside the wanted one until it is whole."""
    draft = folder.with_name(f"{folder.name}.{os.getpid()}")
    stamp = stamp_of(root)  # now: what is changed while it compiles is not in the copy
    shutil.rmtree(draft, ignore_errors=True)
    shutil.copytree(root / PACKAGE, draft / PACKAGE, ignore=shutil.ignore_patterns("__pycache__"))
    (draft / "mypy.ini").write_text(
        "[mypy]\n"
    )  # else one further up is found, with plugins that are not here
    try:
        subprocess.run([sys.executable, __file__, "--build"], cwd=draft, check=True)
        shutil.rmtree(draft / "build", ignore_errors=True)
        (draft / "stamp").write_text(stamp)
        shutil.rmtree(folder, ignore_errors=True)
        draft.rename(folder)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def main(arguments: list[str]) -> int:
    if arguments == ["--build"]:
        build(Path())
        return 0
    if len(arguments) != 2:
        sys.stderr.write("usage: compile_rules.py ROOT FOLDER\n")
        return 2
    root, folder = (Path(one).resolve() for one in arguments)
    stamp = folder / "stamp"
    if stamp.exists() and stamp.read_text() == stamp_of(root):
        return 0
    if shutil.which("cc") is None:
        sys.stderr.write("compile_rules: there is no C compiler (cc) on PATH; install one, such as gcc\n")
        return 1
    sys.stderr.write("compile_rules: compiling the rules, which takes a minute or two …\n")
    make(root, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
