// The Specker Challenge Game for programs in C++: the dialogue, and a player that keeps the rules in any built-in challenge.
#pragma once

#include "challenges.hpp"
#include "messages.hpp"
#include "sha256.hpp"
#include "tartaglia.hpp"

#include <chrono>

namespace specker {

using tartaglia::log;

/** A constraint of max-csp. */
struct Constraint {
    Integer weight;
    /** 0 to 255: bit 4x + 2y + z is 1 if the constraint is satisfied when its three variables are x, y and z. */
    Integer relation;
    /** Three different variables. */
    Integers variables;
};

/** Raw material of max-csp. Variables are numbered from 1 to `variables`. */
struct Instance {
    Integer variables;
    std::vector<Constraint> constraints;
};

/** A relation to sell, and its price in 10^-9 energy. */
struct Relation {
    Integer relation;
    Integer price;
};

/**
 * Does what the rules require in any challenge. The functions is_worth, idea, raw_material and solve decide how max-csp is
 * played: see agent.cpp.
 */
class Player {
public:
    explicit Player(const Start &given) : start(given), random(given.me + 1) {}
    virtual ~Player() = default;
    Player(const Player &) = delete;

    std::vector<Action> turn(const Turn &view);

protected:
    Start start;
    Random random;
    /** Secrets of its own secret challenges by number, until they are revealed: the solution and the nonce. */
    std::map<Integer, std::pair<Json, std::string>> secrets;

    /** A setting of the challenge; for max-csp maxVars, maxConstraints and maxWeight. */
    Integer limit(const char *name) const { return whole(start.challenge.config, name); }

    /** The weight of the constraints that these values satisfy. */
    static Integer weight_met(const Instance &instance, const Integers &values) {
        Integer met = 0;
        for (const Constraint &each : instance.constraints) {
            Integer row = 0;
            for (const Integer variable : each.variables) row = 2 * row + values[static_cast<std::size_t>(variable - 1)];
            if ((each.relation >> row) % 2 == 1) met += each.weight;
        }
        return met;
    }

    virtual bool is_worth(const Integers &relations, Integer price) = 0;
    virtual Relation idea() = 0;
    virtual Instance raw_material(const Integers &relations) = 0;
    virtual Integers solve(const Instance &instance) = 0;

private:
    friend class MaxCsp;
    using Lowest = std::map<std::string, Integer>;
    std::unique_ptr<Craft> made;

    Craft &craft();
    Deliver delivery(const Sold &offer);
    void trade(const Turn &view, std::vector<Action> &actions);
    void buy_or_lower(const Turn &view, Kind kind, Lowest &lowest, std::vector<Action> &actions);
    std::optional<Idea> new_offer(const Lowest &lowest);
    std::optional<Integer> league_parts() const;
};

/** Adapts the functions of the player to the interface of all challenges. */
class MaxCsp : public Craft {
public:
    explicit MaxCsp(Player &given) : player(given) {}

    bool is_worth(const Json &predicate, Integer price) override { return player.is_worth(relations_of(predicate), price); }

    std::optional<Idea> idea(Integer parts) override {
        const auto [relation, price] = player.idea();
        if (parts == 1) return Idea{object({{"relations", Integers{relation}}}), price};
        // Different relations with the same number of rows never imply each other.
        std::vector<Integers> equals;
        for (int rows = 0; rows <= 8; rows++) {
            Integers same;
            for (Integer each = 0; each < 256; each++)
                if (rows_of(each) == rows) same.push_back(each);
            if (static_cast<Integer>(same.size()) >= parts) equals.push_back(same);
        }
        if (equals.empty()) return std::nullopt;
        const Integers &same = equals[static_cast<std::size_t>(player.random(static_cast<Integer>(equals.size())))];
        return Idea{object({{"relations", player.random.pick(same, parts)}}), price};
    }

    Material raw_material(const Json &predicate) override {
        const Instance instance = player.raw_material(relations_of(predicate));
        const Integers values = player.solve(instance);
        Json::Array constraints;
        Integer weight = 0;
        for (const Constraint &each : instance.constraints) {
            weight += each.weight;
            constraints.push_back(object({{"weight", each.weight}, {"relation", each.relation}, {"variables", each.variables}}));
        }
        const std::string quality = std::to_string(Player::weight_met(instance, values)) + "/" + std::to_string(weight);
        return {object({{"variables", instance.variables}, {"constraints", constraints}}), object({{"values", values}}), quality};
    }

    Json solve(const Json &given) override {
        Instance instance{whole(given, "variables"), {}};
        for (const Json &each : given.at("constraints").array())
            instance.constraints.push_back({whole(each, "weight"), whole(each, "relation"), integers(each.at("variables"))});
        return object({{"values", player.solve(instance)}});
    }

private:
    Player &player;

    static Integers integers(const Json &list) {
        Integers found;
        tartaglia::from_json(list, found);
        return found;
    }

    static Integers relations_of(const Json &predicate) { return integers(predicate.at("relations")); }

