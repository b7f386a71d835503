"""A robber and a cop that wander about. The last methods of each class make the decisions: start there.

agent.json starts this file with the role as its argument.
"""

from math import inf

from cops import play_cops
from messages import Ptype, Skeleton, World


class Town:
    """The map from the point of view of a player that moves on it."""

    def __init__(self, game: Skeleton):
        self.known = {}  # what `moves` has found out
        # The corners next to each corner, on foot and by car. Dictionaries keep the order.
        self.foot = {node["loc"]: {node["loc"]: True} for node in game["nodes"]}
        self.car = {node["loc"]: {node["loc"]: True} for node in game["nodes"]}
        for edge in game["edges"]:
            self.car[edge["from"]][edge["to"]] = True
            if edge["type"] == "foot":
                self.foot[edge["from"]][edge["to"]] = True
                self.foot[edge["to"]][edge["from"]] = True

    def next(self, loc: str, ptype: Ptype):
        """The corners that a player can be on after a move. Standing still is a move."""
        return list((self.car if ptype == "cop-car" else self.foot)[loc])

    def moves(self, start: str, ptype: Ptype):
        """The number of moves to each corner."""
        if (start, ptype) not in self.known:
            found = self.known[start, ptype] = {start: 0}
            queue = [start]
            for loc in queue:
                for to in self.next(loc, ptype):
                    if to not in found:
                        found[to] = found[loc] + 1
                        queue.append(to)
        return self.known[start, ptype]


class Robber:
    def __init__(self, game: Skeleton):
        self.name = game["name"]
        self.town = Town(game)

    def move(self, world: World, offers=None):
        here = next(player["loc"] for player in world["players"] if player["bot"] == self.name)
        return max(self.town.next(here, "robber"), key=lambda corner: self.worth(corner, world))

    def safety(self, corner, world):
        """The number of moves from the nearest cop to a corner."""
        cops = [player for player in world["players"] if player["bot"] != self.name]
        return min(self.town.moves(cop["loc"], cop["ptype"]).get(corner, inf) for cop in cops)

    def worth(self, corner, world):
        """The robber's rating of a corner; it moves to the best one."""
        return (len(corner) + world["world"]) % 7


class Cop:
    def __init__(self, game: Skeleton):
        self.name = game["name"]
        self.robber = game["robber"]
        self.number = game["cops"].index(self.name)  # which of the five cops it is, from 0
        self.banks = [node["loc"] for node in game["nodes"] if node["tag"] == "bank"]
        self.town = Town(game)
        # The corners where the robber may be.
        self.suspects = [node["loc"] for node in game["nodes"] if node["tag"] == "robber-start"]

    def inform(self, world: World):
        """Called after the robber's move: works out where it may be, and informs the other cops."""
        seen = [player["loc"] for player in world["players"] if player["bot"] == self.robber]
        near = list(dict.fromkeys(to for loc in self.suspects for to in self.town.next(loc, "robber")))
        self.suspects = seen or [corner for corner in near if self.suspect(corner, world)] or near
        return self.tell([corner for corner in near if corner not in self.suspects], world)

    def plan(self, informs, world):
        """Receives the reports of all cops. Suggests nothing."""
        self.hear([each for told in informs for each in told["informs"]])
        return []

    def move(self, winner, world: World):
        me = self.me(world)
        loc = max(self.town.next(me["loc"], me["ptype"]), key=lambda corner: self.hope(corner, world))
        return {"loc": loc, "ptype": me["ptype"]}

    def me(self, world: World):
        """My corner, and my type: on foot or in a car."""
        return next(player for player in world["players"] if player["bot"] == self.name)

    def tell(self, corners, world):
        """Chooses from the corners without the robber those to report: only its own corner."""
        here = [corner for corner in corners if corner == self.me(world)["loc"]]
        claim = {"bot": self.robber, "ptype": "robber", "world": world["world"], "certainty": -100}
        return [{**claim, "loc": corner} for corner in here]

    def hear(self, informs):
        """Uses the reports of all cops: believes the first one that is certain of the robber's corner."""
        for each in informs:
            if each["bot"] == self.robber and each["certainty"] == 100:
                self.suspects = [each["loc"]]
                break

    def suspect(self, corner, world):
        """True if the robber, while nobody sees it, may be on a corner."""
        return corner != self.me(world)["loc"]

    def hope(self, corner, world):
        """The cop's rating of a corner; it moves to the best one."""
        return (len(corner) + world["world"]) % 7


play_cops("Fox", "cop-foot", Robber, Cop)
