import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Plays the Specker Challenge Game by its rules, and otherwise at random. The four methods below decide how it plays max-csp: start
 * there. Others.java plays the other built-in challenges, legally but at random.
 */
final class Agent {
    /** One energy: prices and accounts are whole numbers of 10^-9 energy. */
    static final int ENERGY = 1_000_000_000;

    /** Satisfied if bit 4x + 2y + z of relation is set, where its three variables are x, y and z. Variables count from 1. */
    record Constraint(int weight, int relation, List<Integer> variables) {}

    /** Raw material of max-csp. */
    record Instance(int variables, List<Constraint> constraints) {
        /** The weight of the constraints that these values satisfy. */
        int weightMet(List<Integer> values) {
            int met = 0;
            for (var each : constraints) {
                int row = 0;
                for (int variable : each.variables()) row = 2 * row + values.get(variable - 1);
                if ((each.relation() >> row) % 2 == 1) met += each.weight();
            }
            return met;
        }
    }

    /** Limits of raw material. */
    record Limits(int maxVars, int maxConstraints, int maxWeight) {}

    /** A relation to sell, and its price in 10^-9 energy. */
    record Idea(int relation, int price) {}

    final Start start;
    final Limits limits;
    final Random random = Tartaglia.RANDOM;

    Agent(Start start, Limits limits) {
        this.start = start;
        this.limits = limits;
    }

    /** True to buy raw material of these relations at this price, in 10^-9 energy. */
    boolean isWorth(List<Integer> relations, int price) {
        return random.nextInt(ENERGY) >= price;
    }

    /** The relation to sell, from 0 to 255, and its price in 10^-9 energy. */
    Idea idea() {
        return new Idea(random.nextInt(256), random.nextInt(ENERGY + 1));
    }

    /** The raw material to deliver: the harder, the better. */
    Instance rawMaterial(List<Integer> relations) {
        var constraints = new ArrayList<Constraint>();
        for (var relation : relations)
            if (constraints.size() < limits.maxConstraints())
                constraints.add(new Constraint(1, relation, List.of(1, 2, 3)));
        return new Instance(3, constraints);
    }

    /** A value for each variable, 0 or 1: the more weight is satisfied, the better. */
    List<Integer> solve(Instance instance) {
        var values = new ArrayList<Integer>();
        for (int at = 0; at < instance.variables(); at++) values.add(random.nextInt(2));
        return values;
    }
}
