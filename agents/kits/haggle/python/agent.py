"""Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of the
total value. The three methods at the end make its decisions: start there."""

from haggle import play_haggle


class Agent:
    def __init__(self, me, counts, values, max_rounds):
        self.me = me  # 0: the first turn is mine
        self.counts = counts  # the number of objects of each type
        self.values = values  # the value of one object of each type to me
        self.max_rounds = max_rounds  # the maximum number of turns for each of us
        self.offers = []  # the offers so far, oldest first
        self.turn = 0  # the number of its current turn, from 1

    def offer(self, offered):
        self.turn += 1
        if offered is None:
            return self.demand()
        self.offers.append(offered)
        return None if self.is_enough(offered) else self.demand()

    def worth(self, share):
        """The value of a share to me."""
        return sum(count * value for count, value in zip(share, self.values))

    def is_enough(self, offered):
        """True if an offer is good enough to accept."""
        return self.worth(offered) >= self.worth(self.counts) / 2

    def demand(self):
        """The share to demand."""
        return [count if value > 0 else 0 for count, value in zip(self.counts, self.values)]

    def dear(self):
        """The apparent value of an object of each type to the partner; only the proportions matter."""
        return [1 for _ in self.counts]


play_haggle(Agent)
