"""A simple referee of Cops & Robbers: carries words between six programs, without rules, time limits or a history.

Usage: cops-referee.py MAP WORLDS PROGRAM. Plays one game with PROGRAM ROLE NAME as robber and as five cops on foot.
"""

import subprocess
import sys

ROLES = ["robber"] + ["cop-foot"] * 5

with open(sys.argv[1]) as file:
    town = file.read().splitlines()
worlds = int(sys.argv[2])


class Bot:
    def __init__(self, seat):
        self.role = ROLES[seat]
        self.process = subprocess.Popen(
            [sys.argv[3], self.role, "Bot"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.name = f"Bot{seat}"
        self.hear()

    def say(self, text):
        self.process.stdin.write(text)
        self.process.stdin.flush()

    def hear(self):
        """A line, or the lines from one that ends with a backslash to the one that closes it."""
        line = self.process.stdout.readline()
        if line == "":
            sys.exit(f"{self.name} has left.")
        if not line.endswith("\\\n"):
            return line
        lines = [line]
        end = line.replace("\\", "/")
        while lines[-1] != end:
            lines.append(self.process.stdout.readline())
        return "".join(lines)


def say_to_all(bots, text):
    for bot in bots:
        bot.say(text)


def hear_from_all(bots):
    """The messages of all, as a block for each."""
    heard = [(bot, bot.hear()) for bot in bots]
    return "from\\\n" + "".join(f"from: {bot.name}\n{text}" for bot, text in heard) + "from/\n"


def world_text(world, places):
    players = "".join(f"pl: {bot.name} {place} {bot.role}\n" for bot, place in places)
    return f"wor\\\nwor: {world}\nrbd: 0\nbv\\\nbv/\nev\\\nev/\nsmell: 0\npl\\\n{players}pl/\nwor/\n"


bots = [Bot(seat) for seat in range(6)]
robber, cops = bots[0], bots[1:]
streets = town[town.index("nod\\") :]
start = next(line.split()[1] for line in streets if line.startswith("nod:"))
names = f"robber: {robber.name}\n" + "".join(f"cop: {cop.name}\n" for cop in cops)
for bot in bots:
    bot.say(f"wsk\\\nname: {bot.name}\n{names}" + "\n".join(streets) + "\n")
place = {bot: start for bot in bots}
for world in range(1, worlds + 1):
    if world % 2 == 0:
        robber.say(world_text(world, [(robber, place[robber])]))
        place[robber] = robber.hear().split()[1]
        continue
    say_to_all(cops, world_text(world, [(cop, place[cop]) for cop in cops]))
    say_to_all(cops, hear_from_all(cops))
    say_to_all(cops, hear_from_all(cops))
    ballots = [cop.hear() for cop in cops]
    say_to_all(cops, f"winner: {ballots[0].split()[2]}\n")
    for cop in cops:
        place[cop] = cop.hear().split()[1]
say_to_all(bots, "game-over\n")
for bot in bots:
    bot.process.wait()
