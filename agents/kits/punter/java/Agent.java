import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;

/** Claims rivers by the rules and without much thought: always the first free one. The last method rates rivers: start there. */
final class Agent {
    final int punter; // my number
    final List<Long> mines; // sites
    List<Ends> free; // rivers that nobody has
    final List<Ends> own = new ArrayList<>(); // my own
    final List<Ends> others = new ArrayList<>(); // those of all others
    /** By mine: the number of rivers from it to each site. */
    final java.util.Map<Long, java.util.Map<Long, Integer>> distances = new HashMap<>();

    Agent(Setup setup) {
        punter = setup.punter();
        mines = setup.map().mines();
        free = setup.map().rivers();
        for (var mine : mines) distances.put(mine, reach(mine, free));
    }

    /** The bets at the beginning, where the match has them. */
    List<Future> futures() {
        return List.of();
    }

    /** A move. moves are the last moves of all punters. */
    Move move(List<Move> moves) {
        for (var move : moves) if (move instanceof Claim claim) hear(claim.claim());
        var river = choose();
        if (river == null) return new Pass(new Passing((long) punter));
        return new Claim(new River((long) punter, river.source(), river.target()));
    }

    /** Records the claim of a river. */
    void hear(River claim) {
        var river = new Ends(claim.source(), claim.target());
        (claim.punter() == punter ? own : others).add(river);
        var back = new Ends(claim.target(), claim.source());
        free = free.stream().filter(each -> !each.equals(river) && !each.equals(back)).toList();
    }

    /** The sites that can be reached from a site over some rivers, each with the number of rivers on the way. */
    java.util.Map<Long, Integer> reach(long start, List<Ends> rivers) {
        var near = new HashMap<Long, List<Long>>();
        for (var river : rivers) {
            near.computeIfAbsent(river.source(), site -> new ArrayList<>()).add(river.target());
            near.computeIfAbsent(river.target(), site -> new ArrayList<>()).add(river.source());
        }
        var found = new LinkedHashMap<Long, Integer>();
        found.put(start, 0);
        var queue = new ArrayList<Long>(List.of(start));
        for (int at = 0; at < queue.size(); at++) {
            var here = queue.get(at);
            for (var site : near.getOrDefault(here, List.of()))
                if (found.putIfAbsent(site, found.get(here) + 1) == null) queue.add(site);
        }
        return found;
    }

    /** The free river with the best rating, the first of equals; null: all are taken. */
    Ends choose() {
        Ends best = null;
        for (var river : free) if (best == null || worth(river) > worth(best)) best = river;
        return best;
    }

    /** The rating of a free river: 0 or more. */
    int worth(Ends river) {
        return 1;
    }
}
