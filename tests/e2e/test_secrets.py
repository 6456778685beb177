"""Raw traffic of a live match: every byte that a spectator and a player are sent, against what the referee
lets them see.

What was sent is compared afterwards with the views of all positions of the replay: a board or a sentence
that no position showed to that viewer is a leak, even where we did not think of it.
"""

import re
from collections.abc import Sequence
from html import unescape
from random import Random

import httpx
import pytest

from storage import results, tables
from tests.e2e.test_play import SHORT, Engine, Guest, engine, site
from web.playing.scenery import groups_of, slots_of
from web.viewing.film import PUBLIC, Film, film_of

__all__ = ["engine", "site"]

GROUP = re.compile(r'<div><dt>([^<]*)</dt><dd>.*?<span class="words">([^<]*)</span></dd></div>')
SENTENCE = re.compile(r'<li(?: class="\w*")?>([^<]+?) *(?:<span class="pieces"|</li>)')
NEWS = re.compile(r'<ol class="news" role="list">(.*?)</ol>', re.DOTALL)
SLOTS = re.compile(r'<ol class="table-slots".*?</ol>', re.DOTALL)
UP = re.compile(r'<span class="unseen">(\d+) shows </span>([^<]+)</span>')
FACED = re.compile(r'aria-label="\w+ (\d+): ([^"]+)"')
FORM = re.compile(r'<form method="post" action="[^"]*/move".*?</form>', re.DOTALL)
CARD = re.compile(r"\b(?:fly|skeleton|flesh|dog)-(?:fist|blade|gun|psychic)\b")
MOVES = re.compile(r'<(?:option>|button [^>]*name="move" value=")([^<"]+)')


class Tap:
    """What one onlooker was sent, as it came."""

    def __init__(self) -> None:
        self.bodies: list[str] = []

    def take(self, answer: httpx.Response) -> httpx.Response:
        head = "\n".join(f"{key}: {value}" for key, value in answer.headers.items())
        self.bodies.append(f"{head}\n\n{answer.content.decode()}")
        return answer


def look_around(http: httpx.Client, tap: Tap, table: str) -> None:
    """All that a spectator could ask of a table in play."""
    for path in (
        f"/tables/{table}",
        f"/tables/{table}/replay",
        f"/tables/{table}/replay?view=all&move=5",
        f"/tables/{table}/replay?view=0",
        f"/tables/{table}/replay.jsonl",
        f"/play/tables/{table}",
        f"/play/tables/{table}/move",
        "/tables",
        "/",
    ):
        tap.take(http.get(path, follow_redirects=False))


def answer(page: httpx.Response, dice: Random) -> dict[str, str]:
    """A form with any legal move."""
    fields = dict(re.findall(r'name="(proof|decision)" value="(\w+)"', page.text))
    return fields | {"move": unescape(dice.choice(MOVES.findall(page.text)))}


def play_and_tap(guest: Guest, http: httpx.Client, ladder: str) -> tuple[str, Tap, Tap]:
    """A match to its end; what spectator and player were sent until it was over."""
    spectator, player, dice = Tap(), Tap(), Random(ladder)
    page = player.take(guest.sit_down(ladder, seats="3"))
    path = str(page.url.path)
    table = path.rpartition("/")[2]
    moves = 0
    while "data-over" not in page.text:
        sent = Tap()
        asked = 'name="decision"' in page.text
        if asked and moves % 4 == 0:
            look_around(http, sent, table)
        page = guest.http.post(f"{path}/move", data=answer(page, dice)) if asked else guest.http.get(path)
        spectator.bodies += sent.bodies
        if "data-over" not in page.text:
            player.take(page)
        moves += asked
    return table, spectator, player


def film_and_seed(engine: Engine, table: str) -> tuple[Film, str]:
    with engine.database.reading() as tx:
        replay, seed = results.get(tx, table).replay, tables.find(tx, table).seed
    assert replay is not None
    assert seed is not None
    return film_of(replay), seed.hex()


class Allowed:
    """All that a viewer could see in a match, and all that it could not."""

    def __init__(self, film: Film, viewer: str) -> None:
        you, own = film.names, ""
        if viewer != PUBLIC:
            you = [f"{name} (you)" if str(seat) == viewer else name for seat, name in enumerate(film.names)]
            own = "Your"
        boards = []
        for frame in film.frames:
            view = film.view(frame, viewer)
            boards.append((groups_of(film.game, view, you, own), slots_of(film.game, view, ())))
        self.groups = {(group.label, group.text) for groups, _ in boards for group in groups}
        self.faces = {(str(slot.number), slot.face) for _, slots in boards for slot in slots}
        told = [one for frame in film.frames for one in frame.said]
        plain = {one.sentence for one in told if one.is_for(viewer)}
        self.said = {named(sentence, film, you) for sentence in plain}
        self.secrets = {named(one.sentence, film, you) for one in told} - self.said

    def check(self, body: str) -> bool:
        """Nothing else was sent; whether there was a board at all."""
        text = unescape(body)
        assert [sentence for sentence in self.secrets if sentence in text] == []
        assert "face down: " not in text
        shown = {(unescape(label), unescape(words)) for label, words in GROUP.findall(body)}
        assert shown <= self.groups
        news = {unescape(one) for part in NEWS.findall(body) for one in SENTENCE.findall(part)}
        assert news <= self.said
        for slots in SLOTS.findall(body):
            turned = {(at, unescape(face)) for at, face in [*UP.findall(slots), *FACED.findall(slots)]}
            assert turned <= self.faces
        rest = NEWS.sub("", GROUP.sub("", body))
        assert CARD.findall(FORM.sub("", rest)) == []  # a seat's own moves name its own cards
        return bool(shown)


def named(sentence: str, film: Film, names: Sequence[str]) -> str:
    """A sentence as it reads for whoever is called otherwise."""
    for plain, own in zip(film.names, names, strict=True):
        if plain != own:
            sentence = sentence.replace(plain, own)
    return sentence


@pytest.mark.parametrize("ladder", SHORT)
def test_nobody_is_sent_what_the_referee_does_not_show_him(site: str, engine: Engine, ladder: str) -> None:
    guest = Guest(site)
    with httpx.Client(base_url=site) as http:
        table, spectator, player = play_and_tap(guest, http, ladder)
    guest.http.close()
    film, seed = film_and_seed(engine, table)
    seat = str(film.names.index("guest"))
    for tap, viewer in ((spectator, PUBLIC), (player, seat)):
        allowed = Allowed(film, viewer)
        boards = [allowed.check(body) for body in tap.bodies]
        assert any(boards)
        assert not [body for body in tap.bodies if seed in body]
    if ladder.startswith(("seimi", "beanstalk")):
        assert Allowed(film, PUBLIC).secrets


def test_the_check_knows_a_leak_when_it_sees_one(site: str, engine: Engine) -> None:
    """The pages of the finished match, through other eyes, are just what must not be sent before."""
    guest = Guest(site)
    with httpx.Client(base_url=site) as http:
        table, _, _ = play_and_tap(guest, http, "seimi/standard")
        film, seed = film_and_seed(engine, table)
        allowed = Allowed(film, PUBLIC)
        replay = f"/tables/{table}/replay"
        assert allowed.check(http.get(f"{replay}?move=6").text)
        for view in ("0", "all"):
            with pytest.raises(AssertionError):
                allowed.check(http.get(f"{replay}?move=6&view={view}").text)
        assert seed in http.get(f"/tables/{table}").text
    guest.http.close()
