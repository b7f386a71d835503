import java.io.IOException;
import java.util.Map;

/** The dialogue of Cows and Herders: one program plays all herders of a team. Turns messages into calls of the Agent. */
final class Game implements Tartaglia.Dialogue {
    private Agent team;

    public static void main(String[] arguments) throws IOException {
        Tartaglia.playLines(new Game());
    }

    @Override
    public Said answer(Told told, int body) {
        if (told instanceof Start start) {
            // Each herder receives the same message.
            if (team == null) team = new Agent(start);
            return new Ready();
        }
        return new Act(team.act(body, (Perception) told));
    }

    static Told caseMessage(Map<String, Object> saved) {
        return Told.read(saved);
    }

    static Object caseAnswer(Said said) {
        return said.json();
    }
}
