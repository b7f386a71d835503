"""A bot as contestants of 2005 wrote them: reads lines from stdin, writes lines to stdout, knows nothing of Tartaglia.

usage: bot.py ROLE NAME [SEED] [OPTION ...]; ROLE is robber, cop-foot or cop-car.
Options: crlf, tab, twist, turncoat, accuse=NAME, late=WORLD, bad=WORLD, illegal=WORLD, quit=WORLD, noballot=WORLD, bribe, doze=WORLD, slow=SECONDS,
unread=SECONDS, log=FILE
"""
import random
import sys
import time

role, wanted = sys.argv[1], sys.argv[2]
options = dict((o.split("=") + [""])[:2] for o in sys.argv[4:])
rng = random.Random(sys.argv[3] if len(sys.argv) > 3 else "1")
end = "\r\n" if "crlf" in options else "\n"
log = open(options["log"], "w") if "log" in options else None


def say(*lines):
    text = "".join((line.replace(" ", "\t") if "tab" in options else line) + end for line in lines)
    sys.stdout.write(text)
    sys.stdout.flush()


def hear():
    line = sys.stdin.readline()
    if line == "":
        sys.exit(0)
    if log:
        log.write(line)
        log.flush()
    return line.rstrip("\n")


def want(expected):
    line = hear()
    assert line == expected, (line, expected)


def section(name, first=None):
    """The lines of a section; `first`: its first line, if it has been read."""
    assert (first or hear()) == name + "\\"
    lines = []
    while True:
        line = hear()
        if line == name + "/":
            return lines
        word, rest = line.split(" ", 1)
        assert word == name + ":", line
        lines.append(rest.split(" "))


def value(name):
    word, rest = hear().split(" ", 1)
    assert word == name + ":", word
    return rest


say("reg: %s %s" % (wanted, role))
want("wsk\\")
me, robber = value("name"), value("robber")
cops = []
line = hear()
while line != "nod\\":
    cops.append(line.split(" ")[1])
    line = hear()
nodes = section("nod", line)
edges = section("edg")
want("wsk/")
assert cops == sorted(cops) and len(cops) == 5, cops
foot, car = {}, {}
for a, b, kind in edges:
    car.setdefault(a, []).append(b)
    if kind == "foot":
        foot.setdefault(a, []).append(b)
        foot.setdefault(b, []).append(a)
state = {}


def read_world():
    """False at the end of the game."""
    line = hear()
    if line == "game-over":
        sys.exit(0)
    if line == "accused:":
        want("game-over") if "twist" not in options else sys.exit(0)
    assert line == "wor\\", line
    state["world"] = int(value("wor"))
    state["rbd"] = int(value("rbd"))
    if "twist" in options:
        state["dc"] = [each[0] for each in section("dc")]
        state["sc"] = section("sc")
        state["fac"] = section("fac")
    state["bv"] = section("bv")
    assert state["bv"] == sorted(state["bv"]) and len(state["bv"]) == 6
    state["ev"] = section("ev")
    state["smell"] = int(value("smell"))
    state["pl"] = section("pl")
    assert [each[0] for each in state["pl"]] == sorted(each[0] for each in state["pl"])
    want("wor/")
    if at("doze"):
        time.sleep(0.2)


def read_from(block, width):
    want("from\\")
    names = []
    while True:
        line = hear()
        if line == "from/":
            return names
        word, name = line.split(" ")
        assert word == "from:"
        names.append(name)
        assert all(len(each) == width for each in section(block))


def at(option):
    return options.get(option) == str(state["world"])


def place(name):
    return next(each for each in state["pl"] if each[0] == name)


def rounds(my_bots):
    """Informs, plans and votes; the tally."""
    if at("quit"):
        sys.exit(3)
    if at("late"):
        time.sleep(3)
    informs = ["inf: %s %s robber %d -100" % (robber, place(bot)[1], state["world"]) for bot in my_bots]
    time.sleep(float(options.get("slow", 0)))
    if at("bad"):
        informs = ["inf:  two spaces"]
    say("inf\\", *informs, "inf/")
    time.sleep(float(options.get("unread", 0)))
    names = read_from("inf", 5)
    time.sleep(float(options.get("slow", 0)))
    say("plan\\", *["plan: %s %s %s %d" % (bot, place(bot)[1], place(bot)[2], state["world"] + 1) for bot in my_bots], "plan/")
    assert sorted(read_from("plan", 4)) == sorted(names)
    time.sleep(float(options.get("slow", 0)))
    ballot = names[1:] if at("noballot") else sorted(names, key=lambda name: (name != me, rng.random()))
    say("vote\\", *["vote: " + name for name in ballot], "vote/")
    tally = hear()
    assert tally == "nowinner:" or tally.startswith("winner: "), tally


def step(bot):
    _, loc, ptype = place(bot)
    if at("illegal"):
        return "no-such-place", ptype
    ways = car if ptype == "cop-car" else foot
    return rng.choice([loc] + ways.get(loc, [])), ptype


while True:
    read_world()
    if role == "robber":
        if state["world"] == 200:
            continue
        if "twist" not in options:
            say("mov: %s robber" % step(me)[0])
            continue
        rounds([me])
        asks = "bribe" in options and state["rbd"] >= 50
        say("bribe:" if asks else "nobribe:")
        line = hear()
        offers = [] if line == "nottelling:" else [each[0] for each in section("ofc", line)]
        assert asks == (line != "nottelling:")
        deed = ["nobribe:"]
        if offers:
            deed = ["chc\\", "chc: " + offers[0], "chc/"]
        elif asks and not state.get("ever"):
            deed = ["nobribe:"]
            for bot in cops:
                ways = [w for w in (car if place(bot)[2] == "cop-car" else foot).get(place(bot)[1], []) if w != place(bot)[1]]
                if ways:
                    deed = ["psh: %s %s" % (bot, ways[0])]
                    break
        state["ever"] = state.get("ever") or bool(offers)
        say("rmov\\", "mov: %s robber %s" % (step(me)[0], me), *deed, "rmov/")
        continue
    bots = [me] + [bot for brain, bot in state.get("sc", []) if brain == me and bot != me]
    rounds(bots)
    if state["world"] % 2 == 0:
        continue
    time.sleep(float(options.get("slow", 0)))
    if "twist" not in options:
        say("mov: %s %s" % step(me))
        continue
    moves = ["mov: %s %s %s" % (*step(bot), bot) for bot in bots]
    if me in state["dc"]:
        say("mov\\", *moves, "mov/")
        continue
    accused = ["acc: " + options["accuse"]] if "accuse" in options and state["world"] == 51 else []
    say("cmov\\", "turncoat:" if "turncoat" in options else "straight-arrow:", "mov\\", *moves, "mov/", "acc\\", *accused, "acc/", "cmov/")
