// Plays by the rules with a simple strategy: it demands everything that is worth something to it and accepts half of the
// total value. The three functions at the end of the class make its decisions: start there.
#include "haggle.hpp"

using haggle::Share;

class Agent {
public:
    explicit Agent(const haggle::Opt &opt)
        : me(opt.me), counts(opt.counts), values(opt.values), max_rounds(opt.max_rounds) {}

    /** My turn. `offered` is what the partner leaves me, if it has made an offer. Returns what I demand; nothing: I accept. */
    std::optional<Share> offer(const std::optional<Share> &offered) {
        turn += 1;
        if (!offered) return demand();
        offers.push_back(*offered);
        if (is_enough(*offered)) return std::nullopt;
        return demand();
    }

private:
    std::int64_t me;             // 0: the first turn is mine
    Share counts;                // the number of objects of each type
    Share values;               // the value of one object of each type to me
    std::int64_t max_rounds;     // the maximum number of turns for each of us
    std::vector<Share> offers;   // the offers so far, oldest first
    int turn = 0;                // the number of its current turn, from 1

    /** The value of a share to me. */
    std::int64_t worth(const Share &share) const {
        std::int64_t sum = 0;
        for (std::size_t type = 0; type < share.size(); type++) sum += share[type] * values[type];
        return sum;
    }

    /** True if an offer is good enough to accept. */
    bool is_enough(const Share &offered) const { return 2 * worth(offered) >= worth(counts); }

    /** The share to demand. */
    Share demand() const {
        Share wanted = counts;
        for (std::size_t type = 0; type < wanted.size(); type++)
            if (values[type] <= 0) wanted[type] = 0;
        return wanted;
    }

    /** The apparent value of an object of each type to the partner; only the proportions matter. */
    std::vector<double> dear() const { return std::vector<double>(counts.size(), 1); }
};

int main(int count, char **words) { return haggle::play<Agent>(count, words); }
