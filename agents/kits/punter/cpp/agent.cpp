// Claims rivers by the rules and without much thought: always the first free one. The last function of the class rates
// rivers: start there.
#include "punter.hpp"

#include <algorithm>
#include <map>

using punter::Ends;
using punter::Move;

class Agent : public punter::Player {
public:
    explicit Agent(const punter::Setup &setup) : me(setup.punter), mines(setup.map.mines), free(setup.map.rivers) {
        for (const std::int64_t mine : mines) distances[mine] = reach(mine, free);
    }

    Move move(const std::vector<Move> &moves) override {
        for (const Move &each : moves)
            if (const auto *claim = std::get_if<punter::Claim>(&each)) hear(claim->claim);
        const std::optional<Ends> river = choose();
        if (!river) return punter::Pass{{me}};
        return punter::Claim{{me, river->source, river->target}};
    }

private:
    using Reach = std::map<std::int64_t, std::int64_t>;

    std::int64_t me;                          // my number
    std::vector<std::int64_t> mines;          // the sites that are mines
    std::vector<Ends> free;                   // rivers that nobody has
    std::vector<Ends> own;                    // my own
    std::vector<Ends> others;                 // those of all others
    std::map<std::int64_t, Reach> distances;  // by mine: the number of rivers from it to each site

    /** Records the claim of a river. */
    void hear(const punter::River &claim) {
        (claim.punter == me ? own : others).push_back({claim.source, claim.target});
        const auto is_it = [&](const Ends &river) {
            return (river.source == claim.source && river.target == claim.target) ||
                   (river.source == claim.target && river.target == claim.source);
        };
        free.erase(std::remove_if(free.begin(), free.end(), is_it), free.end());
    }

    /** The sites that can be reached from a site over some rivers, each with the number of rivers on the way. */
    Reach reach(std::int64_t from, const std::vector<Ends> &rivers) const {
        std::map<std::int64_t, std::vector<std::int64_t>> next;
        for (const Ends &river : rivers) {
            next[river.source].push_back(river.target);
            next[river.target].push_back(river.source);
        }
        Reach found = {{from, 0}};
        std::vector<std::int64_t> queue = {from};
        for (std::size_t at = 0; at < queue.size(); at++) {
            const std::int64_t site = queue[at];
            for (const std::int64_t there : next[site])
                if (found.emplace(there, found[site] + 1).second) queue.push_back(there);
        }
        return found;
    }

    /** The free river with the best rating; the first of equals. */
    std::optional<Ends> choose() const {
        std::optional<Ends> best;
        std::int64_t most = -1;
        for (const Ends &river : free) {
            const std::int64_t rating = worth(river);
            if (rating <= most) continue;
            best = river;
            most = rating;
        }
        return best;
    }

    /** The rating of a free river: 0 or more. */
    std::int64_t worth(const Ends &) const { return 1; }
};

int main(int count, char **words) { return punter::play<Agent>(count, words); }
