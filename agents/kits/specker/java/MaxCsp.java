import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adapts the agent to what a player needs of any challenge. */
final class MaxCsp implements Player.Craft {
    private final Agent agent;
    private Agent.Idea idea; // the last one

    MaxCsp(Start start, Map<String, Object> limits) {
        var read = new Agent.Limits(
            Json.integer(limits.get("maxVars")),
            Json.integer(limits.get("maxConstraints")),
            Json.integer(limits.get("maxWeight")));
        agent = new Agent(start, read);
    }

    private static List<Integer> relationsOf(Object predicate) {
        return Json.list(Json::integer).apply(Json.object(predicate).get("relations"));
    }

    @Override
    public boolean isWorth(StoreEntry offer) {
        return agent.isWorth(relationsOf(offer.predicate()), offer.price());
    }

    @Override
    public Map<String, Object> predicate(int parts) {
        idea = agent.idea();
        if (parts == 1) return Map.of("relations", List.of(idea.relation()));
        // Different relations with the same number of rows never imply each other.
        int rows = Tartaglia.RANDOM.nextInt(9);
        var equals = new ArrayList<Integer>();
        for (int each = 0; each < 256; each++) if (Integer.bitCount(each) == rows) equals.add(each);
        return equals.size() < parts ? null : Map.of("relations", Others.pick(equals, parts));
    }

    @Override
    public int price(Map<String, Object> predicate) {
        return idea.price();
    }

    @Override
    public Player.Material rawMaterial(Map<String, Object> predicate) {
        var instance = agent.rawMaterial(relationsOf(predicate));
        var values = agent.solve(instance);
        int weight = 0;
        var constraints = new ArrayList<Object>();
        for (var each : instance.constraints()) {
            weight += each.weight();
            var constraint = new TreeMap<String, Object>();
            constraint.put("weight", each.weight());
            constraint.put("relation", each.relation());
            constraint.put("variables", each.variables());
            constraints.add(constraint);
        }
        var written = new TreeMap<String, Object>();
        written.put("variables", instance.variables());
        written.put("constraints", constraints);
        return new Player.Material(written, Map.of("values", values), instance.weightMet(values) + "/" + weight);
    }

    @Override
    public Map<String, Object> solve(Map<String, Object> instance) {
        var constraints = Json.list(Json::object).apply(instance.get("constraints")).stream()
            .map(each -> new Agent.Constraint(
                Json.integer(each.get("weight")),
                Json.integer(each.get("relation")),
                Json.list(Json::integer).apply(each.get("variables"))))
            .toList();
        return Map.of("values", agent.solve(new Agent.Instance(Json.integer(instance.get("variables")), constraints)));
    }
}
