"""What the web process counts for Prometheus. Labels are route templates, never names."""

import time

from prometheus_client import CollectorRegistry, Counter, Histogram, PlatformCollector, ProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
BUCKETS = (0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)


class Metrics:
    """A registry of its own, so that several apps may live in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        self.requests = Counter(
            "mamenoki_web_requests",
            "Answered requests by route template, method and status.",
            ("route", "method", "status"),
            registry=self.registry,
        )
        self.seconds = Histogram(
            "mamenoki_web_request_seconds",
            "Time to answer a request in full.",
            ("route",),
            buckets=BUCKETS,
            registry=self.registry,
        )

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self.requests.labels(route, method if method in METHODS else "other", str(status)).inc()
        self.seconds.labels(route).observe(seconds)


class Measured:
    """Middleware that notes every http request; a request that dies unanswered counts as 500."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()
        status = 500

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            self._metrics.note(route_of(scope), scope["method"], status, time.perf_counter() - begun)


def route_of(scope: Scope) -> str:
    """The template of the route that the router chose: ``/tables/{table}``; ``unmatched`` for none."""
    return getattr(scope.get("route"), "path", "unmatched")
