"""``mamenoki team``: owners speak for their bots by their tokens."""

import json
from pathlib import Path

import pytest

from storage import identity
from storage.database import Database
from tests.unit.cli.conftest import Run


@pytest.fixture
def tokens(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A token of each owner's, each with a bot of the owner's initial."""
    url = f"sqlite:///{tmp_path / 'm.sqlite3'}"
    monkeypatch.setenv("DATABASE_URL", url)
    monkeypatch.delenv("MAMENOKI_TOKEN", raising=False)
    assert run("migrate").code == 0
    database = Database(url)
    with database.transaction() as tx:
        for owner in ("ann", "bob", "eve"):
            player = identity.ensure_player(tx, identity.ensure_owner(tx, owner), owner[0], "remote")
            identity.ensure_version(tx, player.id, "1")
    database.close()
    assert run("ladder", "open", "morumori/coop", "--house", "--set-size", "3", "--seats", "2").code == 0
    return {owner: run("token", "create", "--owner", owner).out.strip() for owner in ("ann", "bob", "eve")}


def test_a_team_plays_when_every_owner_has_agreed(run: Run, tokens: dict[str, str]) -> None:
    ann, bob = ("--token", tokens["ann"]), ("--token", tokens["bob"])
    made = run("team", "create", "duo", "--bot", "ann/a", "--bot", "bob/b", *ann)
    assert (made.code, made.out.splitlines()[0]) == (0, "ann/duo is there: ann/a, bob/b")
    assert "bob must agree" in made.err
    early = run("team", "enter", "ann/duo", "morumori/coop", *ann)
    assert early.code == 2
    assert "bob has not agreed yet" in early.complaint
    assert "1 bot of bob may play in ann/duo" in run("team", "agree", "ann/duo", *bob).out
    foreign = run("team", "enter", "ann/duo", "morumori/coop", *bob)
    assert "a team of ann, who alone may enter it" in foreign.complaint
    assert run("team", "enter", "ann/duo", "morumori/coop", *ann).out.strip() == (
        "ann/duo@1 is on morumori/coop"
    )
    entrants = json.loads(run("ladder", "entrants", "morumori/coop", "--json").out)
    assert {"player": "ann/duo", "version": 1, "kind": "team"} in entrants
    assert "no more" in run("team", "refuse", "ann/duo", *bob).out
    entrants = json.loads(run("ladder", "entrants", "morumori/coop", "--json").out)
    assert "ann/duo" not in {one["player"] for one in entrants}
    (listed,) = json.loads(run("team", "list", "--json").out)
    assert listed["bots"] == [{"bot": "ann/a", "agreed": True}, {"bot": "bob/b", "agreed": False}]
    assert "bob" in run("team", "list", "--owner", "ann").out


def test_nobody_speaks_for_others(run: Run, tokens: dict[str, str]) -> None:
    make = ("team", "create", "duo", "--bot", "bob/b", "--bot", "eve/e")
    assert "no token" in run(*make).complaint
    assert "this token is none" in run(*make, "--token", "mk_nonsense").complaint
    assert "name one of yours" in run(*make, "--token", tokens["ann"]).complaint
    run("team", "create", "duo", "--bot", "ann/a", "--bot", "bob/b", "--token", tokens["ann"])
    assert "has no bot of eve" in run("team", "agree", "ann/duo", "--token", tokens["eve"]).complaint
    submit = run("token", "create", "--owner", "bob", "--scopes", "submit").out.strip()
    assert "scope 'play'" in run("team", "agree", "ann/duo", "--token", submit).complaint
    assert "there is no player" in run("team", "agree", "ann/trio", "--token", tokens["ann"]).complaint


def test_what_is_done_is_written_down_without_tokens(run: Run, tokens: dict[str, str]) -> None:
    run("team", "create", "duo", "--bot", "ann/a", "--bot", "bob/b", "--token", tokens["ann"])
    run("team", "agree", "ann/duo", "--token", tokens["bob"])
    told = run("actions", "--json").out
    assert [one["action"] for one in json.loads(told)[:2]] == ["team agree", "team create"]
    assert tokens["ann"] not in told
