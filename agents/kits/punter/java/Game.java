import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The dialogue of Lambda Punter: turns messages into calls of the Agent. */
final class Game implements Tartaglia.Dialogue {
    private Agent agent;

    public static void main(String[] arguments) throws IOException {
        Tartaglia.playLines(new Game());
    }

    @Override
    public Said answer(Told told, int body) {
        if (told instanceof Setup setup) {
            agent = new Agent(setup);
            boolean bets = setup.settings() != null && setup.settings().futures();
            return new Ready(setup.punter(), bets ? agent.futures() : List.of());
        }
        if (told instanceof Turn turn) {
            log(turn.notes());
            return (Said) agent.move(turn.moves());
        }
        log(((Stop) told).notes());
        return new Stopped();
    }

    private static void log(List<String> notes) {
        if (notes != null) notes.forEach(Tartaglia::log);
    }

    static Told caseMessage(Map<String, Object> saved) {
        return Told.read(saved);
    }

    static Object caseAnswer(Said said) {
        return said.json();
    }
}
