"""A second referee of Cops & Robbers, written from the texts of 2005 alone and without the game's own code.

Reads recorded games as lines of JSON from stdin: what passed between the server (S) and the programs (C), by seat. It plays each game
again from what the programs said, and compares every byte that the server sent, and the scores. Prints one object with counts of what
happened in the games, or what differs first.
"""
import json
import re
import sys
from fractions import Fraction

COPS = range(1, 6)


class Refused(Exception):
    """A message is malformed or illegal."""


class Differs(Exception):
    """The recorded game is not what this referee would have done."""


class Lines:
    """The lines of a message, read one after the other (section 3.2)."""

    def __init__(self, text):
        if not text.endswith("\n"):
            raise Refused("no end of line")
        self.lines = [line[:-1] if line.endswith("\r") else line for line in text[:-1].split("\n")]
        self.at = 0

    def peek(self):
        return self.lines[self.at] if self.at < len(self.lines) else ""

    def next(self):
        if self.at >= len(self.lines):
            raise Refused("too short")
        self.at += 1
        return self.lines[self.at - 1]

    def literal(self, text):
        if self.next() != text:
            raise Refused("expected " + text)

    def words(self, word, kinds):
        return words_of(self.next(), word, kinds)

    def section(self, name, kinds):
        self.literal(name + "\\")
        rows = []
        while self.peek() != name + "/":
            rows.append(self.words(name + ":", kinds))
        self.next()
        if len(rows) > 1000:
            raise Refused("too many lines")
        return rows

    def end(self):
        if self.at != len(self.lines):
            raise Refused("too long")


def words_of(line, word, kinds):
    """kinds: n a name, p a ptype, w a world, c a certainty (section 3.2.1)."""
    first, *tokens = re.split("[ \t]", line)
    if first != word or len(tokens) != len(kinds):
        raise Refused(line)
    return [token_of(kind, token) for kind, token in zip(kinds, tokens)]


def token_of(kind, token):
    if len(token) > 100 or not re.fullmatch("[-a-zA-Z0-9_#()]+", token):
        raise Refused(token)
    if kind == "n":
        return token
    if kind == "p":
        if token not in ("cop-foot", "cop-car", "robber"):
            raise Refused(token)
        return token
    if not re.fullmatch("[0-9]+" if kind == "w" else "-?[0-9]+", token):
        raise Refused(token)
    least, most = (0, 200) if kind == "w" else (-100, 100)
    if not least <= int(token) <= most:
        raise Refused(token)
    return int(token)


def section(name, rows):
    return name + "\\\n" + "".join(name + ": " + row + "\n" for row in rows) + name + "/\n"


def elect(candidates, ballots):
    """The nine steps of section 2.3.2; None: there is no winner."""
    running = set(candidates)
    while running and any(ballots):
        if len(running) == 1:
            return next(iter(running))
        count = {x: sum(1 for ballot in ballots if ballot and ballot[0] == x) for x in running}
        top = {x for x in running if count[x] == max(count.values())}
        if top == running:
            ballots = [ballot[1:] for ballot in ballots]
        running = top
        ballots = [[x for x in ballot if x in running] for ballot in ballots]
        ballots = [ballot for ballot in ballots if ballot]
    return None


