import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The other challenges: any predicate, the smallest possible raw material, any solution. The challenge's file defines their form.
 */
final class Others implements Player.Craft {
    private final IntFunction<Map<String, Object>> predicates;
    private final Function<Map<String, Object>, Player.Material> materials;
    private final UnaryOperator<Map<String, Object>> solver;

    private Others(
        IntFunction<Map<String, Object>> predicates,
        Function<Map<String, Object>, Player.Material> materials,
        UnaryOperator<Map<String, Object>> solver) {
        this.predicates = predicates;
        this.materials = materials;
        this.solver = solver;
    }

    @Override
    public boolean isWorth(StoreEntry offer) {
        return random(Agent.ENERGY) >= offer.price();
    }

    @Override
    public Map<String, Object> predicate(int parts) {
        return predicates.apply(parts);
    }

    @Override
    public int price(Map<String, Object> predicate) {
        return random(Agent.ENERGY + 1);
    }

    @Override
    public Player.Material rawMaterial(Map<String, Object> predicate) {
        return materials.apply(predicate);
    }

    @Override
    public Map<String, Object> solve(Map<String, Object> instance) {
        return solver.apply(instance);
    }

    static Player.Craft craft(String challenge, Map<String, Object> given) {
        var limits = new Limits(given);
        return switch (challenge) {
            case "max-sat" -> new Others(limits::types, Others::sat, instance -> values(integer(instance, "variables"), 0, 2));
            case "knapsack" -> new Others(
                parts -> Map.of("weights", limits.some(parts, "maxWeight", 0)),
                predicate -> {
                    int weight = ints(predicate, "weights").get(0);
                    var items = List.of(Map.of("weight", weight, "worth", 1));
                    return material(Map.of("capacity", weight, "items", items), Map.of("packed", List.of(1)));
                },
                Others::pack);
            case "cubic-equations" -> new Others(
                parts -> Map.of("kinds", pick(CUBIC, parts).stream().map(kind -> Map.of("$", kind)).toList()),
                predicate -> {
                    var question = Map.of("kind", objects(predicate, "kinds").get(0), "a", 1L, "b", 1L);
                    Map<String, Object> instance = Map.of("questions", List.of(question));
                    return material(instance, roots(instance));
                },
                Others::roots);
            case "pseudo-boolean" -> new Others(
                limits::shapes, Others::constraint, instance -> values(((List<?>) instance.get("variables")).size(), 0, 2));
            case "travelling-salesman" -> new Others(
                parts -> Map.of("distances", limits.some(parts, "maxDistance", 0)),
                predicate -> {
                    var distances = Collections.nCopies(3, ints(predicate, "distances").get(0));
                    return material(Map.of("cities", 3, "distances", distances), Map.of("tour", upTo(1, 3)));
                },
                instance -> Map.of("tour", upTo(1, integer(instance, "cities"))));
            case "vertex-cover" -> new Others(
                limits::joins,
                predicate -> {
                    var join = objects(predicate, "joins").get(0);
                    var edges = List.of(Map.of("a", 1, "b", 2));
                    Map<String, Object> instance = Map.of("colours", List.of(join.get("a"), join.get("b")), "edges", edges);
                    return material(instance, Map.of("cover", List.of(1)));
                },
                instance -> {
                    var cover = new TreeSet<Integer>();
                    for (var edge : objects(instance, "edges")) cover.add(integer(edge, "a"));
                    return Map.of("cover", List.copyOf(cover.stream().toList()));
                });
            case "graph-colouring" -> new Others(
                parts -> Map.of("gaps", limits.some(parts, "maxVertices", 1)),
                predicate -> {
                    int gap = ints(predicate, "gaps").get(0);
                    var colours = new ArrayList<>(Collections.nCopies(gap + 1, 1));
                    colours.set(gap, 2);
                    var edges = List.of(Map.of("a", 1, "b", gap + 1));
                    return material(Map.of("vertices", gap + 1, "edges", edges), Map.of("colours", colours));
                },
                instance -> Map.of("colours", randoms(integer(instance, "vertices"), 1, limits.of("colours"))));
            case "job-scheduling" -> new Others(
                parts -> Map.of("durations", limits.some(parts, "longest", 0)),
                predicate -> {
                    var jobs = ints(predicate, "durations").subList(0, 1);
                    return material(Map.of("speeds", List.of(1), "jobs", jobs), Map.of("machines", List.of(1)));
                },
                instance -> {
                    int speeds = ((List<?>) instance.get("speeds")).size();
                    return Map.of("machines", randoms(((List<?>) instance.get("jobs")).size(), 1, speeds));
                });
            case "longest-common-subsequence" -> new Others(
                parts -> Map.of("letters", pick(List.of("abcdefghijklmnopqrst".substring(0, limits.of("maxLetters")).split("")), parts)),
                predicate -> {
                    var word = ((List<?>) predicate.get("letters")).subList(0, 1);
                    return material(Map.of("a", word, "b", word), Map.of("a", List.of(1), "b", List.of(1)));
                },
                Others::same);
            case "number-partition" -> new Others(
                parts -> Map.of("numbers", limits.some(parts, "largest", 0)),
                predicate -> {
                    int number = ints(predicate, "numbers").get(0);
                    return material(Map.of("numbers", List.of(number, number)), Map.of("heaps", List.of(1, 2)));
                },
                instance -> Map.of("heaps", randoms(((List<?>) instance.get("numbers")).size(), 1, 2)));
            case "set-cover" -> new Others(
                parts -> Map.of("sizes", pick(upTo(1, Math.min(limits.of("maxSize"), limits.of("maxMember"))), parts)),
                predicate -> {
                    var members = upTo(1, ints(predicate, "sizes").get(0));
                    var sets = List.of(Map.of("cost", 1, "members", members));
                    return material(Map.of("sets", sets), Map.of("chosen", List.of(1)));
                },
                instance -> Map.of("chosen", upTo(1, ((List<?>) instance.get("sets")).size())));
            default -> throw new IllegalArgumentException("this agent cannot play the challenge " + challenge);
        };
    }

