"""What a benchmark gives, and how it is printed."""

from dataclasses import dataclass

from rich.console import Console
from rich.table import Table


@dataclass(frozen=True, slots=True)
class Ratio:
    """One figure over a floor or a peer of the same run.

    ``least`` (or ``most``) is the target of the ratio. A target that is missed is
    shown, not hidden, and fails nothing: machines differ.
    """

    name: str
    unit: str
    ours: float
    floor: float
    least: float | None = None
    most: float | None = None

    @property
    def value(self) -> float:
        return self.ours / self.floor

    @property
    def met(self) -> bool:
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    @property
    def target(self) -> str:
        if self.least is not None:
            return f"≥ {self.least:g}"
        return f"≤ {self.most:g}" if self.most is not None else ""


def show(rows: list[Ratio], console: Console) -> None:
    table = Table(title="Ratios, each within this run")
    for column in ("what", "unit"):
        table.add_column(column)
    for column in ("ours", "floor", "ratio", "target", ""):
        table.add_column(column, justify="right")
    for row in rows:
        mark = "[green]met[/]" if row.met else "[red]missed[/]"
        table.add_row(
            row.name, row.unit, f"{row.ours:,.4g}", f"{row.floor:,.4g}", f"{row.value:.3g}", row.target, mark
        )
    console.print(table)
