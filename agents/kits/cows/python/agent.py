"""A team whose herders wander about. One object plays all of them, so each knows what the others have seen. The last methods
choose where a herder goes: start there."""

from math import floor, sqrt

from cows import play_cows
from messages import Action, Perception, Start

# Moves by the change of x and y. x grows to the east, y to the south.
MOVES = {
    (0, -1): "north",
    (1, -1): "northeast",
    (1, 0): "east",
    (1, 1): "southeast",
    (0, 1): "south",
    (-1, 1): "southwest",
    (-1, 0): "west",
    (-1, -1): "northwest",
}


class Herders:
    def __init__(self, start: Start):
        self.width = start["width"]
        self.height = start["height"]
        corral = start["corral"]
        self.home = ((corral["x0"] + corral["x1"]) / 2, (corral["y0"] + corral["y1"]) / 2)  # the middle of the corral
        self.cows = {}  # places and steps of cows that somebody has seen lately, by their names
        self.chosen = {}  # the name of the cow that each herder drives

    def act(self, body: int, perception: Perception) -> Action:
        self.look(perception)
        return self.walk(perception, self.goal(body, perception))

    def look(self, perception: Perception):
        """Remembers the cows that a herder sees, and forgets those that are not where they were."""
        x, y, step = perception["x"], perception["y"], perception["step"]
        cells = [(x + cell["x"], y + cell["y"], cell) for cell in perception["cells"]]
        seen = {(x, y) for x, y, cell in cells if "unknown" not in cell}
        for name, (place, when) in list(self.cows.items()):
            if place in seen or step - when > 30:
                del self.cows[name]
        for x, y, cell in cells:
            if "cow" in cell:
                self.cows[cell["cow"]] = ((x, y), step)

    def walk(self, perception: Perception, goal) -> Action:
        """The move to the best free cell on the way to a goal; the first of equals."""
        x, y = perception["x"], perception["y"]
        best, most = "skip", None
        if (x, y) == goal:
            return best
        for cell in perception["cells"]:
            move = MOVES.get((cell["x"], cell["y"]))
            if move is None or "cow" in cell or "agent" in cell or "obstacle" in cell:
                continue
            worth = self.worth((x + cell["x"], y + cell["y"]), goal)
            if most is None or worth > most:
                best, most = move, worth
        return best

    def distance(self, a, b):
        """The distance between two places in a straight line."""
        return sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)

    def beyond(self, place, distance):
        """The place beyond a cow, seen from home, at a distance."""
        length = self.distance(place, self.home)
        return tuple(floor(a + (a - b) * distance / length + 0.5) for a, b in zip(place, self.home))

    def somewhere(self, body, step):
        """A place to explore: a different one for each herder, and every 20 steps."""
        number = 7 * body + step // 20
        return 13 * number % self.width, 29 * number % self.height

    def worth(self, place, goal):
        """A herder's rating of a place on the way to its goal."""
        return -self.distance(place, goal)

    def choose(self, body, me):
        """The name of the cow that a herder drives."""

        def way(name):
            place = self.cows[name][0]
            return self.distance(me, place) + self.distance(place, self.home)

        self.chosen[body] = min(self.cows, key=way, default=None)
        return self.chosen[body]

    def goal(self, body, perception):
        """The place that a herder heads for."""
        return self.somewhere(body, perception["step"])


play_cows(Herders)
