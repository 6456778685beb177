"""セイミ・イン・ザ・スーパークレイジーワールド: rules and decisions of ours are in the README beside this file."""

from engine_service.games.seimi.game import SEIMI

__all__ = ["SEIMI"]
