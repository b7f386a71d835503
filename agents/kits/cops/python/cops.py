"""The dialogue of Cops & Robbers, for Python programs: the lines of the contest of 2005, read as dictionaries and lists.

play_cops(name, starts, make_robber, make_cop) plays the role that is the program's first argument, robber or cop. `starts` is
cop-foot or cop-car. make_robber(game) and make_cop(game) give objects with these methods; those in brackets may be missing:

  robber  move(world, offers): a corner; with the second rule set also {"loc", "choose": [cops], "push": {"bot", "loc"}}
  cop     move(winner, world): {"loc", "ptype"}; with the second rule set also "market", "accuse", or {"moves": [...]}
  both    [inform(world)], [plan(informs, world)], [vote(plans, world)]; the robber has them in the second rule set only
  robber  [bribe(winner, world)]: whether to ask which cops can be bribed

Their arguments and results have the fields that GAME.md describes for scripts: those of messages.py without `type` and `asks`.
"""

import os
import random
import sys

from tartaglia import log


def play_cops(name, starts, make_robber, make_cop):
    # With equal seeds this program plays equal matches.
    random.seed(os.environ.get("TARTAGLIA_SEED"))
    if sys.argv[1:2] == ["--case"]:
        from agent_test import play_case

        play_case(sys.argv[2], _case_answer(name, starts, make_robber, make_cop))
    role = sys.argv[1] if len(sys.argv) > 1 else ""
    if role not in ("robber", "cop"):
        sys.exit("usage: agent.py robber|cop")
    _say("reg: %s %s" % (name, "robber" if role == "robber" else starts))
    game = _read_game(_read())
    player = _Player(role, game["name"], (make_robber if role == "robber" else make_cop)(game))
    while player.hear(_read()):
        pass


def _case_answer(name, starts, make_robber, make_cop):
    """Answers the messages of saved moves, which are values instead of lines."""
    player = _Player("", name, None)

    def answer(saved):
        kind, asks = saved["type"], saved.get("asks")
        agent, world = player.agent, player.world
        if kind == "register":
            player.role = saved["role"]
            return {"type": "register", "bot": name, "ptype": "robber" if player.role == "robber" else starts}
        if kind == "skeleton":
            player.name = saved["name"]
            player.agent = (make_robber if player.role == "robber" else make_cop)(saved)
        elif kind == "world":
            player.world = saved
            if asks == "move":
                return {"type": "move", "loc": _robber_move(agent.move(saved, None))["loc"], "ptype": "robber"}
            if asks == "inform":
                return {"type": "inform", "informs": player.call("inform", saved)}
        elif kind == "informs":
            return {"type": "plan", "plan": player.call("plan", saved["from"], world)}
        elif kind == "plans":
            ballot = player.call("vote", saved["from"], world) or [each["bot"] for each in saved["from"]]
            return {"type": "vote", "ballot": ballot}
        elif kind == "tally":
            player.winner = saved["winner"]
            if asks == "bribe":
                return {"type": "bribe", "asks": bool(player.call("bribe", player.winner, world))}
            if asks is not None:
                return player.orders_as_saved(agent.move(player.winner, world))
        elif kind == "offers":
            move = _robber_move(agent.move(world, saved["bots"]))
            orders = {"bot": player.name, "loc": move["loc"], "ptype": "robber"}
            return {"type": "robber-orders", "move": orders, "push": move.get("push"), "choose": move.get("choose")}
        return None

    return answer


