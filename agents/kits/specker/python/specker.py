"""The Specker Challenge Game for Python programs: its rules and the built-in challenges."""

import hashlib
import json
import random
from typing import List

from messages import Action, Said, Start, Told, Turn
from tartaglia import play

ENERGY = 1_000_000_000  # prices and accounts are whole numbers of 10^-9 energy


def play_specker(make_player):
    """make_player(start) returns an object with the method turn(view), which returns a list of actions."""
    player = None

    def answer(message: Told) -> Said:
        nonlocal player
        if message["type"] == "start":
            player = make_player(message)
            return {"ready": True}
        return {"actions": player.turn(message)}

    def case_answer(saved):
        answer(saved)
        from agent_test import ANY

        # The agent plays at random. For one that does not, return its answer, so that it is compared.
        return ANY

    play(answer, case_answer)


class Player:
    """Does what the rules require in any challenge. The methods is_worth, idea, raw_material and solve decide how max-csp is
    played."""

    def __init__(self, start: Start):
        self.start = start
        self.limits = start["challenge"]["config"]
        self.secrets = {}  # of its own secret challenges by number, until they are revealed
        name = start["challenge"]["name"]
        if name != "max-csp" and name not in others:
            raise ValueError(f"this agent cannot play the challenge {name}")
        self.craft = MaxCsp(self) if name == "max-csp" else others[name](self.limits)

    def turn(self, view: Turn) -> List[Action]:
        # Rule 4: fulfil obligations first.
        actions = [self.delivery(offer) for offer in view["toDeliver"]]
        for each in view["toSolve"]:
            solution = self.craft.solve(each["instance"])
            actions.append({"type": "solve", "challenge": each["challenge"], "solution": solution})
        for each in view.get("toReveal", []):
            solution, nonce = self.secrets[each["challenge"]]
            actions.append({"type": "reveal", "challenge": each["challenge"], "solution": solution, "nonce": nonce})
        return actions + self.trade(view) if view["trading"] else actions

    def delivery(self, offer):
        instance, solution, quality = self.craft.raw_material(offer["predicate"])
        action = {"type": "deliver", "challenge": offer["challenge"], "instance": instance}
        if offer.get("kind") == "secret":
            nonce = f"{random.getrandbits(256):064x}"
            self.secrets[offer["challenge"]] = solution, nonce
            commitment = hashlib.sha256(json.dumps([solution, nonce], separators=(",", ":")).encode()).hexdigest()
            action["secret"] = {"quality": quality, "commitment": commitment}
        return action

    def trade(self, view):
        """Rules 2 and 3: buys one challenge or lowers all offers of others, and offers something new."""
        me, config, step = self.start["me"], self.start["config"], view.get("step")
        variant = config.get("variant")
        kind = variant if variant in ("belief", "secret") else "classic"
        asynchronous = config.get("mode") == "asynchronous"
        actions = []
        lowest = {}  # the lowest price of each predicate for sale as the same kind as mine

        def lower(predicate, price):
            lowest[key_of(predicate)] = min(price, lowest.get(key_of(predicate), price))

        for offer in view["store"]:
            if offer.get("kind", "classic") == kind:
                lower(offer["predicate"], offer["price"])
        if step in (None, "decide"):
            others = [offer for offer in view["store"] if offer["seller"] != me]
            for offer in others:
                if offer["price"] < view["account"] and (offer["price"] == 0 or self.craft.is_worth(offer)):
                    actions.append({"type": "accept", "challenge": offer["challenge"]})
                    break
            else:
                for offer in [] if asynchronous else others:
                    price = max(0, offer["price"] - config["mindec"])
                    actions.append({"type": "reoffer", "challenge": offer["challenge"], "price": price})
                    if offer.get("kind", "classic") == kind:
                        lower(offer["predicate"], price)
        if step in (None, "offer"):
            mine = sum(offer["seller"] == me for offer in view["store"])
            wanted = int(mine < config["offersMax"]) if asynchronous else max(1, config["offersMin"])
            for _ in range(wanted):
                offer = self.new_offer(lowest)
                if offer is None:
                    break
                lower(*offer)
                actions.append({"type": "offer", "predicate": offer[0], "price": offer[1]})
        return actions

    def new_offer(self, lowest):
        """A predicate that nobody offers or, if none is left, one at a price below all others; with its price."""
        parts = league_parts(self.start["config"])
        for tries in range(300):
            predicate, price = self.craft.idea(parts or (1 if tries < 200 else random.randint(1, 5)))
            if predicate is None:
                continue
            taken = lowest.get(key_of(predicate))
            if taken is None or taken > price:
                return predicate, price
            if tries >= 250 and taken > 0:
                return predicate, taken - 1
        return None

    def weight_met(self, instance, values):
        """The weight of the constraints that these values satisfy."""
        met = 0
        for constraint in instance["constraints"]:
            x, y, z = (values[variable - 1] for variable in constraint["variables"])
            if constraint["relation"] >> (4 * x + 2 * y + z) & 1:
                met += constraint["weight"]
        return met