    private static final List<String> CUBIC = List.of("UnknownsAndCubes", "SquaresAndCubes", "CubesOfUnknowns", "CubesOfSquares");

    /** The limits of raw material, and predicates within them. */
    private record Limits(Map<String, Object> fields) {
        int of(String name) {
            return integer(fields, name);
        }

        /** Random numbers from 1 to a limit. */
        List<Integer> some(int parts, String most, int less) {
            return randoms(parts, 1, of(most) - less);
        }

        Map<String, Object> types(int parts) {
            int longest = Math.min(of("maxVars"), of("maxClauseLength"));
            int shortest = Math.max(1, parts - 1);
            if (shortest > longest) return null;
            int length = shortest + random(longest - shortest + 1);
            var positives = pick(upTo(0, length), parts);
            return Map.of("types", positives.stream().map(each -> Map.of("length", length, "positives", each)).toList());
        }

        Map<String, Object> shapes(int parts) {
            var shapes = new ArrayList<Object>();
            for (; parts > 0; parts--) {
                var coefficients = some(1 + random(Math.min(of("maxTerms"), of("maxVars"))), "maxCoefficient", 0);
                int sum = coefficients.stream().mapToInt(each -> each).sum();
                var comparison = Map.of("$", "AtLeast");
                shapes.add(Map.of("coefficients", coefficients, "comparison", comparison, "bound", random(sum + 1)));
            }
            return Map.of("shapes", shapes);
        }

        Map<String, Object> joins(int parts) {
            var joins = new ArrayList<Object>();
            for (int a = 1; a <= of("colours"); a++)
                for (int b = a; b <= of("colours"); b++) joins.add(Map.of("a", a, "b", b));
            return Map.of("joins", pick(joins, parts));
        }
    }

    private static int random(int below) {
        return Tartaglia.RANDOM.nextInt(below);
    }

    private static List<Integer> randoms(int count, int from, int kinds) {
        return IntStream.range(0, count).mapToObj(at -> from + random(kinds)).toList();
    }

    private static Map<String, Object> values(int count, int from, int kinds) {
        return Map.of("values", randoms(count, from, kinds));
    }

    private static List<Integer> upTo(int from, int to) {
        return IntStream.rangeClosed(from, to).boxed().toList();
    }

