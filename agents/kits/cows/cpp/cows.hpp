// Cows and Herders for programs in C++: the dialogue, and what a team must have. One program plays all herders of a team.
#pragma once

#include "messages.hpp"
#include "tartaglia.hpp"

#include <memory>

namespace cows {

using tartaglia::Json;
using tartaglia::log;

/** The dialogue of a match. A team is made of the first message, and has `act`: see agent.cpp. */
template <class Team> tartaglia::Dialogue new_match() {
    const auto team = std::make_shared<std::optional<Team>>();
    return [team](const Json &message) {
        const std::int64_t body = message.at("body").integer();
        Told told;
        from_json(message, told);
        Json answer;
        if (const Start *start = std::get_if<Start>(&told)) {
            // Each herder receives the same message.
            if (!*team) team->emplace(*start);
            answer = to_json(Ready{});
        } else {
            Act act;
            act.action = team->value().act(body, std::get<Perception>(told));
            answer = to_json(act);
        }
        answer.set("body", body);
        return answer;
    };
}

/** The same with the messages of saved moves, which have the answers of scripts. */
template <class Team> tartaglia::Dialogue as_script() {
    return [answer = new_match<Team>()](const Json &message) {
        Json answered = answer(message);
        answered.remove("body");
        return answered;
    };
}

/** The main function of a team; see `tartaglia::run`. */
template <class Team> int play(int count, char **words) {
    return tartaglia::run(count, words, new_match<Team>, as_script<Team>);
}

} // namespace cows
