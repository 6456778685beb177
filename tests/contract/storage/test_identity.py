"""Owners, tokens, players, versions."""

import hashlib

import pytest
from sqlalchemy import select

from storage import identity
from storage.bounds import Bounds
from storage.database import Database, Transaction
from storage.errors import Conflict, Full, Invalid, NotFound
from storage.schema import Token
from tests.fixtures.records import race

HOUR = 3_600_000


def test_a_token_tells_whose_it_is(database: Database) -> None:
    with database.transaction() as tx:
        clear = identity.create_token(tx, "ann", "laptop", ["submit", "play", "play"], HOUR)
    with database.reading() as tx:
        found = identity.check_token(tx, clear)
        assert found is not None
        assert (found.owner, found.label, found.scopes) == ("ann", "laptop", ("play", "submit"))
        assert found.expires_at == found.created_at + HOUR


def test_a_token_has_256_bits_and_only_its_hash_is_kept(database: Database) -> None:
    with database.transaction() as tx:
        clear = identity.create_token(tx, "ann", "laptop", ["play"], None)
        other = identity.create_token(tx, "ann", "laptop", ["play"], None)
        kept = tx.execute(select(Token)).scalars().first()
        assert kept is not None
        assert kept.digest == hashlib.sha256(clear.encode()).digest()
    assert clear.startswith("mk_")
    assert len(clear) == len("mk_") + 43  # 32 bytes in base 64
    assert clear != other


@pytest.mark.parametrize("clear", ["", "mk_", "mk_nonsense", "nonsense", "mk_" + "x" * 10_000])
def test_what_is_no_token_is_nobodys(sqlite_database: Database, clear: str) -> None:
    with sqlite_database.reading() as tx:
        assert identity.check_token(tx, clear) is None


def test_an_expired_token_is_nobodys(database: Database) -> None:
    with database.transaction() as tx:
        clear = identity.create_token(tx, "ann", "laptop", ["play"], 0)
        assert identity.check_token(tx, clear) is None
        assert len(identity.tokens(tx, "ann")) == 1


def test_a_revoked_token_is_nobodys(database: Database) -> None:
    with database.transaction() as tx:
        clear = identity.create_token(tx, "ann", "laptop", ["play"], None)
        (row,) = identity.tokens(tx, "ann")
        assert identity.revoke_token(tx, row.id)
        assert not identity.revoke_token(tx, row.id)
        assert identity.check_token(tx, clear) is None
        with pytest.raises(NotFound):
            identity.revoke_token(tx, row.id + 1)


@pytest.mark.parametrize("scopes", [[], ["rule"], ["play", "Play"]])
def test_a_token_has_known_scopes(sqlite_database: Database, scopes: list[str]) -> None:
    with sqlite_database.transaction() as tx, pytest.raises(Invalid, match="play, submit, organise, operate"):
        identity.create_token(tx, "ann", "laptop", scopes, None)


@pytest.mark.parametrize("name", ["", "a/b", "a@1", " ann", "-ann", "änn", "a" * 41, "a\n", "../x", "a b"])
def test_a_name_is_plain(sqlite_database: Database, name: str) -> None:
    with sqlite_database.transaction() as tx:
        with pytest.raises(Invalid):
            identity.ensure_owner(tx, name)
        owner = identity.ensure_owner(tx, "ann")
        with pytest.raises(Invalid):
            identity.ensure_player(tx, owner, name, "remote")


def test_a_player_is_made_once_and_keeps_its_kind(database: Database) -> None:
    with database.transaction() as tx:
        owner = identity.ensure_owner(tx, "ann")
        player = identity.ensure_player(tx, owner, "bugbot", "remote")
        assert identity.ensure_player(tx, owner, "bugbot", "remote") == player
        assert identity.find_player(tx, "ann/bugbot") == player
        assert player.full_name == "ann/bugbot"
        with pytest.raises(Conflict, match="ann/bugbot is remote"):
            identity.ensure_player(tx, owner, "bugbot", "house")
        with pytest.raises(NotFound, match="owner/bot"):
            identity.find_player(tx, "bugbot")
        with pytest.raises(Invalid):
            identity.ensure_player(tx, owner, "other", "alien")


def test_versions_are_numbered_and_never_change(database: Database) -> None:
    with database.transaction() as tx:
        owner = identity.ensure_owner(tx, "ann")
        player = identity.ensure_player(tx, owner, "bugbot", "house")
        first = identity.ensure_version(tx, player.id, "v1", "greedy", {"bold": 3})
        second = identity.ensure_version(tx, player.id, "v2", "greedy", {"bold": 4})
        again = identity.ensure_version(tx, player.id, "v1", "greedy", {"bold": 3})
        assert (first.number, first.full_name, first.is_new) == (1, "ann/bugbot@1", True)
        assert (second.number, second.full_name, second.is_new) == (2, "ann/bugbot@2", True)
        assert (again.id, again.is_new, again.settings) == (first.id, False, {"bold": 3})
        with pytest.raises(Conflict, match="new label"):
            identity.ensure_version(tx, player.id, "v1", "greedy", {"bold": 5})
        with pytest.raises(NotFound):
            identity.ensure_version(tx, player.id + 1, "v1")


