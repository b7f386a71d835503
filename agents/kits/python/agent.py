"""A baby for max-csp: it plays by the rules, and does everything at random. Make it better, one of the four at a time."""

import random

from tartaglia import play_specker

ENERGY = 1_000_000_000  # prices and accounts are whole numbers of this part of one energy


def offer(mindec):
    """A relation (0 to 255) and the price at which to sell it, 0 to 1."""
    return random.randrange(256), random.random()


def accept(relations, price):
    """Whether to buy this predicate at this price, 0 to 1."""
    return random.random() < 0.5


def create_rm(relations):
    """Raw material for a predicate that somebody has bought from me: an instance that is hard to satisfy."""
    return {"variables": 3, "constraints": [{"weight": 1, "relation": relations[0], "variables": [1, 2, 3]}]}


def finish(instance):
    """The best assignment, 0 or 1 for each variable, that I can find for raw material that was delivered to me."""
    return [random.randrange(2) for _ in range(instance["variables"])]


class Agent:
    def __init__(self, start):
        self.me = start["me"]
        self.config = start["config"]

    def turn(self, view):
        actions = []
        # Rule 4: what is owed comes first.
        for each in view["toDeliver"]:
            instance = create_rm(each["predicate"]["relations"])
            actions.append({"type": "deliver", "challenge": each["challenge"], "instance": instance})
        for each in view["toSolve"]:
            solution = {"values": finish(each["instance"])}
            actions.append({"type": "solve", "challenge": each["challenge"], "solution": solution})
        if not view["trading"]:
            return actions
        # Rule 2: buy something, or lower all that others offer. Rule 7: the account stays above 0.
        others = [each for each in view["store"] if each["seller"] != self.me]
        for each in others:
            price = each["price"]
            if price < view["account"] and (price == 0 or accept(each["predicate"]["relations"], price / ENERGY)):
                actions.append({"type": "accept", "challenge": each["challenge"]})
                break
        else:
            for each in others:
                lower = max(0, each["price"] - self.config["mindec"])
                actions.append({"type": "reoffer", "challenge": each["challenge"], "price": lower})
        # Rule 3: something that nobody offers.
        taken = {tuple(each["predicate"]["relations"]) for each in view["store"]}
        made = 0
        for _ in range(1000):
            if made >= max(1, self.config["offersMin"]):
                break
            relation, price = offer(self.config["mindec"] / ENERGY)
            if (relation,) in taken:
                continue
            taken.add((relation,))
            predicate = {"relations": [relation]}
            actions.append({"type": "offer", "predicate": predicate, "price": round(min(1, price) * ENERGY)})
            made += 1
        return actions


play_specker(Agent)
