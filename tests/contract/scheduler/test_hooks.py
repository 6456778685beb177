"""Calling webhooks: what a receiver gets, and what becomes of calls that fail, over both databases and real TLS."""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import pytest
from sqlalchemy import text

from scheduler import hooks
from scheduler.domain.hooks import PAUSES_S, Network, networks, verify
from scheduler.posting import Answer
from scheduler.settings import SchedulerSettings
from storage import actions, deliveries, identity, jobs, webhooks
from storage.database import Database, now_ms
from storage.errors import Invalid, NotFound
from storage.webhooks import HookRow
from tests.fixtures.garden import Garden
from tests.fixtures.listener import Listener, certificates, listener

__all__ = ["certificates", "listener"]

LOOPBACK = "127.0.0.0/8, ::1"
SETTINGS = SchedulerSettings(webhook_networks=LOOPBACK, webhook_ms=5_000)


@pytest.fixture
def garden(database: Database) -> Garden:
    garden = Garden(database)
    for owner, name in (("ann", "one"), ("bob", "two"), ("house", "three")):
        garden.plant(owner, name, "house" if owner == "house" else "remote", 2)
    return garden


def register(garden: Garden, url: str, subject: str = "bots") -> HookRow:
    with garden.database.transaction() as tx:
        return hooks.add(tx, identity.ensure_owner(tx, "ann"), subject, url, networks(LOOPBACK))[0]


def job(garden: Garden, *, overdue: bool = False) -> int | None:
    """The id of the webhooks' job that is due, or would be later."""
    with garden.database.transaction() as tx:
        if overdue:
            tx.execute(text("update job set not_before = 0"))
            tx.execute(text("update webhook_delivery set next_at = 0"))
        return next((one.id for one in jobs.due(tx, 10, 0) if one.kind == jobs.WEBHOOK), None)


def call(garden: Garden, *, overdue: bool = False, **options: Any) -> Answer | None:
    found = job(garden, overdue=overdue)
    assert found is not None
    return hooks.call(garden.database, SETTINGS, found, **options)


def test_a_receiver_gets_the_results_signed(garden: Garden, listener: Listener) -> None:
    hook = register(garden, listener.url("/hook?key=1"))
    first = garden.play(garden.players)
    garden.play(garden.players[1:])  # none of ann's
    second = garden.play(garden.players[:2], dies=0)
    assert call(garden) == Answer(200, "HTTP 200")
    (got,) = listener.received
    with garden.database.reading() as tx:
        now_s = now_ms(tx) // 1000
        (delivery,) = deliveries.recent(tx, hook.id, None, 9)
    verify(hook.secret, got.headers["Mamenoki-Signature"], got.body, now_s)
    assert got.path == "/hook?key=1"
    assert got.headers["Content-Type"] == "application/json"
    assert got.headers["Host"] == f"localhost:{listener.port}"
    told = orjson.loads(got.body)
    assert (told["delivery"], told["webhook"]) == (got.headers["Mamenoki-Delivery"], hook.id)
    assert (told["subject"], told["kind"]) == ("bots", "results")
    assert [one["table"] for one in told["results"]] == [first, second]
    crashed = told["results"][1]["seats"][0]
    assert (crashed["player"], crashed["place"], crashed["forfeit"]) == ("ann/one@1", 2, "crash")
    assert hook.secret.encode() not in got.body
    assert (delivery.state, delivery.status, delivery.tables) == ("delivered", 200, (first, second))
    assert job(garden) is None


def test_what_fails_is_sent_again_under_the_same_id(garden: Garden, listener: Listener) -> None:
    listener.statuses = [500, 404]
    hook = register(garden, listener.url(), "ladder mushi/standard")
    garden.play(garden.players)
    assert call(garden) == Answer(500, "HTTP 500")
    assert job(garden) is None, "not before the pause is over"
    garden.play(garden.players)
    assert call(garden) is None, "another result does not cut the pause short"
    assert call(garden, overdue=True) == Answer(404, "HTTP 404")
    assert call(garden, overdue=True) == Answer(200, "HTTP 200")
    bodies = [got.body for got in listener.received]
    assert len(set(bodies)) == 1, "what a call tells never changes"
    assert len({got.headers["Mamenoki-Delivery"] for got in listener.received}) == 1
    assert call(garden) == Answer(200, "HTTP 200")  # what came meanwhile
    with garden.database.reading() as tx:
        assert [one.attempts for one in deliveries.recent(tx, hook.id, None, 9)][::-1] == [3, 1]