def test_a_person_has_no_version_in_its_name(database: Database) -> None:
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "ann", "person")
        assert identity.ensure_version(tx, player.id, "self").full_name == "ann/ann"


def test_racers_make_one_owner_player_and_version(database: Database) -> None:
    def enter(tx: Transaction) -> tuple[int, int]:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bugbot", "remote")
        version = identity.ensure_version(tx, player.id, "v1")
        return version.id, version.number

    assert len(set(race(database, 6, enter))) == 1


def test_racers_with_different_labels_get_different_numbers(database: Database) -> None:
    with database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bugbot", "remote")
    labels = iter("abcdef")
    numbers = race(database, 6, lambda tx: identity.ensure_version(tx, player.id, next(labels)).number)
    assert sorted(numbers) == [1, 2, 3, 4, 5, 6]


LABELS = ["", " ", "\u3000", " v1", "v1 ", "v\n1", "v\x001", "v\u202e1", "\ud800", "x" * 81]


@pytest.mark.parametrize("label", LABELS, ids=ascii)
def test_a_label_is_words(sqlite_database: Database, label: str) -> None:
    with sqlite_database.transaction() as tx:
        player = identity.ensure_player(tx, identity.ensure_owner(tx, "ann"), "bugbot", "remote")
        with pytest.raises(Invalid, match="printable"):
            identity.ensure_version(tx, player.id, label)
        if label:
            with pytest.raises(Invalid, match="printable"):
                identity.create_token(tx, "ann", label, ["play"], None)
    for good in ("v1", "two words", "größer", "x" * 80):
        with sqlite_database.transaction() as tx:
            assert identity.ensure_version(tx, player.id, good).label == good


@pytest.mark.parametrize("owner", ["house", "House", "HOUSE"])
def test_nobody_gets_a_token_of_the_house(sqlite_database: Database, owner: str) -> None:
    with sqlite_database.transaction() as tx:
        identity.ensure_owner(tx, "house")
        with pytest.raises(Invalid, match="has no tokens"):
            identity.create_token(tx, owner, "laptop", ["play"], None)
        assert identity.tokens(tx, owner) == []


def test_an_owner_makes_so_many_players_and_versions(database: Database) -> None:
    bounds = Bounds(players=2, versions=3)

    def enter(tx: Transaction, owner: str, name: str, label: str) -> str:
        id = identity.ensure_owner(tx, owner)
        player = identity.ensure_player(tx, id, name, "remote", bounds)
        return identity.ensure_version(tx, player.id, label, bounds=bounds).full_name

    with database.transaction() as tx:
        assert enter(tx, "ann", "one", "a") == "ann/one@1"
        assert enter(tx, "ann", "two", "a") == "ann/two@1"
    with (
        database.transaction() as tx,
        pytest.raises(Full, match="has 2 bots, and may have 2; 1 of 3 versions"),
    ):
        enter(tx, "ann", "three", "a")
    with database.transaction() as tx:
        assert enter(tx, "ann", "two", "b") == "ann/two@2"
    with database.transaction() as tx, pytest.raises(Full, match="3 versions, and may have 3; none is left"):
        enter(tx, "ann", "one", "b")
    with database.transaction() as tx:
        assert enter(tx, "ann", "one", "a") == "ann/one@1", "what is there is there"
        assert enter(tx, "ben", "one", "a") == "ben/one@1", "and nobody else is bound by it"


def test_racers_make_no_more_than_they_may(database: Database) -> None:
    with database.transaction() as tx:
        owner = identity.ensure_owner(tx, "ann")
        first = identity.ensure_player(tx, owner, "first", "remote")
        identity.ensure_player(tx, owner, "second", "remote")
    bounds = Bounds(players=4, versions=3)
    names = iter("abcdef")

    def enter(tx: Transaction) -> bool:
        name = next(names)
        try:
            identity.ensure_player(tx, owner, name, "remote", bounds)
        except Full:
            return False
        return True

    def renew(tx: Transaction) -> bool:
        try:
            identity.ensure_version(tx, first.id, next(labels), bounds=bounds)
        except Full:
            return False
        return True

    assert sum(race(database, 6, enter)) == 2
    labels = iter("abcdef")
    assert sum(race(database, 6, renew)) == 3
