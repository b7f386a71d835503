import java.io.IOException;
import java.util.Map;

/** The dialogue of the Specker Challenge Game: turns messages into calls of a Player. */
final class Game implements Tartaglia.Dialogue {
    private Player player;

    public static void main(String[] arguments) throws IOException {
        Tartaglia.playLines(new Game());
    }

    @Override
    public Said answer(Told told, int body) {
        if (told instanceof Start start) {
            player = new Player(start);
            return new Ready();
        }
        return told instanceof Turn turn ? new Bundle(player.turn(turn)) : null;
    }

    static Told caseMessage(Map<String, Object> saved) {
        return Told.read(saved);
    }

    /** Return said.json() for agents that do not play at random, so that answers are compared. */
    static Object caseAnswer(Said said) {
        return null;
    }
}
