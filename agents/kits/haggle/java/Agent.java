import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of the total value.
 * The three methods at the end make its decisions: start there.
 */
final class Agent {
    final int me; // 0: the first turn is mine
    final List<Integer> counts; // the number of objects of each type
    final List<Integer> values; // the value of one object of each type to me
    final int maxRounds; // the maximum number of turns for each of us
    final List<List<Integer>> offers = new ArrayList<>(); // the offers so far, oldest first
    int turn = 0; // the number of its current turn, from 1

    Agent(Opt opt) {
        me = opt.me();
        counts = opt.counts();
        values = opt.values();
        maxRounds = opt.maxRounds();
    }

    /** My demand, or null to accept. offered is what the partner leaves me; null: there has been no offer yet. */
    List<Integer> offer(List<Integer> offered) {
        turn++;
        if (offered == null) return demand();
        offers.add(offered);
        return isEnough(offered) ? null : demand();
    }

    /** The value of a share to me. */
    int worth(List<Integer> share) {
        int total = 0;
        for (int at = 0; at < share.size(); at++) total += share.get(at) * values.get(at);
        return total;
    }

    /** True if an offer is good enough to accept. */
    boolean isEnough(List<Integer> offered) {
        return 2 * worth(offered) >= worth(counts);
    }

    /** The share to demand. */
    List<Integer> demand() {
        var share = new ArrayList<Integer>();
        for (int at = 0; at < counts.size(); at++) share.add(values.get(at) > 0 ? counts.get(at) : 0);
        return share;
    }

    /** The apparent value of an object of each type to the partner; only the proportions matter. */
    double[] dear() {
        var dear = new double[counts.size()];
        Arrays.fill(dear, 1);
        return dear;
    }
}