class Game:
    def __init__(self, recorded):
        config = recorded["config"]
        self.twist = config["rules"] == "2005-twist"
        self.last = config["lastWorld"]
        still = config["illegal"] == "stands-still"
        self.stands_still = [still or seat > 5 - config["mcgruffs"] for seat in range(6)]
        self.log = recorded["log"]
        self.at = [0] * 6
        self.disqualified = set()
        self.read_map(config["map"])
        self.robber = self.start
        self.pos = [None] + [self.hq] * 5
        self.mode = ["cop-foot"] * 6
        self.controller = list(range(6))
        self.vaults = {bank: 1000 for bank in self.banks}
        self.loot = self.push_costs = 0
        self.transfers, self.evidence = [], []
        self.given = {bot: [] for bot in COPS}
        self.won, self.won_as_scoundrel, self.waited = [0] * 6, [0] * 6, [0] * 6
        self.dirty, self.listed = {}, {}
        self.out, self.liars, self.catchers = set(), set(), set()
        self.false_accusations, self.bot_found = [], [0] * 6
        self.ignored = self.of_taken = 0
        self.world = 0
        self.end = None

    def read_map(self, text):
        self.nodes, self.edges, self.tag, self.foot, self.car = [], [], {}, {}, {}
        for line in text.split("\n"):
            word, *rest = line.split() or [""]
            if word == "nod:":
                self.nodes.append(rest)
                self.tag[rest[0]] = rest[1]
                self.foot[rest[0]], self.car[rest[0]] = set(), set()
            if word == "edg:":
                a, b, kind = rest
                self.edges.append(rest)
                self.car[a].add(b)
                if kind == "foot":
                    self.foot[a].add(b)
                    self.foot[b].add(a)
        self.hq = next(node for node in self.tag if self.tag[node] == "hq")
        self.start = next(node for node in self.tag if self.tag[node] == "robber-start")
        self.banks = sorted(node for node in self.tag if self.tag[node] == "bank")

    # The dialogue.

    def entry(self, seat):
        if self.at[seat] >= len(self.log[seat]):
            return (None, "")
        self.at[seat] += 1
        return tuple(self.log[seat][self.at[seat] - 1])

    def send(self, seat, text):
        found = self.entry(seat)
        if found != ("S", text):
            raise Differs("world %s, seat %d: sent\n%sand not\n%s %s" % (self.world, seat, text, *found))

    def hear(self, seats, reader):
        """By seat what `reader` makes of its message; None where that counts for nothing. Notes who is disqualified."""
        heard = {}
        for seat in seats:
            who, text = self.entry(seat)
            if who != "C":
                raise Differs("world %s, seat %d was to speak, and not %s %s" % (self.world, seat, who, text))
            try:
                lines = Lines(text)
                heard[seat] = reader(seat, lines)
                lines.end()
            except Refused:
                heard[seat] = None
                if not self.stands_still[seat]:
                    self.disqualified.add(seat)
        if self.disqualified:
            self.end = "disqualified"
        return heard

    def named(self, seats):
        return [self.names[seat] for seat in seats]

    def in_order(self):
        return sorted(COPS, key=lambda seat: self.names[seat])

    def skeleton(self, seat):
        edges = [e for e in self.edges if e[2] == "foot"] + [e for e in self.edges if e[2] == "car"]
        players = "name: %s\nrobber: %s\n" % (self.names[seat], self.names[0])
        players += "".join("cop: %s\n" % name for name in sorted(self.names[1:]))
        nodes = section("nod", map(" ".join, self.nodes))
        return "wsk\\\n" + players + nodes + section("edg", map(" ".join, edges)) + "wsk/\n"

    def smell(self, bot):
        graph, reach = (self.foot, 2) if self.mode[bot] == "cop-foot" else (self.car, 1)
        steps, queue = {self.pos[bot]: 0}, [self.pos[bot]]
        for node in queue:
            if steps[node] < reach:
                for near in graph[node]:
                    if near not in steps:
                        steps[near] = steps[node] + 1
                        queue.append(near)
        return steps.get(self.robber, 0)

    def world_message(self, seat):
        knows = seat == 0 or seat in self.dirty
        text = "wor\\\nwor: %d\nrbd: %d\n" % (self.world, self.loot - (self.push_costs if knows else 0))
        order = self.in_order()
        if self.twist:
            dirty = sorted((each for each in self.dirty if each not in self.out), key=self.dirty.get) if knows else []
            text += section("dc", self.named(dirty))
            text += section("sc", ["%s %s" % (self.names[self.controller[bot]], self.names[bot]) for bot in order if self.controller[bot] != bot])
            text += section("fac", ["%s %s %d" % (self.names[a], self.names[b], world) for a, b, world in self.false_accusations])
        text += section("bv", ["%s %d" % (bank, self.vaults[bank]) for bank in self.banks])
        found, smells = [], [0]
        if seat != 0 and self.world % 2 == 1:
            own = [bot for bot in COPS if self.controller[bot] == seat]
            found = ["%s %d" % piece for bot in own for piece in self.given[bot]]
            smells = [smell for smell in map(self.smell, own) if smell > 0] or [0]
        players = [(self.names[bot], self.pos[bot], self.mode[bot]) for bot in COPS]
        if knows or self.tag[self.robber] == "bank":
            players.append((self.names[0], self.robber, "robber"))
        text += section("ev", found) + "smell: %d\n" % min(smells)
        return text + section("pl", ["%s %s %s" % player for player in sorted(players)]) + "wor/\n"

    def rounds(self, seats):
        """Informs, plans and votes of these seats; the winner's seat, or None. Sends no tally."""
        for seat in seats:
            self.send(seat, self.world_message(seat))
        for name, kinds in (("inf", "nnpwc"), ("plan", "nnpw")):
            said = self.hear(seats, lambda _, lines: lines.section(name, kinds))
            if self.end:
                return None
            blocks = ["from: %s\n" % self.names[seat] + section(name, [" ".join(map(str, row)) for row in said[seat] or []]) for seat in seats]
            for seat in seats:
                self.send(seat, "from\\\n" + "".join(blocks) + "from/\n")

        def ballot(_, lines):
            listed = [name for [name] in lines.section("vote", "n")]
            if sorted(listed) != sorted(self.named(seats)):
                raise Refused("not a ballot")
            return listed

        ballots = self.hear(seats, ballot)
        elected = elect(self.named(seats), [ballots[seat] for seat in seats if ballots[seat] is not None])
        return None if elected is None else self.names.index(elected)

    def tally(self, seats, winner):
        for seat in seats:
            self.send(seat, "nowinner:\n" if winner is None else "winner: %s\n" % self.names[winner])

    def check_move(self, origin, to, mode, before):
        """A move by the new mode, which differs from the one before only at the hq."""
        if to not in self.tag or mode != before and origin != self.hq:
            raise Refused("illegal move")
        if to != origin and to not in (self.car if mode == "cop-car" else self.foot)[origin]:
            raise Refused("no street")

    def robber_move(self, to, ptype):
        if ptype != "robber":
            raise Refused("not a robber")
        self.check_move(self.robber, to, "robber", "robber")

    # The game.

    def play(self):
        def registration(seat, lines):
            name, ptype = lines.words("reg:", "np")
            if (ptype == "robber") != (seat == 0):
                raise Refused("another role")
            return name, ptype

        said = self.hear(range(6), registration)
        self.names = []
        for seat in range(6):
            wanted = said[seat][0] if said[seat] else "Robber" if seat == 0 else "Cop%d" % seat
            name, ending = wanted, str(seat)
            while name in self.names:
                name = wanted[: 100 - len(ending)] + ending
                ending += "-%d" % seat
            self.names.append(name)
            if said[seat]:
                self.mode[seat] = said[seat][1]
        if not self.end:
            for seat in range(6):
                self.send(seat, self.skeleton(seat))
        while not self.end:
            if self.world >= self.last:
                self.end = "escaped"
                self.send(0, self.world_message(0))
            elif self.world % 2 == 0:
                self.robbers_world()
            else:
                self.cops_world()
        for seat in range(6):
            if seat not in self.out:
                self.send(seat, "game-over\n")
            if self.at[seat] != len(self.log[seat]):
                raise Differs("seat %d: too much was said" % seat)

    def robbers_world(self):
        to, push, bribes = self.twisted_orders() if self.twist else self.plain_move()
        if self.end:
            return
        for seat in bribes:
            self.dirty[seat] = len(self.dirty)
        for seat in self.listed:
            if seat not in self.dirty:
                self.waited[seat] += 1
        if push:
            self.pos[push[0]] = push[1]
            self.push_costs += 50
        self.robbers_turn(to)

    def plain_move(self):
        def move(_, lines):
            to, ptype = lines.words("mov:", "np")
            self.robber_move(to, ptype)
            return to

        self.send(0, self.world_message(0))
        return self.hear([0], move)[0] or self.robber, None, []

    def twisted_orders(self):
        stays = (self.robber, None, [])
        seats = [0] + [seat for seat in COPS if seat in self.dirty and seat not in self.out]
        winner = self.rounds(seats)
        if self.end:
            return stays
        winner = 0 if winner is None else winner
        self.won_as_scoundrel[winner] += 1
        self.tally(seats, winner)

        def question(_, lines):
            word = lines.next()
            if word not in ("bribe:", "nobribe:") or word == "bribe:" and self.loot - self.push_costs < 50:
                raise Refused(word)
            return word == "bribe:"

        asks = self.hear([0], question)[0] is True
        if self.end:
            return stays
        market = [seat for seat in COPS if seat in self.listed and seat not in self.dirty]
        self.send(0, section("ofc", self.named(market)) if asks else "nottelling:\n")

        def orders(_, lines):
            lines.literal("rmov\\")
            to, ptype, bot = lines.words("mov:", "npn")
            push = chosen = None
            if lines.peek().startswith("psh:"):
                push = lines.words("psh:", "nn")
            elif lines.peek() == "chc\\":
                chosen = [name for [name] in lines.section("chc", "n")]
            else:
                lines.literal("nobribe:")
            lines.literal("rmov/")
            if bot != self.names[0]:
                raise Refused("not its bot")
            self.robber_move(to, ptype)
            # Nobody is listed, and nobody ever was.
            if (push is not None) != (asks and not self.listed):
                raise Refused("a push is compulsory, or illegal")
            if push is not None:
                pushed = self.names.index(push[0], 1) if push[0] in self.names[1:] else None
                if pushed is None or push[1] == self.pos[pushed]:
                    raise Refused("nobody is pushed")
                self.check_move(self.pos[pushed], push[1], self.mode[pushed], self.mode[pushed])
                return to, (pushed, push[1]), []
            names = chosen or []
            if chosen is not None and not asks or len(set(names)) < len(names) or not set(names) <= set(self.named(market)):
                raise Refused("not offered")
            return to, None, [self.names.index(name) for name in names]

        return self.hear([0], orders)[0] or stays

    def robbers_turn(self, to):
        """Section 2.3.1."""
        world = self.world
        if world >= 8 and world % 8 == 0:
            self.evidence.append((self.robber, world))
        self.evidence = [piece for piece in self.evidence if piece[1] != world - 24]
        self.robber = to
        self.world += 1
        if self.is_caught():
            return
        if self.tag[to] == "bank":
            self.loot += self.vaults[to]
            self.vaults[to] = 0
            self.transfers.append((world + 8, to))
        for when, bank in self.transfers:
            if when == world:
                before = dict(self.vaults)
                for other in self.banks:
                    # Towards zero.
                    given = int(Fraction(before[other] - before[bank], 6))
                    self.vaults[other] -= given
                    self.vaults[bank] += given
        collected = set()
        for bot in COPS:
            clean = self.controller[bot] not in self.dirty
            self.given[bot] = [piece for piece in self.evidence if clean and piece[0] == self.pos[bot]]
            self.bot_found[bot] += len(self.given[bot])
            collected.update(self.given[bot])
        self.evidence = [piece for piece in self.evidence if piece not in collected]

    def is_caught(self):
        self.catchers = {self.controller[bot] for bot in COPS if self.pos[bot] == self.robber}
        if self.catchers:
            self.end = "caught"
        return bool(self.catchers)

    def cops_world(self):
        seats = [seat for seat in COPS if seat not in self.out]
        winner = self.rounds(seats)
        if self.end:
            return
        if winner is not None:
            self.won[winner] += 1
        self.tally(seats, winner)
        said = self.hear(seats, self.orders if self.twist else self.move)
        if self.end:
            return
        decided = {seat: said[seat] for seat in seats if said[seat] is not None}
        for moves, _, _ in decided.values():
            for bot, (to, mode) in moves.items():
                self.pos[bot], self.mode[bot] = to, mode
        for seat, (_, lists, _) in decided.items():
            if lists:
                self.listed.setdefault(seat, self.world)
        self.is_caught()
        if self.twist:
            self.accuse({seat: accused for seat, (_, _, accused) in decided.items()})
        self.given = {bot: [] for bot in COPS}
        self.world += 1

    def move(self, seat, lines):
        to, ptype = lines.words("mov:", "np")
        self.cop_move(seat, to, ptype)
        return {seat: (to, ptype)}, False, []

    def cop_move(self, bot, to, ptype):
        if ptype == "robber":
            raise Refused("not a cop")
        self.check_move(self.pos[bot], to, ptype, self.mode[bot])

    def orders(self, seat, lines):
        clean = seat not in self.dirty
        market, accused, moves = "", [], {}
        if clean:
            lines.literal("cmov\\")
            market = lines.next()
            if market not in ("turncoat:", "straight-arrow:"):
                raise Refused(market)
        for to, ptype, name in lines.section("mov", "npn"):
            bot = self.names.index(name, 1) if name in self.names[1:] else None
            if bot is None or self.controller[bot] != seat or bot in moves:
                raise Refused("not its bot")
            self.cop_move(bot, to, ptype)
            moves[bot] = (to, ptype)
        if set(moves) != {bot for bot in COPS if self.controller[bot] == seat}:
            raise Refused("a bot is left out")
        if clean:
            accused = [name for [name] in lines.section("acc", "n")]
            lines.literal("cmov/")
        if not set(accused) <= set(self.names[1:]):
            raise Refused("nobody to accuse")
        # The name of a bot means whoever controls it now.
        self.of_taken += sum(1 for name in accused if self.controller[self.names.index(name)] != self.names.index(name))
        return moves, market == "turncoat:", [self.controller[self.names.index(name)] for name in accused]

    def accuse(self, lists):
        """In world 1 the first cop of the skeleton is heard first, in world 3 the second one, and so on."""
        order = self.in_order()
        first = (self.world - 1) // 2 % 5
        dirty, out_before = set(self.dirty), set(self.out)
        for accuser in order[first:] + order[:first]:
            for accused in lists.get(accuser, []):
                if accuser in self.liars:
                    self.ignored += 1
                    break
                if accused not in dirty:
                    self.liars.add(accuser)
                    self.false_accusations.append((accuser, accused, self.world))
                elif accused not in self.out:
                    self.out.add(accused)
                    self.controller = [accuser if each == accused else each for each in self.controller]
        for seat in sorted(self.out - out_before):
            self.send(seat, "accused:\n")

    def scores(self):
        """Section 2.4 and the second rule set; by seat."""
        scores = [Fraction(0)] * 6
        if self.end == "disqualified":
            return scores
        clean = [seat for seat in COPS if seat not in self.dirty]
        dirty = [seat for seat in COPS if seat in self.dirty and seat not in self.out]
        if self.end == "caught":
            for bot in COPS:
                if self.controller[bot] in clean:
                    scores[self.controller[bot]] += Fraction(sum(self.vaults.values()), 5)
        else:
            loot = self.loot - self.push_costs
            scores[0] += loot - loot // 8 * len(dirty)
            for seat in dirty:
                scores[seat] += loot // 8

        def bonus(seats, count):
            most = max(map(count, seats), default=0)
            leaders = [seat for seat in seats if most > 0 and count(seat) == most]
            for seat in leaders:
                scores[seat] += Fraction(60, len(leaders))

        # The most evidence of a bot, to its controller.
        bonus(clean, lambda seat: max([self.bot_found[bot] for bot in COPS if self.controller[bot] == seat], default=0))
        bonus(clean, lambda seat: self.won[seat])
        bonus(clean, lambda seat: int(self.end == "caught" and seat in self.catchers))
        bonus(dirty, lambda seat: self.won[seat] + self.won_as_scoundrel[seat])
        bonus(dirty, lambda seat: self.dirty[seat] + 1)
        for seat in clean + dirty:
            # World 200 is an even world, too, in which whoever is bribable is not chosen.
            is_bribable = self.end == "escaped" and seat in self.listed and seat in clean
            scores[seat] += (self.waited[seat] + is_bribable) // 2
        for seat in self.liars - self.out:
            scores[seat] -= min(scores[seat], -(-scores[seat] / 2 // 1))
        return scores


def main():
    counts = {}
    for number, line in enumerate(sys.stdin):
        recorded = json.loads(line)
        game = Game(recorded)
        try:
            game.play()
            mine = (game.end, game.world, sorted(game.disqualified), [score * 10 for score in game.scores()])
            theirs = (recorded["end"], recorded["world"], recorded["removed"], recorded["scores"])
            if mine != theirs:
                raise Differs("the result is %s and not %s" % (theirs, mine))
        except Differs as difference:
            sys.exit("Game %d: %s" % (number, difference))
        happened = {
            "games": 1,
            game.end: 1,
            "worlds": game.world,
            "thefts": len(game.transfers),
            "evidence": sum(game.bot_found),
            "elections": sum(game.won),
            "bribed": len(game.dirty),
            "pushes": game.push_costs // 50,
            "accused": len(game.out),
            "liars": len(game.liars),
            "accusations that are ignored": game.ignored,
            "accusations of taken bots": game.of_taken,
        }
        for what, count in happened.items():
            counts[what] = counts.get(what, 0) + count
    print(json.dumps(counts))


main()
