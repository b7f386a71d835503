import java.io.IOException;
import java.util.Map;

/** The dialogue of Haggling: turns messages into calls of the Agent. */
final class Game implements Tartaglia.Dialogue {
    private Agent agent;

    public static void main(String[] arguments) throws IOException {
        Tartaglia.playLines(new Game());
    }

    @Override
    public Said answer(Told told, int body) {
        if (told instanceof Start start) {
            agent = new Agent(start.opt());
            return new Ready();
        }
        return new Demand(agent.offer(((Turn) told).offer()));
    }

    /** Reads a message of a saved move, which has the form that scripts get. */
    static Told caseMessage(Map<String, Object> saved) {
        if ("turn".equals(saved.get("type")))
            return new Turn(Json.orNull(Json.list(Json::integer)).apply(saved.get("offer")));
        saved.put("max_rounds", saved.get("maxRounds"));
        return new Start(Opt.read(saved));
    }

    static Object caseAnswer(Said said) {
        var answer = new java.util.LinkedHashMap<String, Object>();
        answer.put("value", said.json().get("offer"));
        return answer;
    }
}
