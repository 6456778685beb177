"""``./dev bench [NAME…]``: all the benchmarks, or those that are named.

Where COMPILED names a folder with compiled rules, those that are quicker with them are run
a second time, in a process that finds these before the sources; its rows say so.
"""

import json
import os
import subprocess
import sys
from dataclasses import asdict, replace
from importlib import import_module

from rich.console import Console

from benchmarks.table import Ratio, show

NAMES = ("rules", "wire", "queue", "ratings", "pairing", "uploaded")
WITH_RULES = ("rules", "wire")
COMPILED = "MAMENOKI_COMPILED"
LEAST_GAIN = 5.0
"""How many times the plain rules' decisions the compiled ones are meant to make."""

ROWS = "--rows"
"""Instead of a table: the rows of one benchmark as JSON."""


def measured(name: str) -> list[Ratio]:
    """The rows of one benchmark."""
    rows: list[Ratio] = import_module(f"benchmarks.{name}").run()
    return rows


def measured_compiled(name: str, folder: str) -> list[Ratio]:
    """The rows of one benchmark with compiled rules."""
    paths = os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-P", "-m", "benchmarks", ROWS, name],
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        check=True,
    )
    rows = [Ratio(**row) for row in json.loads(done.stdout.splitlines()[-1])]
    return [replace(row, name=f"compiled: {row.name}") for row in rows]


def gains(plain: list[Ratio], compiled: list[Ratio]) -> list[Ratio]:
    """What compiling brings each row, where both builds were measured alike."""
    return [
        Ratio(f"{ours.name.partition(': rules')[0]} ÷ plain", ours.unit, ours.ours, floor.ours, LEAST_GAIN)
        for floor, ours in zip(plain, compiled, strict=True)
        if floor.least is not None
    ]


def main(arguments: list[str]) -> int:
    if arguments[:1] == [ROWS]:
        print(json.dumps([asdict(row) for row in measured(arguments[1])]))
        return 0
    unknown = sorted(set(arguments) - set(NAMES))
    if unknown:
        print(f"bench: there is no {', '.join(unknown)}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    folder = os.environ.get(COMPILED)
    rows: list[Ratio] = []
    for name in arguments or NAMES:
        print(f"bench: {name} …", file=sys.stderr, flush=True)
        plain = measured(name)
        rows += plain
        if folder and name in WITH_RULES:
            print(f"bench: {name}, with compiled rules …", file=sys.stderr, flush=True)
            compiled = measured_compiled(name, folder)
            rows += compiled
            if name == "rules":
                rows += gains(plain, compiled)
    show(rows, Console(width=None if sys.stdout.isatty() else 150))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
