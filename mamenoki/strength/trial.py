"""A sequential test of a mean: it stops as soon as it knows, with stated chances to be wrong.

The generalised sequential probability ratio test with the normal approximation of the
log-likelihood ratio, as engine testers use it (M. Van den Bergh, "A practical introduction
to the GSPRT"): over N observations with mean m and variance v,
``LLR = N (m1 - m0) (2 m - m0 - m1) / (2 v)``. It goes on while
``log(beta / (1 - alpha)) < LLR < log((1 - beta) / alpha)``.
"""

from dataclasses import dataclass
from math import log, sqrt

LEAST = 30
"""No verdict on fewer observations: their variance says too little."""
CHANCE = 0.01
"""To be wrong, either way, unless it is said."""


@dataclass(frozen=True, slots=True)
class Claim:
    """``null``: the mean if nothing is to be shown; ``alternative``: the mean that is to be told from it.

    ``alpha``: the chance to accept the alternative where the null is true, ``beta`` the other way round.
    """

    null: float
    alternative: float
    alpha: float = CHANCE
    beta: float = CHANCE

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios below and above which the test ends."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


@dataclass(slots=True)
class Trial:
    """Observations so far, as their count, sum and sum of squares."""

    claim: Claim
    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def observe(self, value: float) -> None:
        """One observation more."""
        self.count += 1
        self.total += value
        self.squares += value * value

    @property
    def mean(self) -> float:
        """Of at least one observation."""
        return self.total / self.count

    @property
    def variance(self) -> float:
        """Unbiased; 0 for fewer than two observations."""
        if self.count < 2:
            return 0.0
        return max(0.0, (self.squares - self.total * self.mean) / (self.count - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return sqrt(self.variance / self.count) if self.count else 0.0

    @property
    def ratio(self) -> float:
        """The log-likelihood ratio of alternative over null; 0 while the variance is not known.

        Observations that are all alike have none: then it takes that of one deviating among them.
        """
        if self.count < LEAST:
            return 0.0
        null, alternative = self.claim.null, self.claim.alternative
        step = alternative - null
        variance = max(self.variance, step * step / self.count)
        return self.count * step * (2 * self.mean - null - alternative) / (2 * variance)

    @property
    def verdict(self) -> bool | None:
        """True: the alternative; False: the null; None: not known yet."""
        low, high = self.claim.bounds
        if self.ratio >= high:
            return True
        return False if self.ratio <= low else None
