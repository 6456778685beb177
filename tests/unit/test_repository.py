"""Promises about the repository itself."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GENERATED = ("*_pb2.py", "*_pb2.pyi", "*_pb2_grpc.py", "*_pb2_grpc.pyi")


def tracked() -> list[Path]:
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_pins_name_no_host() -> None:
    for file in sorted((ROOT / "requirements").glob("*.txt")):
        text = file.read_text()
        assert "://" not in text, f"{file.name} holds a URL"
        assert "--hash=sha256:" in text, f"{file.name} has no hashes"


def test_no_file_names_a_package_registry() -> None:
    # Written in two halves, so that this file does not name one either.
    hosts = re.compile(r"(pypi|pythonhosted|npmjs|(deb|security)[.]debian)" + r"[.](org|com)")
    for file in tracked():
        found = hosts.search(file.read_bytes().decode("utf-8", "replace"))
        assert found is None, f"{file.relative_to(ROOT)} names {found[0] if found else ''}"


def test_generated_code_is_what_the_protos_give(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "dev", "proto", tmp_path], cwd=ROOT, check=True)
    fresh = {path.relative_to(tmp_path) for path in tmp_path.rglob("*_pb2*")}
    committed = {path.relative_to(ROOT) for path in tracked() if any(path.match(name) for name in GENERATED)}
    assert fresh == committed, "run ./dev proto"
    for name in sorted(fresh):
        assert (tmp_path / name).read_bytes() == (ROOT / name).read_bytes(), f"{name}: run ./dev proto"
