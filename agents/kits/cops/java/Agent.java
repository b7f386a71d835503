import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** A robber and a cop that wander about. The last methods of each class make the decisions: start there. */
final class Agent {
    /** The name of the robber and of the cops, and how cops begin. */
    static final String NAME = "Fox";
    static final Ptype STARTS = Ptype.COP_FOOT;

    private Agent() {}

    /** The element with the best rating, the first of equals. */
    static String best(Iterable<String> corners, ToDoubleFunction<String> rate) {
        String best = null;
        double most = 0;
        for (var corner : corners) {
            double rating = rate.applyAsDouble(corner);
            if (best == null || rating > most) {
                best = corner;
                most = rating;
            }
        }
        return best;
    }

    static Player playerOf(World world, String bot) {
        return world.players().stream().filter(player -> player.bot().equals(bot)).findFirst().orElseThrow();
    }

    /** The map from the point of view of a player that moves on it. */
    static final class Town {
        /** The corners next to each corner, itself first, on foot and by car. */
        final Map<String, Set<String>> foot = new HashMap<>();
        final Map<String, Set<String>> car = new HashMap<>();
        private final Map<String, Map<String, Integer>> known = new HashMap<>();

        Town(Skeleton game) {
            for (var node : game.nodes()) {
                foot.put(node.loc(), new LinkedHashSet<>(List.of(node.loc())));
                car.put(node.loc(), new LinkedHashSet<>(List.of(node.loc())));
            }
            for (var edge : game.edges()) {
                car.get(edge.from()).add(edge.to());
                if (edge.type() == EdgeType.FOOT) {
                    foot.get(edge.from()).add(edge.to());
                    foot.get(edge.to()).add(edge.from());
                }
            }
        }

        /** The corners that a player can be on after a move. Standing still is a move. */
        Set<String> next(String loc, Ptype ptype) {
            return (ptype == Ptype.COP_CAR ? car : foot).get(loc);
        }

        /** The number of moves to each corner. */
        Map<String, Integer> moves(String start, Ptype ptype) {
            return known.computeIfAbsent(ptype.text + " " + start, key -> {
                var found = new LinkedHashMap<String, Integer>(Map.of(start, 0));
                var queue = new ArrayList<String>(List.of(start));
                for (int at = 0; at < queue.size(); at++)
                    for (var to : next(queue.get(at), ptype))
                        if (found.putIfAbsent(to, found.get(queue.get(at)) + 1) == null) queue.add(to);
                return found;
            });
        }
    }

    /** The robber of a match. */
    static final class Robber {
        final String name;
        final Town town;

        Robber(Skeleton game) {
            name = game.name();
            town = new Town(game);
        }

        /** The corner to go to. */
        String move(World world) {
            var here = playerOf(world, name).loc();
            return best(town.next(here, Ptype.ROBBER), corner -> worth(corner, world));
        }

        /** The number of moves from the nearest cop to a corner. */
        double safety(String corner, World world) {
            return world.players().stream()
                .filter(player -> !player.bot().equals(name))
                .map(cop -> town.moves(cop.loc(), cop.ptype()).get(corner))
                .filter(moves -> moves != null)
                .mapToDouble(moves -> moves)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        }

        /** The robber's rating of a corner; it moves to the best one. */
        double worth(String corner, World world) {
            return (corner.length() + world.world()) % 7;
        }
    }

    /** A cop of a match. */
    static final class Cop {
        final String name;
        final String robber;
        final int number; // which of the five cops it is, from 0
        final List<String> banks;
        final Town town;
        Set<String> suspects = new LinkedHashSet<>(); // the corners where the robber may be

        Cop(Skeleton game) {
            name = game.name();
            robber = game.robber();
            number = game.cops().indexOf(name);
            town = new Town(game);
            banks = game.nodes().stream().filter(node -> node.tag() == NodeTag.BANK).map(Node::loc).toList();
            for (var node : game.nodes()) if (node.tag() == NodeTag.ROBBER_START) suspects.add(node.loc());
        }

        /** Called after the robber's move: works out where it may be, and informs the other cops. */
        List<Inform> inform(World world) {
            var near = new LinkedHashSet<String>();
            for (var loc : suspects) near.addAll(town.next(loc, Ptype.ROBBER));
            suspects = new LinkedHashSet<>();
            for (var player : world.players()) if (player.bot().equals(robber)) suspects.add(player.loc());
            if (suspects.isEmpty()) for (var corner : near) if (suspect(corner, world)) suspects.add(corner);
            if (suspects.isEmpty()) suspects = near;
            return tell(near.stream().filter(corner -> !suspects.contains(corner)).toList(), world);
        }

        /** Receives the reports of all cops. Suggests nothing. */
        List<Planned> plan(List<InformsFrom> informs, World world) {
            hear(informs.stream().flatMap(told -> told.informs().stream()).toList());
            return List.of();
        }

        /** The move of the cop. winner: the cop whose plan was elected; null: nobody's. */
        Move move(String winner, World world) {
            var me = playerOf(world, name);
            return new Move(best(town.next(me.loc(), me.ptype()), corner -> hope(corner, world)), me.ptype());
        }

        /** Chooses from the corners without the robber those to report: only its own corner. */
        List<Inform> tell(List<String> corners, World world) {
            var here = playerOf(world, name).loc();
            return corners.contains(here)
                ? List.of(new Inform(robber, here, Ptype.ROBBER, world.world(), -100))
                : List.of();
        }

        /** Uses the reports of all cops: believes the first one that is certain of the robber's corner. */
        void hear(List<Inform> informs) {
            for (var each : informs)
                if (each.bot().equals(robber) && each.certainty() == 100) {
                    suspects = new LinkedHashSet<>(List.of(each.loc()));
                    return;
                }
        }

        /** True if the robber, while nobody sees it, may be on a corner. */
        boolean suspect(String corner, World world) {
            return !corner.equals(playerOf(world, name).loc());
        }

        /** The cop's rating of a corner; it moves to the best one. */
        double hope(String corner, World world) {
            return (corner.length() + world.world()) % 7;
        }
    }
}
