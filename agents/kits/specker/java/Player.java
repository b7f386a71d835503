import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Does what the rules require in any challenge. */
final class Player {
    /** The knowledge of a challenge that a player needs. */
    interface Craft {
        boolean isWorth(StoreEntry offer);

        /** A predicate of this many parts that do not imply each other; null: no idea. */
        Map<String, Object> predicate(int parts);

        int price(Map<String, Object> predicate);

        Material rawMaterial(Map<String, Object> predicate);

        Map<String, Object> solve(Map<String, Object> instance);
    }

    /** Raw material, a solution of it, and a lower bound of that solution's quality. */
    record Material(Map<String, Object> instance, Map<String, Object> solution, String quality) {}

    private record SecretSolution(Map<String, Object> solution, String nonce) {}

    private record Idea(Map<String, Object> predicate, int price) {}

    private final Start start;
    private final Craft craft;
    private final Map<Integer, SecretSolution> secrets = new HashMap<>();

    Player(Start start) {
        this.start = start;
        var name = start.challenge().name();
        var limits = Json.object(start.challenge().config());
        craft = name.equals("max-csp") ? new MaxCsp(start, limits) : Others.craft(name, limits);
    }

    /** Fulfils obligations first (rule 4). */
    List<Action> turn(Turn view) {
        var actions = new ArrayList<Action>();
        for (var sold : view.toDeliver()) actions.add(delivery(sold));
        for (var each : view.toSolve())
            actions.add(new Solve(each.challenge(), craft.solve(Json.object(each.instance()))));
        if (view.toReveal() != null)
            for (var each : view.toReveal()) {
                var secret = secrets.get(each.challenge());
                actions.add(new Reveal(each.challenge(), secret.solution(), secret.nonce()));
            }
        if (view.trading()) trade(view, actions);
        return actions;
    }

    private Action delivery(Sold sold) {
        var made = craft.rawMaterial(Json.object(sold.predicate()));
        if (sold.kind() != Kind.SECRET) return new Deliver(sold.challenge(), made.instance());
        var nonce = String.format("%064x", new BigInteger(256, Tartaglia.RANDOM));
        secrets.put(sold.challenge(), new SecretSolution(made.solution(), nonce));
        var commitment = sha256(Json.write(List.of(made.solution(), nonce)));
        return new Deliver(sold.challenge(), made.instance(), new Secret(made.quality(), commitment));
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return String.format("%064x", new BigInteger(1, digest));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Rules 2 and 3: buys one challenge or lowers all offers of others, and offers something new. */
    private void trade(Turn view, List<Action> actions) {
        var config = start.config();
        var kind = Kind.CLASSIC;
        if (config.variant() == Variant.BELIEF) kind = Kind.BELIEF;
        if (config.variant() == Variant.SECRET) kind = Kind.SECRET;
        boolean isAsynchronous = config.mode() == Mode.ASYNCHRONOUS;
        var lowest = new HashMap<String, Integer>(); // the lowest price of each predicate for sale as the same kind as mine
        var foreign = new ArrayList<StoreEntry>();
        for (var offer : view.store()) {
            if (isOf(offer, kind)) lower(lowest, offer.predicate(), offer.price());
            if (offer.seller() != start.me()) foreign.add(offer);
        }
        if (view.step() == null || view.step() == Step.DECIDE) {
            var bought = foreign.stream()
                .filter(offer -> offer.price() < view.account() && (offer.price() == 0 || craft.isWorth(offer)))
                .findFirst();
            if (bought.isPresent()) actions.add(new Accept(bought.get().challenge()));
            else if (!isAsynchronous)
                for (var offer : foreign) {
                    int price = (int) Math.max(0, offer.price() - config.mindec());
                    actions.add(new Reoffer(offer.challenge(), price));
                    if (isOf(offer, kind)) lower(lowest, offer.predicate(), price);
                }
        }
        if (view.step() == null || view.step() == Step.OFFER) {
            int mine = view.store().size() - foreign.size();
            int wanted = Math.max(1, config.offersMin());
            if (isAsynchronous) wanted = mine < config.offersMax() ? 1 : 0;
            for (; wanted > 0; wanted--) {
                var idea = idea(lowest);
                if (idea == null) break;
                lower(lowest, idea.predicate(), idea.price());
                actions.add(new Offer(idea.predicate(), idea.price()));
            }
        }
    }

    private static boolean isOf(StoreEntry offer, Kind kind) {
        return (offer.kind() == null ? Kind.CLASSIC : offer.kind()) == kind;
    }

    private static void lower(Map<String, Integer> lowest, Object predicate, int price) {
        lowest.merge(keyOf(predicate), price, Math::min);
    }

    /** A predicate that nobody offers or, if none is left, one at a price below all others; null: neither was found. */
    private Idea idea(Map<String, Integer> lowest) {
        int wanted = leagueParts();
        for (int tries = 0; tries < 300; tries++) {
            int parts = wanted > 0 ? wanted : tries < 200 ? 1 : 1 + Tartaglia.RANDOM.nextInt(5);
            var predicate = craft.predicate(parts);
            if (predicate == null) continue;
            int price = craft.price(predicate);
            var taken = lowest.get(keyOf(predicate));
            if (taken == null || taken > price) return new Idea(predicate, price);
            if (tries >= 250 && taken > 0) return new Idea(predicate, taken - 1);
        }
        return null;
    }

    /** The number of parts that predicates must have in this match; 0: any number. */
    private int leagueParts() {
        var league = start.config().league();
        if (league == null) return 0;
        var parameter = start.config().leagueParameter();
        if (league.startsWith("level-k")) return parameter == null ? 2 : parameter.intValue();
        return league.equals("t-ball") || league.equals("slow-pitch") ? 1 : 0;
    }

    /** The same for equal predicates: their parts are a set. */
    private static String keyOf(Object predicate) {
        var parts = new TreeSet<String>();
        for (var list : Json.object(predicate).values())
            for (var part : (List<?>) list)
                parts.add(Json.write(part instanceof Map<?, ?> object ? new TreeMap<>(object) : part));
        return parts.toString();
    }
}
