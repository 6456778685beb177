"""``./dev bench [NAME…]``: all the benchmarks, or those that are named."""

import sys
from importlib import import_module

from rich.console import Console

from benchmarks.table import Ratio, show

NAMES = ("rules", "wire", "queue", "ratings")


def main(names: list[str]) -> int:
    unknown = sorted(set(names) - set(NAMES))
    if unknown:
        print(f"bench: there is no {', '.join(unknown)}; there are: {', '.join(NAMES)}", file=sys.stderr)
        return 2
    rows: list[Ratio] = []
    for name in names or NAMES:
        print(f"bench: {name} …", file=sys.stderr, flush=True)
        rows += import_module(f"benchmarks.{name}").run()
    show(rows, Console(width=None if sys.stdout.isatty() else 150))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
