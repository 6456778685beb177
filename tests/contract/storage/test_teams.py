"""Teams: who is in them, who agreed, which versions they play in, and their tables."""

import pytest

from mamenoki.house.roster import ROSTER
from ratings.follow import fold_ladder, rebuild
from scheduler import leagues as league_cases
from scheduler import seasons as season_cases
from scheduler.ladders import Limits, enter_house, open_ladder, plan_next
from scheduler.teams import enter_team, take_back
from service.presence import Present
from storage import folding, identity, ladders, ledger, results, seasons, sets, tables, teams
from storage.database import Database, Transaction
from storage.errors import Conflict, Invalid, NotFound
from storage.identity import PlayerRow
from storage.ladders import LadderRow
from storage.teams import TeamRow
from tests.fixtures.records import claimed, scored

LIMITS = Limits(planned_most=100, tables_at_once=2, longest_wait_ms=60_000)
COOP = [bot for bot in ROSTER if (bot.game, bot.variant) == ("morumori", "coop")]


def bot(tx: Transaction, owner: str, name: str, kind: str = "remote", label: str | None = "1") -> PlayerRow:
    player = identity.ensure_player(tx, identity.ensure_owner(tx, owner), name, kind)
    if label is not None:
        identity.ensure_version(tx, player.id, label)
    return player


def duo(tx: Transaction) -> TeamRow:
    """Ann's team of her bot and Bob's, who has not agreed."""
    ann = bot(tx, "ann", "a")
    return teams.create(tx, ann.owner_id, "duo", [ann, bot(tx, "bob", "b")])


def agreed(tx: Transaction) -> TeamRow:
    team = duo(tx)
    teams.agree(tx, team, identity.ensure_owner(tx, "bob"))
    return teams.find(tx, "ann/duo")


def together(tx: Transaction, house: int = 3) -> LadderRow:
    ladder = open_ladder(tx, "morumori/coop")
    enter_house(tx, ladder, COOP[:house])
    return ladder


def here(tx: Transaction, *names: str, free: int = 1) -> dict[int, Present]:
    """Those bots, each in its latest version."""
    found = {}
    for name in names:
        player = identity.find_player(tx, name)
        version = identity.ensure_version(tx, player.id, "1")
        found[player.id] = Present(player.id, version.id, free, "e")
    return found


def test_a_team_is_made_once_and_waits_for_those_who_have_not_agreed(database: Database) -> None:
    with database.transaction() as tx:
        team = duo(tx)
        assert duo(tx) == team
        assert (team.player.full_name, team.player.kind) == ("ann/duo", "team")
        assert [(one.full_name, one.agreed) for one in team.members] == [("ann/a", True), ("bob/b", False)]
        assert team.missing == ["bob"]
        with pytest.raises(Conflict, match="ann/duo is there, of ann/a, bob/b"):
            teams.create(tx, team.player.owner_id, "duo", [bot(tx, "ann", "a"), bot(tx, "eve", "e")])
        assert [one.player.name for one in teams.teams(tx, "bob")] == ["duo"]
        assert teams.teams(tx, "eve") == []


def test_house_bots_play_with_everybody(database: Database) -> None:
    with database.transaction() as tx:
        ann, strong = bot(tx, "ann", "a"), bot(tx, "house", "strong", "house")
        assert teams.create(tx, ann.owner_id, "helped", [ann, strong]).missing == []


@pytest.mark.parametrize(
    "who", [["ann/a"], ["ann/a", "ann/a"], ["bob/b", "eve/e"], ["ann/a", "ann/p"], ["ann/a", "ann/duo"]]
)
def test_what_is_no_team_is_refused(database: Database, who: list[str]) -> None:
    with database.transaction() as tx:
        team = duo(tx)
        bot(tx, "eve", "e")
        bot(tx, "ann", "p", "person")
        with pytest.raises(Invalid):
            teams.create(tx, team.player.owner_id, "other", [identity.find_player(tx, one) for one in who])
        with pytest.raises(NotFound, match="no team"):
            teams.find(tx, "ann/a")


