"""Plays the Specker Challenge Game by its rules, and otherwise at random. The four methods below decide how it plays
max-csp: start there. specker.py plays the other built-in challenges, legally but at random."""

import random

from specker import ENERGY, Player, play_specker


class Agent(Player):
    """limits: maxVars, maxConstraints and maxWeight of raw material. weight_met(instance, values): the weight satisfied."""

    def is_worth(self, relations, price):
        """True to buy raw material of these relations at this price, in 10^-9 energy."""
        return random.randrange(ENERGY) >= price

    def idea(self):
        """The relation to sell, from 0 to 255, and its price in 10^-9 energy."""
        return random.randrange(256), random.randrange(ENERGY + 1)

    def raw_material(self, relations):
        """The raw material to deliver: the harder, the better."""
        constraints = [{"weight": 1, "relation": relation, "variables": [1, 2, 3]} for relation in relations]
        return {"variables": 3, "constraints": constraints[: self.limits["maxConstraints"]]}

    def solve(self, instance):
        """A value for each variable, 0 or 1: the more weight is satisfied, the better."""
        return [random.randrange(2) for _ in range(instance["variables"])]


play_specker(Agent)