class _Player:
    """Passes messages to the agent, and prints its answers."""

    def __init__(self, role, name, agent):
        self.role = role
        self.name = name
        self.agent = agent
        self.world = None
        self.winner = None

    def hear(self, line):
        """Answers a message that begins with a line. False at the end of the game."""
        if line == "wor\\":
            self.world = _read_world()
            self.informs()
        elif line == "from\\":
            self.announced()
        elif line == "nowinner:" or line.startswith("winner: "):
            self.winner = None if line == "nowinner:" else line.split(" ")[1]
            self.tally()
        elif line == "nottelling:":
            self.robber_orders(None)
        elif line == "ofc\\":
            self.robber_orders([bot for bot, in _section("ofc")])
        elif line == "accused:":
            log("accused rightly: the game goes on without this cop")
        return line != "game-over"

    def informs(self):
        if self.world["world"] == 200:
            return
        if self.role == "robber" and "twist" not in self.world:
            _say("mov: %s robber" % _robber_move(self.agent.move(self.world, None))["loc"])
            return
        told = self.call("inform", self.world)
        _say("inf\\", *("inf: %(bot)s %(loc)s %(ptype)s %(world)d %(certainty)d" % each for each in told), "inf/")

    def announced(self):
        kind, blocks = _read_from()
        if kind == "inf":
            plan = self.call("plan", blocks, self.world)
            _say("plan\\", *("plan: %(bot)s %(loc)s %(ptype)s %(world)d" % each for each in plan), "plan/")
        else:
            ballot = self.call("vote", blocks, self.world) or [each["bot"] for each in blocks]
            _say("vote\\", *("vote: " + bot for bot in ballot), "vote/")

    def tally(self):
        if self.role == "robber":
            asks = hasattr(self.agent, "bribe") and self.agent.bribe(self.winner, self.world)
            _say("bribe:" if asks else "nobribe:")
        elif self.world["world"] % 2 == 1:
            orders = self.agent.move(self.winner, self.world)
            if not isinstance(orders, dict):
                raise TypeError("move of the cop must return {'loc': ..., 'ptype': ...}, and returned %r" % (orders,))
            moves = self.moves_of(orders)
            lines = ["mov: %(loc)s %(ptype)s %(bot)s" % each for each in moves]
            if "twist" not in self.world:
                _say("mov: %(loc)s %(ptype)s" % moves[0])
            elif self.name in self.world["twist"]["dirty"]:
                _say("mov\\", *lines, "mov/")
            else:
                accused = ["acc: " + bot for bot in orders.get("accuse", [])]
                market = orders.get("market", "straight-arrow") + ":"
                _say("cmov\\", market, "mov\\", *lines, "mov/", "acc\\", *accused, "acc/", "cmov/")

    def moves_of(self, orders):
        if "moves" in orders:
            return orders["moves"]
        return [{"bot": self.name, "loc": orders["loc"], "ptype": orders["ptype"]}]

    def orders_as_saved(self, orders):
        if "twist" not in self.world:
            return {"type": "move", "loc": orders["loc"], "ptype": orders["ptype"]}
        is_dirty = self.name in self.world["twist"]["dirty"]
        return {
            "type": "orders",
            "market": None if is_dirty else orders.get("market", "straight-arrow"),
            "moves": self.moves_of(orders),
            "accuse": [] if is_dirty else orders.get("accuse", []),
        }

    def robber_orders(self, offers):
        move = _robber_move(self.agent.move(self.world, offers))
        lines = ["mov: %s robber %s" % (move["loc"], self.name)]
        if "push" in move:
            lines.append("psh: %(bot)s %(loc)s" % move["push"])
        elif "choose" in move:
            lines += ["chc\\", *("chc: " + bot for bot in move["choose"]), "chc/"]
        else:
            lines.append("nobribe:")
        _say("rmov\\", *lines, "rmov/")

    def call(self, method, *given):
        return (getattr(self.agent, method)(*given) or []) if hasattr(self.agent, method) else []


def _robber_move(move):
    if not isinstance(move, (str, dict)):
        raise TypeError("move of the robber must return a corner or {'loc': ...}, and returned %r" % (move,))
    return {"loc": move} if isinstance(move, str) else move


def _say(*lines):
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def _read():
    line = sys.stdin.readline()
    if line == "":
        sys.exit(0)
    return line.rstrip("\r\n")


def _value(name):
    """The rest of a line that begins with a name."""
    word, rest = _read().split(" ", 1)
    assert word == name + ":", word
    return rest


def _section(name, first=None):
    """The values of each line of a section; `first`: its first line, if it is not read yet."""
    assert first is None or _read() == first
    lines = []
    while True:
        line = _read()
        if line == name + "/":
            return lines
        lines.append(line.split(" ")[1:])


def _read_game(line):
    assert line == "wsk\\", line
    game = {"name": _value("name"), "robber": _value("robber"), "cops": []}
    line = _read()
    while line != "nod\\":
        game["cops"].append(line.split(" ")[1])
        line = _read()
    game["nodes"] = [{"loc": loc, "tag": tag, "x": int(x), "y": int(y)} for loc, tag, x, y in _section("nod")]
    game["edges"] = [{"from": a, "to": b, "type": kind} for a, b, kind in _section("edg", "edg\\")]
    assert _read() == "wsk/"
    return game


def _read_world():
    world = {"world": int(_value("wor")), "loot": int(_value("rbd"))}
    line = _read()
    if line == "dc\\":
        world["twist"] = {
            "dirty": [brain for brain, in _section("dc")],
            "control": [{"brain": brain, "bot": bot} for brain, bot in _section("sc", "sc\\")],
            "accusations": [
                {"accuser": accuser, "accused": accused, "world": int(when)}
                for accuser, accused, when in _section("fac", "fac\\")
            ],
        }
        line = _read()
    assert line == "bv\\", line
    world["banks"] = [{"loc": loc, "value": int(value)} for loc, value in _section("bv")]
    world["evidence"] = [{"loc": loc, "world": int(when)} for loc, when in _section("ev", "ev\\")]
    world["smell"] = int(_value("smell"))
    world["players"] = [{"bot": bot, "loc": loc, "ptype": ptype} for bot, loc, ptype in _section("pl", "pl\\")]
    assert _read() == "wor/"
    return world


def _read_from():
    """The announcements of all cops: inf or plan, and the blocks by their authors."""
    kind, blocks = "inf", []
    while True:
        line = _read()
        if line == "from/":
            return kind, blocks
        bot = line.split(" ")[1]
        kind = _read().rstrip("\\")
        fields = ("bot", "loc", "ptype", "world", "certainty")
        told = [dict(zip(fields, values)) for values in _section(kind)]
        for each in told:
            each["world"] = int(each["world"])
            if "certainty" in each:
                each["certainty"] = int(each["certainty"])
        blocks.append({"bot": bot, "informs" if kind == "inf" else "plan": told})
