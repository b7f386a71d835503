"""Haggles by the rules and without much thought: it demands all that is worth something to it, and accepts half. How it thinks is in
the three methods at the end: begin there."""

from haggle import play_haggle


class Agent:
    def __init__(self, me, counts, values, max_rounds):
        self.me = me  # 0: the first turn is mine
        self.counts = counts  # how many objects there are of each type
        self.values = values  # what one of each type is worth to me
        self.max_rounds = max_rounds  # so many turns each of us has at most
        self.offers = []  # what has been offered to me, the oldest first
        self.turn = 0  # the number of this turn of mine, from 1

    def offer(self, offered):
        self.turn += 1
        if offered is None:
            return self.demand()
        self.offers.append(offered)
        return None if self.is_enough(offered) else self.demand()

    def worth(self, share):
        """What a share is worth to me."""
        return sum(count * value for count, value in zip(share, self.values))

    def is_enough(self, offered):
        """Whether to accept what is offered."""
        return self.worth(offered) >= self.worth(self.counts) / 2

    def demand(self):
        """What to ask for."""
        return [count if value > 0 else 0 for count, value in zip(self.counts, self.values)]

    def dear(self):
        """How dear an object of each type seems to be to the partner: numbers that can be compared with one another."""
        return [1 for _ in self.counts]


play_haggle(Agent)
