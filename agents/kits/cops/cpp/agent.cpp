// A robber and a cop that wander about. The last functions of each class make the decisions: start there.
//
// agent.json starts this program with the role as its argument.
#include "cops.hpp"

#include <algorithm>
#include <limits>
#include <map>

using cops::Inform;
using cops::Names;
using cops::Ptype;
using cops::World;

constexpr double INFINITE = std::numeric_limits<double>::infinity();

bool contains(const Names &names, const std::string &name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add(Names &names, const std::string &name) {
    if (!contains(names, name)) names.push_back(name);
}

/** The map from the point of view of a player that moves on it. */
class Town {
public:
    explicit Town(const cops::Skeleton &game) {
        for (const auto &node : game.nodes) foot[node.loc] = car[node.loc] = {node.loc};
        for (const auto &edge : game.edges) {
            add(car[edge.from], edge.to);
            if (edge.type == cops::EdgeType::car) continue;
            add(foot[edge.from], edge.to);
            add(foot[edge.to], edge.from);
        }
    }

    /** The corners that a player can be on after a move. Standing still is a move. */
    const Names &next(const std::string &loc, Ptype ptype) const { return (ptype == Ptype::cop_car ? car : foot).at(loc); }

    /** The number of moves to each corner. */
    const std::map<std::string, int> &moves(const std::string &from, Ptype ptype) {
        auto [place, is_new] = known.try_emplace({from, ptype});
        if (!is_new) return place->second;
        std::map<std::string, int> &found = place->second = {{from, 0}};
        Names queue = {from};
        for (std::size_t at = 0; at < queue.size(); at++) {
            const std::string loc = queue[at];
            for (const std::string &to : next(loc, ptype))
                if (found.emplace(to, found[loc] + 1).second) queue.push_back(to);
        }
        return found;
    }

private:
    /** The corners next to each corner, on foot and by car. */
    std::map<std::string, Names> foot, car;
    /** Results of `moves`. */
    std::map<std::pair<std::string, Ptype>, std::map<std::string, int>> known;
};

/** The corner with the best rating; the first of equals. */
template <class F> std::string best_of(const Names &corners, F worth) {
    std::string best;
    double most = -INFINITE;
    for (const std::string &corner : corners) {
        const double rating = worth(corner);
        if (rating <= most && !best.empty()) continue;
        best = corner;
        most = rating;
    }
    return best;
}

class Robber : public cops::RobberBrain {
public:
    explicit Robber(const cops::Skeleton &game) : name(game.name), town(game) {}

    cops::RobberMove move(const World &world, const std::optional<Names> &) override {
        std::string here;
        for (const auto &player : world.players)
            if (player.bot == name) here = player.loc;
        return {best_of(town.next(here, Ptype::robber), [&](const std::string &corner) { return worth(corner, world); })};
    }

private:
    std::string name;
    Town town;

    /** The number of moves from the nearest cop to a corner. */
    double safety(const std::string &corner, const World &world) {
        double least = INFINITE;
        for (const auto &player : world.players) {
            if (player.bot == name) continue;
            const auto &moves = town.moves(player.loc, player.ptype);
            const auto found = moves.find(corner);
            if (found != moves.end()) least = std::min(least, static_cast<double>(found->second));
        }
        return least;
    }

    /** The robber's rating of a corner; it moves to the best one. */
    double worth(const std::string &corner, const World &world) {
        return static_cast<double>((static_cast<std::int64_t>(corner.size()) + world.world) % 7);
    }
};

class Cop : public cops::CopBrain {
public:
    explicit Cop(const cops::Skeleton &game) : name(game.name), robber(game.robber), town(game) {
        while (number < game.cops.size() && game.cops[number] != name) number++;
        for (const auto &node : game.nodes) {
            if (node.tag == cops::NodeTag::bank) banks.push_back(node.loc);
            if (node.tag == cops::NodeTag::robber_start) suspects.push_back(node.loc);
        }
    }

    /** Called after the robber's move: works out where it may be, and informs the other cops. */
    std::vector<Inform> inform(const World &world) override {
        Names all, left;
        for (const std::string &loc : suspects)
            for (const std::string &to : town.next(loc, Ptype::robber)) add(all, to);
        for (const auto &player : world.players)
            if (player.bot == robber) left = {player.loc};
        if (left.empty())
            for (const std::string &corner : all)
                if (suspect(corner, world)) left.push_back(corner);
        suspects = left.empty() ? all : left;
        Names without;
        for (const std::string &corner : all)
            if (!contains(suspects, corner)) without.push_back(corner);
        return tell(without, world);
    }

    /** Receives the reports of all cops. Suggests nothing. */
    std::vector<cops::Planned> plan(const std::vector<cops::InformsFrom> &informs, const World &) override {
        std::vector<Inform> all;
        for (const auto &from : informs) all.insert(all.end(), from.informs.begin(), from.informs.end());
        hear(all);
        return {};
    }

    cops::CopOrders move(const std::optional<std::string> &, const World &world) override {
        const auto [loc, ptype] = me(world);
        return {{{name, best_of(town.next(loc, ptype), [&](const std::string &corner) { return hope(corner, world); }), ptype}}};
    }

private:
    std::string name;
    std::string robber;
    std::size_t number = 0; // which of the five cops it is, from 0
    Names banks;
    Town town;
    Names suspects; // the corners where the robber may be

    /** My corner, and my type: on foot or in a car. */
    std::pair<std::string, Ptype> me(const World &world) const {
        for (const auto &player : world.players)
            if (player.bot == name) return {player.loc, player.ptype};
        throw std::runtime_error("The world does not show this cop.");
    }

    /** Chooses from the corners without the robber those to report: only its own corner. */
    std::vector<Inform> tell(const Names &corners, const World &world) const {
        std::vector<Inform> told;
        for (const std::string &corner : corners)
            if (corner == me(world).first) told.push_back({robber, corner, Ptype::robber, world.world, -100});
        return told;
    }

    /** Uses the reports of all cops: believes the first one that is certain of the robber's corner. */
    void hear(const std::vector<Inform> &informs) {
        for (const Inform &each : informs)
            if (each.bot == robber && each.certainty == 100) {
                suspects = {each.loc};
                return;
            }
    }

    /** True if the robber, while nobody sees it, may be on a corner. */
    bool suspect(const std::string &corner, const World &world) const { return corner != me(world).first; }

    /** The cop's rating of a corner; it moves to the best one. */
    double hope(const std::string &corner, const World &world) {
        return static_cast<double>((static_cast<std::int64_t>(corner.size()) + world.world) % 7);
    }
};

int main(int count, char **words) { return cops::play<Robber, Cop>("Fox", Ptype::cop_foot, count, words); }
