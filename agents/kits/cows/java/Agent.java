import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A team whose herders wander about. One object plays all of them, so each knows what the others have seen. The last methods choose
 * where a herder goes: start there.
 */
final class Agent {
    /** A column and a row. x grows to the east, y to the south. */
    record Place(double x, double y) {}

    /** The place and the time at which a cow was seen. */
    record Sighting(Place at, int step) {}

    final int width;
    final int height;
    final Place home; // the middle of the corral
    final Map<String, Sighting> cows = new LinkedHashMap<>(); // cows that somebody has seen lately, by their names
    final Map<Integer, String> chosen = new HashMap<>(); // the name of the cow that each herder drives

    Agent(Start start) {
        width = start.width();
        height = start.height();
        var corral = start.corral();
        home = new Place((corral.x0() + corral.x1()) / 2.0, (corral.y0() + corral.y1()) / 2.0);
    }

    /** The action of a herder. */
    Action act(int body, Perception perception) {
        look(perception);
        return walk(perception, goal(body, perception));
    }

    /** Remembers the cows that a herder sees, and forgets those that are not where they were. */
    void look(Perception perception) {
        var seen = new HashSet<Place>();
        for (var cell : perception.cells()) if (!cell.unknown()) seen.add(placeOf(perception, cell));
        cows.values().removeIf(cow -> seen.contains(cow.at()) || perception.step() - cow.step() > 30);
        for (var cell : perception.cells())
            if (cell.cow() != null) cows.put(cell.cow(), new Sighting(placeOf(perception, cell), perception.step()));
    }

    static Place placeOf(Perception perception, Cell cell) {
        return new Place(perception.x() + cell.x(), perception.y() + cell.y());
    }

    /** The action that moves a herder to a cell beside it; null: it is not beside it. */
    static Action moveTo(Cell cell) {
        if (Math.abs(cell.x()) > 1 || Math.abs(cell.y()) > 1) return null;
        return new Action[][] {
            {Action.NORTHWEST, Action.NORTH, Action.NORTHEAST},
            {Action.WEST, null, Action.EAST},
            {Action.SOUTHWEST, Action.SOUTH, Action.SOUTHEAST},
        }[cell.y() + 1][cell.x() + 1];
    }

    /** The move to the best free cell on the way to a goal; the first of equals. */
    Action walk(Perception perception, Place goal) {
        var best = Action.SKIP;
        double most = Double.NEGATIVE_INFINITY;
        if (new Place(perception.x(), perception.y()).equals(goal)) return best;
        for (var cell : perception.cells()) {
            var move = moveTo(cell);
            if (move == null || cell.cow() != null || cell.agent() != null || cell.obstacle()) continue;
            double worth = worth(placeOf(perception, cell), goal);
            if (worth > most) {
                best = move;
                most = worth;
            }
        }
        return best;
    }

    /** The distance between two places in a straight line. */
    double distance(Place a, Place b) {
        return Math.sqrt((a.x() - b.x()) * (a.x() - b.x()) + (a.y() - b.y()) * (a.y() - b.y()));
    }

    /** The place beyond a cow, seen from home, at a distance. */
    Place beyond(Place place, double distance) {
        double length = distance(place, home);
        return new Place(
            Math.floor(place.x() + ((place.x() - home.x()) * distance) / length + 0.5),
            Math.floor(place.y() + ((place.y() - home.y()) * distance) / length + 0.5));
    }

    /** A place to explore: a different one for each herder, and every 20 steps. */
    Place somewhere(int body, int step) {
        int number = 7 * body + step / 20;
        return new Place((13 * number) % width, (29 * number) % height);
    }

    /** A herder's rating of a place on the way to its goal. */
    double worth(Place place, Place goal) {
        return -distance(place, goal);
    }

    /** The name of the cow that a herder drives; null: it knows none. */
    String choose(int body, Place me) {
        String best = null;
        double least = Double.POSITIVE_INFINITY;
        for (var cow : cows.entrySet()) {
            var at = cow.getValue().at();
            double way = distance(me, at) + distance(at, home);
            if (way < least) {
                best = cow.getKey();
                least = way;
            }
        }
        chosen.put(body, best);
        return best;
    }

    /** The place that a herder heads for. */
    Place goal(int body, Perception perception) {
        return somewhere(body, perception.step());
    }
}
