"""Claims rivers by the rules and without much thought: always the first free one. The last method rates rivers: start there."""

from typing import List

from messages import Map, Move
from punter import play_punter


class Agent:
    def __init__(self, map: Map, settings):
        self.punter = settings["punter"]  # my number
        self.mines = map["mines"]
        self.free = [(river["source"], river["target"]) for river in map["rivers"]]  # rivers that nobody has
        self.own = []  # my own
        self.others = []  # those of all others
        # By mine: the number of rivers from it to each site.
        self.distances = {mine: self.reach(mine, self.free) for mine in self.mines}

    def move(self, moves: List[Move]) -> Move:
        for move in moves:
            if "claim" in move:
                self.hear(move["claim"])
        river = self.choose()
        if river is None:
            return {"pass": {"punter": self.punter}}
        return {"claim": {"punter": self.punter, "source": river[0], "target": river[1]}}

    def hear(self, claim):
        """Records the claim of a river."""
        ends = {claim["source"], claim["target"]}
        rivers = self.own if claim["punter"] == self.punter else self.others
        rivers.append((claim["source"], claim["target"]))
        self.free = [river for river in self.free if set(river) != ends]

    def reach(self, start, rivers):
        """The sites that can be reached from a site over some rivers, each with the number of rivers on the way."""
        found = {start: 0}
        queue = [start]
        for site in queue:
            for source, target in rivers:
                for here, there in ((source, target), (target, source)):
                    if here == site and there not in found:
                        found[there] = found[site] + 1
                        queue.append(there)
        return found

    def choose(self):
        """The free river with the best rating; the first of equals."""
        return max(self.free, key=self.worth, default=None)

    def worth(self, river):
        """The rating of a free river: 0 or more."""
        return 1 if river in self.free else 0


play_punter(Agent)