    /** Different random elements, or all of a shorter list. */
    static <T> List<T> pick(List<T> elements, int count) {
        var shuffled = new ArrayList<>(elements);
        Collections.shuffle(shuffled, Tartaglia.RANDOM);
        return shuffled.subList(0, Math.min(count, shuffled.size()));
    }

    private static int integer(Map<String, Object> object, String name) {
        return Json.integer(object.get(name));
    }

    private static List<Integer> ints(Map<String, Object> object, String name) {
        return Json.list(Json::integer).apply(object.get(name));
    }

    private static List<Map<String, Object>> objects(Map<String, Object> object, String name) {
        return Json.list(Json::object).apply(object.get(name));
    }

    private static Player.Material material(Map<String, Object> instance, Map<String, Object> solution) {
        return new Player.Material(instance, solution, "1/1");
    }

    private static Player.Material sat(Map<String, Object> predicate) {
        var type = Collections.min(objects(predicate, "types"), Comparator.comparing(each -> integer(each, "length")));
        int length = integer(type, "length");
        int positives = integer(type, "positives");
        var literals = IntStream.rangeClosed(1, length).mapToObj(n -> n <= positives ? n : -n).toList();
        var clauses = List.of(Map.of("weight", 1, "literals", literals));
        var values = literals.stream().map(each -> each > 0 ? 1 : 0).toList();
        return material(Map.of("variables", length, "clauses", clauses), Map.of("values", values));
    }

    private static Map<String, Object> pack(Map<String, Object> instance) {
        long left = Json.whole(instance.get("capacity"));
        var packed = new ArrayList<Integer>();
        int at = 0;
        for (var item : objects(instance, "items")) {
            at++;
            if (integer(item, "weight") > left) continue;
            left -= integer(item, "weight");
            packed.add(at);
        }
        return Map.of("packed", packed);
    }

    private static Player.Material constraint(Map<String, Object> predicate) {
        var shape = Collections.min(objects(predicate, "shapes"), Comparator.comparing(each -> ints(each, "coefficients").size()));
        var comparison = Json.object(shape.get("comparison")).get("$");
        int bound = integer(shape, "bound");
        var coefficients = ints(shape, "coefficients");
        int value = comparison.equals("AtMost") || bound == 0 ? 0 : 1;
        int sum = coefficients.stream().mapToInt(each -> each).sum();
        var variables = upTo(1, coefficients.size()).stream().map(at -> "x" + at).toList();
        var literals = variables.stream().map(variable -> Map.of("$", "Positive", "variable", variable)).toList();
        var constraints = List.of(Map.of("weight", 1, "shape", shape, "literals", literals));
        var quality = comparison.equals("Exactly") && bound != value * sum ? "0/1" : "1/1";
        Map<String, Object> solution = Map.of("values", Collections.nCopies(variables.size(), value));
        return new Player.Material(Map.of("constraints", constraints, "variables", variables), solution, quality);
    }

    /** The letters that are at the same place in both words. */
    private static Map<String, Object> same(Map<String, Object> instance) {
        var a = (List<?>) instance.get("a");
        var b = (List<?>) instance.get("b");
        var same = upTo(1, Math.min(a.size(), b.size())).stream().filter(at -> a.get(at - 1).equals(b.get(at - 1))).toList();
        return Map.of("a", same, "b", same);
    }

    private static Map<String, Object> roots(Map<String, Object> instance) {
        return Map.of("answers", objects(instance, "questions").stream().map(Others::root).toList());
    }

    /** The positive root, by bisection. */
    private static double root(Map<String, Object> question) {
        var kind = Json.string(Json.object(question.get("kind")).get("$"));
        double a = Json.number(question.get("a"));
        double b = Json.number(question.get("b"));
        double low = 0;
        double high = a + b + 1;
        for (int tries = 0; tries < 100; tries++) {
            double x = (low + high) / 2;
            double middle = a * (kind.contains("Unknowns") ? x : x * x);
            if (x * x * x + (kind.startsWith("Cubes") ? -middle : middle) < b) low = x;
            else high = x;
        }
        return low;
    }
}
