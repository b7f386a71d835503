import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The lines of the contest of 2005, as messages. They do not say what they ask for: that follows from the role and the world.
 */
final class Lines {
    private final BufferedReader in = Tartaglia.input();
    private final Role role;
    private int world = 0;
    private boolean isTwist = false;

    Lines(Role role) {
        this.role = role;
    }

    /** Keeps the dialogue to the end of the game. */
    void play(Tartaglia.Dialogue dialogue) throws IOException {
        var out = Tartaglia.output();
        out.print(textOf(dialogue.answer(new AskRegister(role), 0)));
        out.flush();
        for (var line = in.readLine(); line != null; line = in.readLine()) {
            var told = message(line);
            var said = dialogue.answer(told, 0);
            if (said != null) {
                out.print(textOf(said));
                out.flush();
            }
            if (told instanceof GameOver) return;
        }
    }

    private static String section(String name, List<String> values) {
        var text = new StringBuilder(name + "\\\n");
        for (var value : values) text.append(name).append(": ").append(value).append('\n');
        return text + name + "/\n";
    }

    private static String moveOf(BotMove move) {
        return move.loc() + " " + move.ptype().text + " " + move.bot();
    }

    /** The lines of a message. */
    static String textOf(Said said) {
        if (said instanceof Register register) return "reg: " + register.bot() + " " + register.ptype().text + "\n";
        if (said instanceof Informs message)
            return section("inf", message.informs().stream().map(each -> each.bot() + " " + each.loc() + " "
                + each.ptype().text + " " + each.world() + " " + each.certainty()).toList());
        if (said instanceof Plan message)
            return section("plan", message.plan().stream().map(each -> each.bot() + " " + each.loc() + " "
                + each.ptype().text + " " + each.world()).toList());
        if (said instanceof Vote vote) return section("vote", vote.ballot());
        if (said instanceof Move move) return "mov: " + move.loc() + " " + move.ptype().text + "\n";
        if (said instanceof Bribe bribe) return bribe.asks() ? "bribe:\n" : "nobribe:\n";
        if (said instanceof Orders orders) {
            var moves = section("mov", orders.moves().stream().map(Lines::moveOf).toList());
            if (orders.market() == null) return moves;
            return "cmov\\\n" + orders.market().text + ":\n" + moves + section("acc", orders.accuse()) + "cmov/\n";
        }
        var orders = (RobberOrders) said;
        var more = "nobribe:\n";
        if (orders.push() != null) more = "psh: " + orders.push().bot() + " " + orders.push().loc() + "\n";
        else if (orders.choose() != null) more = section("chc", orders.choose());
        return "rmov\\\nmov: " + moveOf(orders.move()) + "\n" + more + "rmov/\n";
    }

    /** The rest of a line that begins with a name. */
    private String value(String name) throws IOException {
        var line = in.readLine();
        if (line == null || !line.startsWith(name + ": "))
            throw new IllegalArgumentException("expected " + name + ", not " + line);
        return line.substring(name.length() + 2);
    }

    private void expect(String wanted) throws IOException {
        var line = in.readLine();
        if (!wanted.equals(line)) throw new IllegalArgumentException("expected " + wanted + ", not " + line);
    }

    /** Reads the lines up to the end of a section: each by its words, the first of which is its name. */
    private <T> List<T> lines(String name, Function<String[], T> read) throws IOException {
        var list = new ArrayList<T>();
        for (var line = in.readLine(); line != null && !line.equals(name + "/"); line = in.readLine())
            list.add(read.apply(line.split(" ")));
        return list;
    }

    private Told message(String line) throws IOException {
        if (line.equals("wsk\\")) return skeleton();
        if (line.equals("wor\\")) return worldMessage();
        if (line.equals("from\\")) return from();
        if (line.equals("nowinner:")) return new Tally(null, tallyAsks());
        if (line.startsWith("winner: ")) return new Tally(line.split(" ")[1], tallyAsks());
        if (line.equals("nottelling:")) return new Offers((List<String>) null);
        if (line.equals("ofc\\")) return new Offers(lines("ofc", words -> words[1]));
        if (line.equals("accused:")) return new Accused();
        if (line.equals("game-over")) return new GameOver();
        throw new IllegalArgumentException("unknown message " + line);
    }

    private TallyAsks tallyAsks() {
        if (role == Role.ROBBER) return TallyAsks.BRIBE;
        if (world % 2 == 0) return null;
        return isTwist ? TallyAsks.ORDERS : TallyAsks.MOVE;
    }

    private Skeleton skeleton() throws IOException {
        var name = value("name");
        var robber = value("robber");
        var cops = new ArrayList<String>();
        for (var line = in.readLine(); !line.equals("nod\\"); line = in.readLine()) cops.add(line.split(" ")[1]);
        var nodes = lines("nod", words ->
            new Node(words[1], NodeTag.read(words[2]), Long.parseLong(words[3]), Long.parseLong(words[4])));
        expect("edg\\");
        var edges = lines("edg", words -> new Edge(words[1], words[2], EdgeType.read(words[3])));
        expect("wsk/");
        return new Skeleton(name, robber, cops, nodes, edges);
    }

    private World worldMessage() throws IOException {
        world = Integer.parseInt(value("wor"));
        long loot = Long.parseLong(value("rbd"));
        var line = in.readLine();
        Twist twist = null;
        if (line.equals("dc\\")) {
            twist = twist();
            line = in.readLine();
        }
        if (!line.equals("bv\\")) throw new IllegalArgumentException("expected the banks, not " + line);
        var banks = lines("bv", words -> new Bank(words[1], Long.parseLong(words[2])));
        expect("ev\\");
        var evidence = lines("ev", words -> new Evidence(words[1], Integer.parseInt(words[2])));
        int smell = Integer.parseInt(value("smell"));
        expect("pl\\");
        var players = lines("pl", words -> new Player(words[1], words[2], Ptype.read(words[3])));
        expect("wor/");
        isTwist = twist != null;
        WorldAsks asks = null;
        if (world < 200) asks = role == Role.ROBBER && !isTwist ? WorldAsks.MOVE : WorldAsks.INFORM;
        return new World(asks, world, loot, twist, banks, evidence, smell, players);
    }

    private Twist twist() throws IOException {
        var dirty = lines("dc", words -> words[1]);
        expect("sc\\");
        var control = lines("sc", words -> new Control(words[1], words[2]));
        expect("fac\\");
        var accusations = lines("fac", words -> new Accusation(words[1], words[2], Integer.parseInt(words[3])));
        return new Twist(dirty, control, accusations);
    }

    /** The announcements of all brains. */
    private Told from() throws IOException {
        var informs = new ArrayList<InformsFrom>();
        var plans = new ArrayList<PlanFrom>();
        for (var line = in.readLine(); !line.equals("from/"); line = in.readLine()) {
            var bot = line.split(" ")[1];
            if (in.readLine().equals("plan\\"))
                plans.add(new PlanFrom(bot, lines("plan", words ->
                    new Planned(words[1], words[2], Ptype.read(words[3]), Integer.parseInt(words[4])))));
            else
                informs.add(new InformsFrom(bot, lines("inf", words -> new Inform(words[1], words[2],
                    Ptype.read(words[3]), Integer.parseInt(words[4]), Integer.parseInt(words[5])))));
        }
        return plans.isEmpty() ? new AllInforms(informs) : new AllPlans(plans);
    }
}
