import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Plays the saved moves in cases/. "npx tartaglia match replay HISTORY --seat 0 --until 1 --save cases/NAME.json" adds one. Ends with 1 if an
 * answer differs from the saved one.
 */
final class Cases {
    private Cases() {}

    public static void main(String[] arguments) throws IOException {
        List<Path> paths;
        try (var found = Files.list(Path.of("cases"))) {
            paths = found.filter(path -> path.toString().endsWith(".json")).sorted().toList();
        }
        int failed = 0;
        for (var path : paths) {
            var problem = problemOf(path);
            System.out.println((problem == null ? "passed  " : "FAILED  ") + path.getFileName());
            if (problem != null) {
                System.out.println("    " + problem);
                failed++;
            }
        }
        System.out.println(paths.size() - failed + " passed, " + failed + " failed");
        System.exit(failed > 0 || paths.isEmpty() ? 1 : 0);
    }

    /** Why a case fails; null: it passes. Another case is played in any event. */
    private static String problemOf(Path path) {
        Map<String, Object> saved;
        try {
            saved = Json.object(Json.parse(Files.readString(path)));
        } catch (IOException | RuntimeException wrong) {
            return "it is not a saved move: " + wrong;
        }
        if (!(saved.get("messages") instanceof List<?> messages)) return "it is not a saved move: it has no messages";
        try {
            return play(messages, saved.get("answer"));
        } catch (Throwable wrong) {
            // The trace names the lines of the agent.
            wrong.printStackTrace();
            return wrong.toString();
        }
    }

    private static String play(List<?> messages, Object expected) {
        var game = new Game();
        Said last = null;
        for (var each : messages) {
            var message = Json.object(each);
            var body = message.get("body");
            var said = game.answer(Game.caseMessage(message), body == null ? 0 : Json.integer(body));
            if (said != null) last = said;
        }
        if (last == null) return "the agent said nothing";
        Said.read(Json.parse(Json.write(last.json())));
        // null: the agent plays at random, so any answer will do.
        var answer = Game.caseAnswer(last);
        if (answer == null || Json.parse(Json.write(answer)).equals(expected)) return null;
        return "answered " + Json.write(answer) + ", and the saved answer is " + Json.write(expected);
    }
}
