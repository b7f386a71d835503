// Haggling for programs in C++: the dialogue, and what an agent must have.
#pragma once

#include "messages.hpp"
#include "tartaglia.hpp"

#include <memory>

namespace haggle {

using tartaglia::Json;
using tartaglia::log;

/** A number of objects for each type. */
using Share = std::vector<std::int64_t>;

/** The dialogue of a match. An agent is made of the `Opt` of a match, and has `offer`: see agent.cpp. */
template <class Agent> tartaglia::Dialogue new_match() {
    const auto agent = std::make_shared<std::optional<Agent>>();
    return [agent](const Json &message) {
        Told told;
        from_json(message, told);
        if (const Start *start = std::get_if<Start>(&told)) {
            agent->emplace(start->opt);
            return to_json(Ready{});
        }
        Demand demand;
        demand.offer = agent->value().offer(std::get<Turn>(told).offer);
        return to_json(demand);
    };
}

/** The same with the messages of saved moves: those that scripts get. */
template <class Agent> tartaglia::Dialogue as_script() {
    return [answer = new_match<Agent>()](const Json &message) {
        Json told = Json::Object{};
        if (message.at("type") == Json("start")) {
            Json opt = message;
            opt.set("max_rounds", message.at("maxRounds"));
            told.set("type", "start");
            told.set("opt", opt);
        } else {
            told.set("type", "offer");
            if (!message.at("offer").is_null()) told.set("offer", message.at("offer"));
        }
        const Json answered = answer(told);
        const Json *demand = answered.find("offer");
        Json value = Json::Object{};
        value.set("value", demand == nullptr ? Json() : *demand);
        return value;
    };
}

/** The main function of an agent; see `tartaglia::run`. */
template <class Agent> int play(int count, char **words) {
    return tartaglia::run(count, words, new_match<Agent>, as_script<Agent>);
}

} // namespace haggle
