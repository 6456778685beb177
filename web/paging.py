"""Which page of a list is asked for, and where its neighbours are."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """Page ``number`` (from 1) of a list of ``total`` items, ``size`` a page; an empty list has one page."""

    number: int
    size: int
    total: int

    @property
    def offset(self) -> int:
        return (self.number - 1) * self.size

    @property
    def last(self) -> int:
        return max(1, -(-self.total // self.size))

    @property
    def exists(self) -> bool:
        return 1 <= self.number <= self.last

    @property
    def near(self) -> list[int | None]:
        """The page numbers to offer, in order; None where some are left out."""
        wanted = sorted({1, self.last, *range(max(1, self.number - 1), min(self.last, self.number + 1) + 1)})
        shown: list[int | None] = []
        for number in wanted:
            if shown and shown[-1] is not None and number > shown[-1] + 1:
                shown.append(None)
            shown.append(number)
        return shown