    static int rows_of(Integer relation) {
        int rows = 0;
        for (; relation > 0; relation /= 2) rows += relation % 2 == 1 ? 1 : 0;
        return rows;
    }
};

inline Craft &Player::craft() {
    if (made) return *made;
    const auto &[name, limits] = std::tie(start.challenge.name, start.challenge.config);
    if (name == "max-csp") made = std::make_unique<MaxCsp>(*this);
    else made = std::make_unique<OtherCraft>(name, limits, random);
    return *made;
}

inline std::vector<Action> Player::turn(const Turn &view) {
    std::vector<Action> actions;
    // Rule 4: fulfil obligations first.
    for (const Sold &sold : view.toDeliver) actions.push_back(delivery(sold));
    for (const ToSolve &due : view.toSolve) actions.push_back(Solve{due.challenge, craft().solve(due.instance)});
    if (view.toReveal)
        for (const ToReveal &due : *view.toReveal) {
            const auto &[solution, nonce] = secrets.at(due.challenge);
            actions.push_back(Reveal{due.challenge, solution, nonce});
        }
    if (view.trading) trade(view, actions);
    return actions;
}

inline Deliver Player::delivery(const Sold &offer) {
    const Material material = craft().raw_material(offer.predicate);
    Deliver deliver{offer.challenge, material.instance, std::nullopt};
    if (offer.kind != Kind::secret) return deliver;
    std::string nonce;
    while (nonce.size() < 64) nonce += "0123456789abcdef"[random(16)];
    secrets[offer.challenge] = {material.solution, nonce};
    deliver.secret = Secret{material.quality, sha256(Json(Json::Array{material.solution, nonce}).print())};
    return deliver;
}

/** Rules 2 and 3: buys one challenge or lowers all offers of others, and offers something new. */
inline void Player::trade(const Turn &view, std::vector<Action> &actions) {
    const Config &config = start.config;
    const Kind kind = config.variant == Variant::belief   ? Kind::belief
                      : config.variant == Variant::secret ? Kind::secret
                                                          : Kind::classic;
    /** The lowest price of each predicate for sale as the same kind as mine. */
    Lowest lowest;
    Integer mine = 0;
    for (const StoreEntry &offer : view.store) {
        mine += offer.seller == start.me ? 1 : 0;
        if (offer.kind.value_or(Kind::classic) != kind) continue;
        Integer &price = lowest.emplace(key_of(offer.predicate), offer.price).first->second;
        price = std::min(price, offer.price);
    }
    if (!view.step || view.step == Step::decide) buy_or_lower(view, kind, lowest, actions);
    if (view.step && view.step != Step::offer) return;
    const Integer wanted = config.mode != Mode::asynchronous ? std::max<Integer>(1, config.offersMin)
                           : mine < config.offersMax         ? 1
                                                             : 0;
    for (Integer offered = 0; offered < wanted; offered++) {
        const std::optional<Idea> idea = new_offer(lowest);
        if (!idea) return;
        lowest[key_of(idea->predicate)] = idea->price;
        actions.push_back(Offer{idea->predicate, idea->price, std::nullopt, std::nullopt});
    }
}

inline void Player::buy_or_lower(const Turn &view, Kind kind, Lowest &lowest, std::vector<Action> &actions) {
    for (const StoreEntry &offer : view.store) {
        if (offer.seller == start.me || offer.price >= view.account) continue;
        if (offer.price > 0 && !craft().is_worth(offer.predicate, offer.price)) continue;
        actions.push_back(Accept{offer.challenge});
        return;
    }
    if (start.config.mode == Mode::asynchronous) return;
    for (const StoreEntry &offer : view.store) {
        if (offer.seller == start.me) continue;
        const Integer price = std::max<Integer>(0, offer.price - start.config.mindec);
        actions.push_back(Reoffer{offer.challenge, price});
        if (offer.kind.value_or(Kind::classic) != kind) continue;
        Integer &least = lowest.emplace(key_of(offer.predicate), price).first->second;
        least = std::min(least, price);
    }
}

/** An offer of a predicate that nobody offers or, if none is left, at a price below all others. */
inline std::optional<Idea> Player::new_offer(const Lowest &lowest) {
    const std::optional<Integer> parts = league_parts();
    for (int tries = 0; tries < 300; tries++) {
        std::optional<Idea> idea = craft().idea(parts ? *parts : tries < 200 ? 1 : 1 + random(5));
        if (!idea) continue;
        const auto taken = lowest.find(key_of(idea->predicate));
        if (taken == lowest.end() || taken->second > idea->price) return idea;
        idea->price = taken->second - 1;
        if (tries >= 250 && idea->price >= 0) return idea;
    }
    return std::nullopt;
}

/** The number of parts that predicates must have in this match, if it has such a league. */
inline std::optional<Integer> Player::league_parts() const {
    const std::string league = start.config.league.value_or("");
    if (league.rfind("level-k", 0) == 0) return start.config.leagueParameter.value_or(2);
    if (league == "t-ball" || league == "slow-pitch") return 1;
    return std::nullopt;
}

/** The dialogue of a match. */
template <class Agent> tartaglia::Dialogue new_match() {
    const auto agent = std::make_shared<std::optional<Agent>>();
    return [agent](const Json &message) {
        Told told;
        from_json(message, told);
        if (const Start *start = std::get_if<Start>(&told)) {
            agent->emplace(*start);
            return to_json(Ready{});
        }
        // A player that is removed is told so, and asked for nothing.
        if (std::holds_alternative<Removed>(told)) return Json();
        Bundle bundle;
        bundle.actions = agent->value().turn(std::get<Turn>(told));
        return to_json(bundle);
    };
}

/** The main function of an agent; see `tartaglia::run`. Saved moves have the messages and answers of programs. */
template <class Agent> int play(int count, char **words) {
    return tartaglia::run(count, words, new_match<Agent>, new_match<Agent>);
}

} // namespace specker