class MaxCsp:
    """Adapts the methods of the player to the interface of all challenges."""

    def __init__(self, player):
        self.player = player

    def is_worth(self, offer):
        return self.player.is_worth(offer["predicate"]["relations"], offer["price"])

    def idea(self, parts):
        """A predicate of this many parts that do not imply each other, or None; and its price."""
        relation, price = self.player.idea()
        if parts == 1:
            return {"relations": [relation]}, price
        # Different relations with the same number of rows never imply each other.
        equals = [[each for each in range(256) if bin(each).count("1") == rows] for rows in range(9)]
        enough = [relations for relations in equals if len(relations) >= parts]
        return ({"relations": random.sample(random.choice(enough), parts)} if enough else None), price

    def raw_material(self, predicate):
        """Raw material, a solution of it, and a lower bound of that solution's quality."""
        instance = self.player.raw_material(predicate["relations"])
        values = self.player.solve(instance)
        weight = sum(constraint["weight"] for constraint in instance["constraints"])
        return instance, {"values": values}, f"{self.player.weight_met(instance, values)}/{weight}"

    def solve(self, instance):
        return {"values": self.player.solve(instance)}


class Other:
    """One of the other challenges: any predicate, the smallest possible raw material, any solution. The challenge's file
    defines their form."""

    def __init__(self, limits):
        self.limits = limits

    def is_worth(self, offer):
        return random.randrange(ENERGY) >= offer["price"]

    def idea(self, parts):
        return self.predicate(parts), random.randrange(ENERGY + 1)

    def some(self, parts, most, less=0):
        return [random.randint(1, self.limits[most] - less) for _ in range(parts)]


class MaxSat(Other):
    def predicate(self, parts):
        longest = min(self.limits["maxVars"], self.limits["maxClauseLength"])
        if max(1, parts - 1) > longest:
            return None
        length = random.randint(max(1, parts - 1), longest)
        return {"types": [{"length": length, "positives": each} for each in pick(range(length + 1), parts)]}

    def raw_material(self, predicate):
        each = min(predicate["types"], key=lambda each: each["length"])
        literals = [n if n <= each["positives"] else -n for n in range(1, each["length"] + 1)]
        instance = {"variables": each["length"], "clauses": [{"weight": 1, "literals": literals}]}
        return instance, {"values": [int(literal > 0) for literal in literals]}, "1/1"

    def solve(self, instance):
        return {"values": [random.randrange(2) for _ in range(instance["variables"])]}


class Knapsack(Other):
    def predicate(self, parts):
        return {"weights": self.some(parts, "maxWeight")}

    def raw_material(self, predicate):
        weight = predicate["weights"][0]
        return {"capacity": weight, "items": [{"weight": weight, "worth": 1}]}, {"packed": [1]}, "1/1"

    def solve(self, instance):
        left, packed = instance["capacity"], []
        for at, item in enumerate(instance["items"], 1):
            if item["weight"] <= left:
                left -= item["weight"]
                packed.append(at)
        return {"packed": packed}


class CubicEquations(Other):
    def predicate(self, parts):
        kinds = ["UnknownsAndCubes", "SquaresAndCubes", "CubesOfUnknowns", "CubesOfSquares"]
        return {"kinds": [{"$": kind} for kind in pick(kinds, parts)]}

    def raw_material(self, predicate):
        instance = {"questions": [{"kind": predicate["kinds"][0], "a": 1, "b": 1}]}
        return instance, self.solve(instance), "1/1"

    def solve(self, instance):
        return {"answers": [self.root(question) for question in instance["questions"]]}

    def root(self, question):
        """The positive root, by bisection."""
        kind, a, b = question["kind"]["$"], question["a"], question["b"]
        low, high = 0, a + b + 1
        for _ in range(100):
            x = (low + high) / 2
            middle = a * (x if "Unknowns" in kind else x * x)
            if x**3 + (-middle if kind.startswith("Cubes") else middle) < b:
                low = x
            else:
                high = x
        return low


class PseudoBoolean(Other):
    def predicate(self, parts):
        shapes = []
        for _ in range(parts):
            terms = random.randint(1, min(self.limits["maxTerms"], self.limits["maxVars"]))
            coefficients = self.some(terms, "maxCoefficient")
            bound = random.randint(0, sum(coefficients))
            shapes.append({"coefficients": coefficients, "comparison": {"$": "AtLeast"}, "bound": bound})
        return {"shapes": shapes}

    def raw_material(self, predicate):
        shape = min(predicate["shapes"], key=lambda shape: len(shape["coefficients"]))
        comparison, bound = shape["comparison"]["$"], shape["bound"]
        variables = [f"x{at}" for at, _ in enumerate(shape["coefficients"], 1)]
        literals = [{"$": "Positive", "variable": variable} for variable in variables]
        value = 0 if comparison == "AtMost" or bound == 0 else 1
        met = comparison != "Exactly" or bound == value * sum(shape["coefficients"])
        instance = {"constraints": [{"weight": 1, "shape": shape, "literals": literals}], "variables": variables}
        return instance, {"values": [value for _ in variables]}, "1/1" if met else "0/1"

    def solve(self, instance):
        return {"values": [random.randrange(2) for _ in instance["variables"]]}


