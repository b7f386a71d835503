import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * The dialogue of Tartaglia's programs. Do not print to System.out, which would write into the dialogue: use log() instead; only your
 * team can read it.
 */
final class Tartaglia {
    /** With equal seeds this program plays equal matches. */
    static final Random RANDOM = new Random(String.valueOf(System.getenv("TARTAGLIA_SEED")).hashCode());

    private Tartaglia() {}

    /** Prints for your own team. */
    static void log(Object text) {
        System.err.println(text);
    }

    /** Answers a message to a body of the seat; null: no answer is wanted. */
    interface Dialogue {
        Said answer(Told told, int body);
    }

    static BufferedReader input() {
        return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    }

    /** Each print is written at once: what is written together is one text. */
    static PrintStream output() {
        return new PrintStream(System.out, true, StandardCharsets.UTF_8);
    }

    /** Reads and writes one JSON object per line, to the end of the input. */
    static void playLines(Dialogue dialogue) throws IOException {
        var in = input();
        var out = output();
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var message = Json.object(Json.parse(line));
            // It needs no answer: it gives the fault of the last answer, or says that it came too late.
            if ("refused".equals(message.get("type"))) log("refused: " + message.get("text"));
            else if (message.get("question") != null) {
                var body = message.get("body");
                var said = dialogue.answer(Told.read(message), body == null ? 0 : Json.integer(body));
                if (said == null) throw new IllegalStateException("no answer to " + message.get("type"));
                var answer = said.json();
                answer.put("question", message.get("question"));
                if (body != null) answer.put("body", body);
                out.print(Json.write(answer) + "\n");
                out.flush();
            }
        }
    }
}
