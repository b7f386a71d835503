"""Uses all of what cops.py offers with the rules of the second phase: bribes and a push, the market, orders and an accusation.

The robber stands still after it has robbed a bank. It writes down in said.txt what it was offered and what it did.
"""

from cops import play_cops


class Robber:
    def __init__(self, game):
        self.game = game
        self.loot = 0

    def inform(self, world):
        return [{"bot": cop, "loc": self.here(world), "ptype": "cop-foot", "world": 100, "certainty": 1} for cop in self.game["cops"]]

    def plan(self, informs, world):
        return [{"bot": self.game["robber"], "loc": self.here(world), "ptype": "robber", "world": world["world"] + 2}]

    def vote(self, plans, world):
        return [each["bot"] for each in reversed(plans)]

    def bribe(self, winner, world):
        return world["loot"] >= 50

    def move(self, world, offers=None):
        if offers is not None:
            with open("said.txt", "a") as file:
                file.write("%d %s\n" % (world["world"], " ".join(offers)))
        loc = self.here(world) if world["loot"] > 0 else self.to_bank(world)
        return {"loc": loc, "choose": offers} if offers else loc

    def here(self, world):
        return next(player["loc"] for player in world["players"] if player["bot"] == self.game["name"])

    def to_bank(self, world):
        """The first corner of the shortest way to a bank."""
        banks = [bank["loc"] for bank in world["banks"]]
        ways = {self.here(world): []}
        for loc, way in ((loc, ways[loc]) for loc in self.growing(ways)):
            if loc in banks and way:
                return way[0]
        return self.here(world)

    def growing(self, ways):
        queue = list(ways)
        for loc in queue:
            yield loc
            for edge in self.game["edges"]:
                for start, end in ((edge["from"], edge["to"]), (edge["to"], edge["from"])):
                    if edge["type"] == "foot" and start == loc and end not in ways:
                        ways[end] = ways[loc] + [end]
                        queue.append(end)


class Cop:
    def __init__(self, game):
        self.name = game["name"]
        self.number = game["cops"].index(game["name"])
        self.first = game["cops"][0]

    def move(self, winner, world):
        twist = world["twist"]
        bots = [self.name] + [each["bot"] for each in twist["control"] if each["brain"] == self.name]
        return {
            "moves": [player for player in world["players"] if player["bot"] in bots],
            "market": "turncoat" if self.number == 0 else "straight-arrow",
            "accuse": [self.first] if self.number == 4 and world["world"] == 101 else [],
        }


play_cops("Bob", "cop-foot", Robber, Cop)
