// Plays the Specker Challenge Game by its rules, and otherwise at random. The four functions below decide how it plays
// max-csp: start there. specker.hpp keeps the rules, and challenges.hpp plays the other built-in challenges at random.
#include "specker.hpp"

using specker::ENERGY;
using specker::Instance;
using specker::Integer;
using specker::Integers;
using specker::Relation;

/** It has `limit("maxVars")`, `limit("maxConstraints")`, `limit("maxWeight")`, `weight_met(instance, values)` and `random(below)`. */
class Agent : public specker::Player {
public:
    using Player::Player;

protected:
    /** True to buy raw material of these relations at this price, in 10^-9 energy. */
    bool is_worth(const Integers &, Integer price) override { return random(ENERGY) >= price; }

    /** The relation to sell, from 0 to 255, and its price in 10^-9 energy. */
    Relation idea() override { return {random(256), random(ENERGY + 1)}; }

    /** The raw material to deliver: the harder, the better. */
    Instance raw_material(const Integers &relations) override {
        Instance instance{3, {}};
        for (const Integer relation : relations)
            if (static_cast<Integer>(instance.constraints.size()) < limit("maxConstraints"))
                instance.constraints.push_back({1, relation, {1, 2, 3}});
        return instance;
    }

    /** A value for each variable, 0 or 1: the more weight is satisfied, the better. */
    Integers solve(const Instance &instance) override {
        Integers values(static_cast<std::size_t>(instance.variables));
        for (Integer &value : values) value = random(2);
        return values;
    }
};

int main(int count, char **words) { return specker::play<Agent>(count, words); }