class TravellingSalesman(Other):
    def predicate(self, parts):
        return {"distances": self.some(parts, "maxDistance")}

    def raw_material(self, predicate):
        return {"cities": 3, "distances": 3 * predicate["distances"][:1]}, {"tour": [1, 2, 3]}, "1/1"

    def solve(self, instance):
        return {"tour": list(range(1, instance["cities"] + 1))}


class VertexCover(Other):
    def predicate(self, parts):
        colours = range(1, self.limits["colours"] + 1)
        return {"joins": pick([{"a": a, "b": b} for a in colours for b in colours if a <= b], parts)}

    def raw_material(self, predicate):
        join = predicate["joins"][0]
        return {"colours": [join["a"], join["b"]], "edges": [{"a": 1, "b": 2}]}, {"cover": [1]}, "1/1"

    def solve(self, instance):
        return {"cover": sorted({edge["a"] for edge in instance["edges"]})}


class GraphColouring(Other):
    def predicate(self, parts):
        return {"gaps": self.some(parts, "maxVertices", 1)}

    def raw_material(self, predicate):
        gap = predicate["gaps"][0]
        instance = {"vertices": gap + 1, "edges": [{"a": 1, "b": gap + 1}]}
        return instance, {"colours": gap * [1] + [2]}, "1/1"

    def solve(self, instance):
        return {"colours": [random.randint(1, self.limits["colours"]) for _ in range(instance["vertices"])]}


class JobScheduling(Other):
    def predicate(self, parts):
        return {"durations": self.some(parts, "longest")}

    def raw_material(self, predicate):
        return {"speeds": [1], "jobs": predicate["durations"][:1]}, {"machines": [1]}, "1/1"

    def solve(self, instance):
        return {"machines": [random.randint(1, len(instance["speeds"])) for _ in instance["jobs"]]}


class LongestCommonSubsequence(Other):
    def predicate(self, parts):
        return {"letters": pick("abcdefghijklmnopqrst"[: self.limits["maxLetters"]], parts)}

    def raw_material(self, predicate):
        word = predicate["letters"][:1]
        return {"a": word, "b": word}, {"a": [1], "b": [1]}, "1/1"

    def solve(self, instance):
        """The letters that are at the same place in both words."""
        same = [at for at, (x, y) in enumerate(zip(instance["a"], instance["b"]), 1) if x == y]
        return {"a": same, "b": same}


class NumberPartition(Other):
    def predicate(self, parts):
        return {"numbers": self.some(parts, "largest")}

    def raw_material(self, predicate):
        return {"numbers": 2 * predicate["numbers"][:1]}, {"heaps": [1, 2]}, "1/1"

    def solve(self, instance):
        return {"heaps": [random.randint(1, 2) for _ in instance["numbers"]]}


class SetCover(Other):
    def predicate(self, parts):
        return {"sizes": pick(range(1, min(self.limits["maxSize"], self.limits["maxMember"]) + 1), parts)}

    def raw_material(self, predicate):
        members = list(range(1, predicate["sizes"][0] + 1))
        return {"sets": [{"cost": 1, "members": members}]}, {"chosen": [1]}, "1/1"

    def solve(self, instance):
        return {"chosen": list(range(1, len(instance["sets"]) + 1))}


others = {
    "max-sat": MaxSat,
    "knapsack": Knapsack,
    "cubic-equations": CubicEquations,
    "pseudo-boolean": PseudoBoolean,
    "travelling-salesman": TravellingSalesman,
    "vertex-cover": VertexCover,
    "graph-colouring": GraphColouring,
    "job-scheduling": JobScheduling,
    "longest-common-subsequence": LongestCommonSubsequence,
    "number-partition": NumberPartition,
    "set-cover": SetCover,
}


def league_parts(config):
    """The number of parts that predicates must have in this match; None: any number."""
    league = config.get("league") or ""
    if league.startswith("level-k"):
        return config.get("leagueParameter") or 2
    return 1 if league in ("t-ball", "slow-pitch") else None


def key_of(predicate):
    """A key that is the same for equal predicates: their parts are a set."""
    [parts] = predicate.values()
    return tuple(sorted({json.dumps(part, sort_keys=True) for part in parts}))


def pick(elements, count):
    """Returns count different random elements, or all of a shorter list."""
    return random.sample(elements, min(count, len(elements)))
