import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The dialogue of Cops & Robbers: turns messages into calls of the Robber and the Cop in Agent. */
final class Game implements Tartaglia.Dialogue {
    private Role role = Role.COP;
    private String name;
    private Agent.Robber robber;
    private Agent.Cop cop;
    private World world;

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) throw new IllegalArgumentException("the first argument must be robber or cop");
        new Lines(Role.read(arguments[0])).play(new Game());
    }

    @Override
    public Said answer(Told told, int body) {
        if (told instanceof AskRegister register) {
            role = register.role();
            return new Register(Agent.NAME, role == Role.ROBBER ? Ptype.ROBBER : Agent.STARTS);
        }
        if (told instanceof Skeleton game) {
            name = game.name();
            if (role == Role.ROBBER) robber = new Agent.Robber(game);
            else cop = new Agent.Cop(game);
            return null;
        }
        if (told instanceof World now) {
            world = now;
            if (now.asks() == null) return null;
            if (now.asks() == WorldAsks.MOVE) return new Move(robber.move(world), Ptype.ROBBER);
            return new Informs(role == Role.ROBBER ? List.of() : cop.inform(world));
        }
        if (told instanceof AllInforms informs)
            return new Plan(role == Role.ROBBER ? List.of() : cop.plan(informs.from(), world));
        if (told instanceof AllPlans plans) return new Vote(plans.from().stream().map(PlanFrom::bot).toList());
        if (told instanceof Tally tally) return tally.asks() == null ? null : tallied(tally);
        if (told instanceof Offers) return new RobberOrders(botMove(robber.move(world), Ptype.ROBBER), null, null);
        if (told instanceof Accused) Tartaglia.log("accused rightly: the game goes on without this cop");
        return null;
    }

    private Said tallied(Tally tally) {
        if (tally.asks() == TallyAsks.BRIBE) return new Bribe(false);
        var move = cop.move(tally.winner(), world);
        if (tally.asks() == TallyAsks.MOVE) return move;
        boolean isDirty = world.twist() != null && world.twist().dirty().contains(name);
        var market = isDirty ? null : Market.STRAIGHT_ARROW;
        return new Orders(market, List.of(botMove(move.loc(), move.ptype())), List.of());
    }

    private BotMove botMove(String loc, Ptype ptype) {
        return new BotMove(name, loc, ptype);
    }

    static Told caseMessage(Map<String, Object> saved) {
        return Told.read(saved);
    }

    static Object caseAnswer(Said said) {
        return said.json();
    }
}
