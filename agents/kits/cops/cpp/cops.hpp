// Cops & Robbers for programs in C++: the dialogue, and what a robber and a cop must have.
#pragma once

#include "lines.hpp"

#include <memory>

namespace cops {

using tartaglia::Json;
using tartaglia::log;
using Names = std::vector<std::string>;

/** The common part of robbers and cops. In the first rule set the robber is asked for nothing of this. */
class Brain {
public:
    virtual ~Brain() = default;

    /** Claims for the other brains of the round. */
    virtual std::vector<Inform> inform(const World &) { return {}; }

    /** Hears the claims of all, and suggests moves. */
    virtual std::vector<Planned> plan(const std::vector<InformsFrom> &, const World &) { return {}; }

    /** The names of all brains of the round, the one with the best plan first. */
    virtual Names vote(const std::vector<PlanFrom> &plans, const World &) {
        Names ballot;
        for (const PlanFrom &each : plans) ballot.push_back(each.bot);
        return ballot;
    }
};

/** A corner to go to; in the second rule set also a cop to push or cops to bribe. */
struct RobberMove {
    std::string loc;
    std::optional<Push> push = {};
    std::optional<Names> choose = {};
};

/** The robber of a match, which is made of the `Skeleton`: see agent.cpp. */
class RobberBrain : public Brain {
public:
    /** `offers`: the cops that can be bribed, if the robber has asked for them. */
    virtual RobberMove move(const World &world, const std::optional<Names> &offers) = 0;

    /** Second rule set: true to ask which cops can be bribed. */
    virtual bool bribe(const std::optional<std::string> &, const World &) { return false; }
};

/** The moves of the robots of a brain, mostly only its own; the rest is for the second rule set. */
struct CopOrders {
    std::vector<BotMove> moves;
    Market market = Market::straight_arrow;
    Names accuse = {};
};

/** A cop of a match, which is made of the `Skeleton`: see agent.cpp. */
class CopBrain : public Brain {
public:
    /** `winner`: the brain whose plan was elected. */
    virtual CopOrders move(const std::optional<std::string> &winner, const World &world) = 0;
};

/** Passes messages to a robber or a cop, and answers them. */
template <class Robber, class Cop> class Conversation {
public:
    explicit Conversation(Register given) : registration(std::move(given)) {}

    /** The answer to a message; nothing if it asks for none. */
    std::optional<Said> hear(const Told &told) {
        return std::visit([this](const auto &message) { return answer(message); }, told);
    }

private:
    Register registration;
    std::unique_ptr<RobberBrain> robber;
    std::unique_ptr<CopBrain> cop;
    std::string name;
    World world;

    Brain &brain() { return robber ? static_cast<Brain &>(*robber) : *cop; }

    std::optional<Said> answer(const AskRegister &) { return registration; }

    std::optional<Said> answer(const Skeleton &game) {
        name = game.name;
        if (registration.ptype == Ptype::robber) robber = std::make_unique<Robber>(game);
        else cop = std::make_unique<Cop>(game);
        return std::nullopt;
    }

    std::optional<Said> answer(const World &now) {
        world = now;
        if (!now.asks) return std::nullopt;
        if (now.asks == WorldAsks::inform) return Informs{brain().inform(now)};
        return Move{robber->move(now, std::nullopt).loc, Ptype::robber};
    }

    std::optional<Said> answer(const AllInforms &all) { return Plan{brain().plan(all.from, world)}; }

    std::optional<Said> answer(const AllPlans &all) { return Vote{brain().vote(all.from, world)}; }

    std::optional<Said> answer(const Tally &tally) {
        if (!tally.asks) return std::nullopt;
        if (tally.asks == TallyAsks::bribe) return Bribe{robber->bribe(tally.winner, world)};
        const CopOrders orders = cop->move(tally.winner, world);
        if (tally.asks == TallyAsks::move) return Move{orders.moves.at(0).loc, orders.moves.at(0).ptype};
        Orders said{orders.market, orders.moves, orders.accuse};
        for (const std::string &dirty : world.twist->dirty)
            if (dirty == name) said.market.reset();
        return said;
    }

    std::optional<Said> answer(const Offers &offers) {
        const RobberMove move = robber->move(world, offers.bots);
        return RobberOrders{{name, move.loc, Ptype::robber}, move.push, move.choose};
    }

    std::optional<Said> answer(const Accused &) {
        log("accused rightly: the game goes on without this cop");
        return std::nullopt;
    }

    std::optional<Said> answer(const GameOver &) { return std::nullopt; }
};

/** Plays a match over the lines of the contest of 2005. */
template <class Robber, class Cop> void play_lines(const Register &registration) {
    Conversation<Robber, Cop> player(registration);
    Reader reader(std::cin, registration.ptype == Ptype::robber ? Role::robber : Role::cop);
    Writer writer(std::cout);
    writer.write(registration);
    while (const std::optional<Told> told = reader.next()) {
        const std::optional<Said> said = player.hear(*told);
        if (said) writer.write(*said);
        if (std::holds_alternative<GameOver>(*told)) return;
    }
}

/** The main function of an agent: its argument is the role, `robber` or `cop`; `--test PATH...` tests saved moves. */
template <class Robber, class Cop> int play(const std::string &name, Ptype starts, int count, char **words) {
    const std::string role = count > 1 ? words[1] : "";
    const auto registration = [&](bool is_robber) { return Register{name, is_robber ? Ptype::robber : starts}; };
    if (role == "robber" || role == "cop") {
        try {
            play_lines<Robber, Cop>(registration(role == "robber"));
            return 0;
        } catch (const std::exception &error) {
            log(error.what());
            return 1;
        }
    }
    const auto as_script = [&] {
        const auto player = std::make_shared<std::optional<Conversation<Robber, Cop>>>();
        return tartaglia::Dialogue([player, registration](const Json &message) {
            Told told;
            from_json(message, told);
            if (const auto *asks = std::get_if<AskRegister>(&told)) player->emplace(registration(asks->role == Role::robber));
            const std::optional<Said> said = player->value().hear(told);
            return said ? to_json(*said) : Json();
        });
    };
    if (role == "--test") return tartaglia::run(count, words, as_script, as_script);
    log("usage: agent robber|cop, or agent --test PATH...");
    return 2;
}

} // namespace cops
