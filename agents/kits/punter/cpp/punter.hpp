// Lambda Punter for programs in C++: the dialogue, and what an agent must have.
#pragma once

#include "messages.hpp"
#include "tartaglia.hpp"

#include <memory>

namespace punter {

using tartaglia::Json;
using tartaglia::log;

/** A player of one match. Your agent is such a class, which is made of the `Setup` of the match: see agent.cpp. */
class Player {
public:
    virtual ~Player() = default;

    /** My turn. `moves` are the last moves of all punters, mine among them. An illegal move counts as a pass. */
    virtual Move move(const std::vector<Move> &moves) = 0;

    /** Asked in matches with futures: the sites that I bet on, at most one for each mine. */
    virtual std::vector<Future> futures() { return {}; }

    /** Called at the end of a match. */
    virtual void stop(const Stop &) {}
};

/** Prints the problems of the last move. */
inline void log_notes(const std::optional<std::vector<std::string>> &notes) {
    if (!notes) return;
    for (const std::string &note : *notes) log(note);
}

/** The dialogue of a match. */
template <class Agent> tartaglia::Dialogue new_match() {
    const auto agent = std::make_shared<std::optional<Agent>>();
    return [agent](const Json &message) {
        Told told;
        from_json(message, told);
        if (const Setup *setup = std::get_if<Setup>(&told)) {
            Agent &made = agent->emplace(*setup);
            Ready ready;
            ready.ready = setup->punter;
            ready.futures = setup->settings && setup->settings->futures ? made.futures() : std::vector<Future>();
            return to_json(ready);
        }
        if (const Stop *stop = std::get_if<Stop>(&told)) {
            log_notes(stop->notes);
            agent->value().stop(*stop);
            return to_json(Stopped{});
        }
        const Turn &turn = std::get<Turn>(told);
        log_notes(turn.notes);
        const Move move = agent->value().move(turn.moves);
        return std::visit([](const auto &each) { return to_json(each); }, move);
    };
}

/** The main function of an agent; see `tartaglia::run`. Saved moves have the messages and answers of programs. */
template <class Agent> int play(int count, char **words) {
    return tartaglia::run(count, words, new_match<Agent>, new_match<Agent>);
}

} // namespace punter