def test_a_team_enters_when_nothing_is_missing(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = duo(tx)
        with pytest.raises(Conflict, match="bob has not agreed yet"):
            enter_team(tx, ladder, team)
        assert teams.agree(tx, team, identity.ensure_owner(tx, "eve")) == 0
        assert teams.agree(tx, team, identity.ensure_owner(tx, "bob")) == 1
        team = teams.find(tx, "ann/duo")
        with pytest.raises(Conflict, match="everybody plays alone"):
            enter_team(tx, open_ladder(tx, "mushi"), team)
        with pytest.raises(Conflict, match="1 seats"):
            enter_team(tx, open_ladder(tx, "morumori/coop", name="solo", seats=1), team)
        assert [enter_team(tx, ladder, team) for _ in range(2)] == ["ann/duo@1"] * 2
        entrants = ladders.entrants(tx, ladder.id)
        assert [one.name for one in entrants if one.kind == "team"] == ["duo"]
        assert ledger.count(tx, ladder.id) == 0


def test_a_bot_that_never_connected_keeps_its_team_away(database: Database) -> None:
    with database.transaction() as tx:
        ann = bot(tx, "ann", "a")
        team = teams.create(tx, ann.owner_id, "early", [ann, bot(tx, "ann", "late", label=None)])
        with pytest.raises(Conflict, match="ann/late has no version yet"):
            enter_team(tx, together(tx), team)


def test_its_bots_take_its_seats_and_it_alone_is_rated(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        ids = plan_next(tx, ladder, here(tx, "ann/a", "bob/b"), LIMITS, seed=1)
        (mine,) = [id for id in ids if tables.find(tx, id).entrant_id == team.player.id]
        names = [seat.full_name for seat in tables.find(tx, mine).seats]
        assert names == ["ann/a@1", "bob/b@1", "ann/a@1"]
        tables.finish(tx, [scored(claimed(tx, id), 9 if id == mine else 2) for id in ids])
        played = results.recent(tx, ladder.id, None, 10, player_id=team.player.id)
        assert [row.table_id for row in played] == [mine]
        assert played[0].entrant is not None
        assert played[0].entrant.full_name == "ann/duo@1"
    fold_ladder(database, ladder.id)
    with database.reading() as tx:
        rated = {row.player_id for row in folding.standings(tx, ladder.id)}
        assert team.player.id in rated
        assert rated.isdisjoint(one.player_id for one in team.members)
    assert rebuild(database, ladder.id).equal


def test_it_plays_when_all_its_bots_are_here(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        alone = plan_next(tx, ladder, here(tx, "ann/a"), LIMITS, seed=1)
        assert team.player.id not in {tables.find(tx, id).entrant_id for id in alone}


def test_no_place_of_its_bots_is_promised_twice(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        mine = team.members[0].player_id
        ladders.enter(tx, ladder.id, mine, identity.ensure_version(tx, mine, "1").id)
        present = here(tx, "ann/a", "bob/b")
        entrants = [
            tables.find(tx, id).entrant_id
            for seed in range(3)
            for id in plan_next(tx, ladder, present, LIMITS, seed)
        ]
        assert entrants.count(mine) + entrants.count(team.player.id) == 1


def test_neither_owner_meets_the_team_with_another_bot(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx, house=2)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        other = bot(tx, "bob", "other")
        ladders.enter(tx, ladder.id, other.id, identity.ensure_version(tx, other.id, "1").id)
        present = here(tx, "ann/a", "bob/b", "bob/other", free=9)
        for seed in range(3):
            ids = plan_next(tx, ladder, present, LIMITS, seed)
            found = {row.id: row for id in ids if (row := sets.set_of(tx, id)) is not None}
            assert found
            for row in found.values():
                assert {team.player.id, other.id} - {one.entrant_id for one in row.tables}
            tables.finish(tx, [scored(claimed(tx, id), 1) for id in ids])


def test_a_bots_new_version_is_the_teams(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        present = here(tx, "ann/a", "bob/b")
        newer = identity.ensure_version(tx, team.members[1].player_id, "2")
        present[newer.player_id] = Present(newer.player_id, newer.id, 1, "e")
        ids = plan_next(tx, ladder, present, LIMITS, seed=1)
        (mine,) = [id for id in ids if tables.find(tx, id).entrant_id == team.player.id]
        assert [seat.full_name for seat in tables.find(tx, mine).seats][1] == "bob/b@2"
        (entry,) = ledger.entries(tx, ladder.id, 0, 10)
        assert (entry.kind, entry.content) == (
            ledger.NEW_VERSION,
            {"player_id": team.player.id, "version": 2},
        )


def test_who_takes_consent_back_ends_the_teams_play(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        players = [one.player_id for one in ladders.entrants(tx, ladder.id)]
        league = league_cases.create_league(
            tx, "together", ladder.name, cron_line="* * * * *", zone="UTC", seats=4
        )
        season = season_cases.open_season(tx, league, players)
        assert team.player.id in {one.player_id for one in seasons.entrants(tx, season.id)}
        assert take_back(tx, team, identity.ensure_owner(tx, "eve")) == 0
        assert take_back(tx, team, identity.ensure_owner(tx, "bob")) == 1
        assert team.player.id not in {one.player_id for one in ladders.entrants(tx, ladder.id)}
        assert team.player.id not in {one.player_id for one in seasons.entrants(tx, season.id)}
        with pytest.raises(Conflict, match="bob has not agreed"):
            enter_team(tx, ladder, teams.find(tx, "ann/duo"))


def test_a_leagues_round_seats_a_teams_bots(database: Database) -> None:
    with database.transaction() as tx:
        ladder = together(tx)
        team = agreed(tx)
        enter_team(tx, ladder, team)
        players = [one.player_id for one in ladders.entrants(tx, ladder.id)]
        league = league_cases.create_league(
            tx, "together", ladder.name, cron_line="* * * * *", zone="UTC", seats=4
        )
        season = season_cases.open_season(tx, league, players)
        opened = league_cases.open_round(tx, league, season, 1, seed=5)
        assert opened is not None
        (mine,) = [id for id in opened.tables if tables.find(tx, id).entrant_id == team.player.id]
        assert [seat.full_name for seat in tables.find(tx, mine).seats] == ["ann/a@1", "bob/b@1", "ann/a@1"]


def test_long_names_make_a_version_too(database: Database) -> None:
    with database.transaction() as tx:
        ann = bot(tx, "ann", "a" * 40)
        team = teams.create(tx, ann.owner_id, "long", [ann, bot(tx, "ann", "b" * 40)])
        assert enter_team(tx, together(tx), team) == "ann/long@1"
