"""What Prometheus reads of an engine. No label holds a player's name."""

from collections.abc import Iterable, Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from engine_service.server.hall import Hall
from engine_service.server.tallies import Spread
from service.guard import Calls

PREFIX = "mamenoki_"


class EngineCollector(Collector):
    """Makes metric families of an engine's plain counts when it is asked for them."""

    def __init__(self, hall: Hall, calls: Calls) -> None:
        self._hall = hall
        self._calls = calls

    def collect(self) -> Iterator[Metric]:
        """All families."""
        yield from self._matches()
        yield from self._moves()
        yield from self._faults()
        yield from self._now()
        yield from self._grpc()

    def _matches(self) -> Iterator[Metric]:
        tallies = self._hall.tallies
        yield _counter("matches_started", "Matches begun.", ["game", "variant"], tallies.started.items())
        finished = tallies.finished.items()
        yield _counter("matches_finished", "Results committed.", ["game", "variant", "end"], finished)
        lag = HistogramMetricFamily(PREFIX + "result_lag_seconds", "From the end of a match to its commit.")
        lag.add_metric([], *_buckets(tallies.lag_ms))
        yield lag

    def _moves(self) -> Iterator[Metric]:
        games = list(self._hall.tallies.games.items())
        yield _counter(
            "moves", "Answers that counted.", ["game"], [((name,), game.moves) for name, game in games]
        )
        spent = HistogramMetricFamily(PREFIX + "move_seconds", "From question to answer.", labels=["game"])
        for name, game in games:
            spent.add_metric([name], *_buckets(game.move_ms))
        yield spent

    def _faults(self) -> Iterator[Metric]:
        tallies = self._hall.tallies
        for name, text, label, counts in (
            ("attempts_ended", "Attempts that came to nothing.", "cause", tallies.attempts),
            ("tables_void", "Tables that ended without a result.", "cause", tallies.voids),
            ("seats_forfeited", "Seats forfeited.", "why", tallies.forfeits),
            ("answers_refused", "Items of streams that did not count.", "reason", tallies.refused),
        ):
            yield _counter(name, text, [label], [((key,), value) for key, value in counts.items()])
        failures = [((), tallies.presence_failures)]
        yield _counter("presence_failures", "Publications of presence that Redis did not take.", [], failures)
        gaps, stalls = [((), tallies.gaps)], [((), self._hall.pulse.stalls)]
        yield _counter("watch_gaps", "Answers to spectators that skipped sightings.", [], gaps)
        yield _counter("engine_stalls", "Times that the engine stood still; nobody's clock ran.", [], stalls)

    def _now(self) -> Iterator[Metric]:
        hall = self._hall
        yield GaugeMetricFamily(PREFIX + "open_matches", "Matches open now.", value=len(hall.matches))
        streams = GaugeMetricFamily(PREFIX + "open_streams", "Play streams open now.", labels=["kind"])
        bridges = sum(stream.bridge for stream in hall.streams)
        streams.add_metric(["bridge"], bridges)
        streams.add_metric(["player"], len(hall.streams) - bridges)
        yield streams
        granted, taken = hall.guests.places
        places = GaugeMetricFamily(
            PREFIX + "places", "Places of the players that are here.", labels=["state"]
        )
        places.add_metric(["free"], max(0, granted - taken))
        places.add_metric(["taken"], taken)
        yield places
        yield GaugeMetricFamily(PREFIX + "database_away", "1 while writing fails.", value=hall.writer.away)

    def _grpc(self) -> Iterator[Metric]:
        calls = self._calls
        yield _counter("grpc_calls", "Calls ended.", ["method", "code"], calls.count.items())
        yield _counter("grpc_seconds", "Time in calls.", ["method", "code"], calls.seconds.items())


def _counter(
    name: str, text: str, labels: list[str], values: Iterable[tuple[tuple[str, ...], float]]
) -> CounterMetricFamily:
    family = CounterMetricFamily(PREFIX + name, text, labels=labels)
    for key, value in list(values):
        family.add_metric(list(key), value)
    return family


def _buckets(spread: Spread) -> tuple[list[tuple[str, float]], float]:
    """Cumulative buckets in seconds, and the sum."""
    buckets: list[tuple[str, float]] = []
    total = 0
    for bound, number in zip((*spread.bounds, None), list(spread.counts), strict=True):
        total += number
        buckets.append(("+Inf" if bound is None else repr(bound / 1000), total))
    return buckets, spread.total / 1000