def test_after_the_last_try_it_is_disabled_and_its_owner_told_why(garden: Garden) -> None:
    hook = register(garden, "https://localhost:1/")
    garden.play(garden.players)
    tries = 0
    while job(garden, overdue=True) is not None:
        answer = call(garden, overdue=True)
        assert answer is not None
        assert answer.status is None
        tries += 1
    assert tries == len(PAUSES_S) + 1
    with garden.database.reading() as tx:
        row = webhooks.get(tx, hook.id)
        done = [one for one in actions.recent(tx, 5) if one.action == "webhook disable"]
    assert row.state == "disabled"
    assert row.reason.startswith(f"{tries} tries of delivery ")
    assert "Connection refused" in row.reason
    assert [one.subject for one in done] == [str(hook.id)]
    garden.play(garden.players)
    assert job(garden) is None
    with garden.database.transaction() as tx:
        hooks.try_now(tx, hook.id)
    assert call(garden, send=lambda *_: Answer(200, "HTTP 200")) == Answer(200, "HTTP 200")
    with garden.database.reading() as tx:
        assert webhooks.get(tx, hook.id).state == "active"


def test_pauses_are_those_that_are_promised(garden: Garden) -> None:
    register(garden, "https://localhost:1/")
    garden.play(garden.players)
    waits = []
    for _ in PAUSES_S:
        call(garden, overdue=True, send=lambda *_: Answer(503, "HTTP 503"))
        with garden.database.reading() as tx:
            at = tx.execute(text("select not_before from job where kind = 'webhook'")).scalar_one()
            waits.append(round((at - now_ms(tx)) / 1000))
    assert waits == pytest.approx(list(PAUSES_S), abs=2)


def test_two_workers_with_one_job_call_once(garden: Garden) -> None:
    register(garden, "https://example.org/")
    garden.play(garden.players)
    found = job(garden)
    assert found is not None
    calls: list[bytes] = []

    def send(url: str, headers: Mapping[str, str], body: bytes, *_: Any) -> Answer:
        calls.append(body)
        assert hooks.call(garden.database, SETTINGS, found, send) is None  # the second, meanwhile
        garden.play(garden.players)
        return Answer(200, "HTTP 200")

    assert hooks.call(garden.database, SETTINGS, found, send) is not None
    assert len(calls) == 1
    assert job(garden) is not None, "what ended meanwhile is not lost"
    assert hooks.call(garden.database, SETTINGS, found) is None, "an old job does nothing"


def test_a_test_is_told_as_one(garden: Garden, listener: Listener) -> None:
    hook = register(garden, listener.url(), "ladder mushi/standard")
    with garden.database.transaction() as tx:
        id = hooks.try_now(tx, hook.id)
    call(garden)
    told = orjson.loads(listener.received[0].body)
    assert (told["delivery"], told["kind"], told["subject"], told["results"]) == (
        id, "test", "ladder mushi/standard", [],
    )  # fmt: skip


def test_the_operators_exceptions_are_what_is_passed_on(garden: Garden) -> None:
    register(garden, "https://example.org/")
    garden.play(garden.players)
    seen: list[Sequence[Network]] = []

    def send(*words: Any) -> Answer:
        seen.append(words[3])
        return Answer(200, "")

    call(garden, send=send)
    assert seen == [networks(LOOPBACK)]
    with pytest.raises(ValueError, match="write networks as"):
        SchedulerSettings(webhook_networks="everything")


@pytest.mark.parametrize(
    ("subject", "url", "error", "why"),
    [
        ("bots", "http://example.org/", Invalid, "no https URL"),
        ("bots", "https://10.0.0.1/", Invalid, r"10\.0\.0\.1 is no public address"),
        ("bots", "https://169.254.169.254/latest/", Invalid, "is no public address"),
        ("bots", "https://[::ffff:10.0.0.1]/", Invalid, "is no public address"),
        ("bots", "https://2130706434/", Invalid, "is no public address"),
        ("bots", "https://0xa9fea9fe/", Invalid, "is no public address"),
        ("", "https://example.org/", Invalid, "subject is bots, 'league NAME' or 'ladder NAME', not ''"),
        ("league", "https://example.org/", Invalid, "subject is"),
        ("table 1", "https://example.org/", Invalid, "subject is"),
        ("league nothing", "https://example.org/", NotFound, "nothing"),
        ("ladder chess/blitz", "https://example.org/", NotFound, "there is no ladder 'chess/blitz'"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    garden: Garden, subject: str, url: str, error: type[Exception], why: str
) -> None:
    with pytest.raises(error, match=why):
        register(garden, url, subject)
