// A team whose herders wander about. One object plays all of them, so each knows what the others have seen. The last
// functions of the class choose where a herder goes: start there.
#include "cows.hpp"

#include <limits>
#include <map>
#include <set>

using cows::Action;
using cows::Perception;

/** A place; x grows to the east, y to the south. The middle of something may lie between two cells. */
struct Place {
    double x;
    double y;
    bool operator<(const Place &other) const { return x != other.x ? x < other.x : y < other.y; }
    bool operator==(const Place &other) const { return x == other.x && y == other.y; }
};

/** A cow that some herder has seen, and the step in which that was. */
struct Cow {
    std::string name;
    Place place;
    std::int64_t step;
};

/** Moves by the change of x and y. */
const std::map<Place, Action> MOVES = {
    {{0, -1}, Action::north}, {{1, -1}, Action::northeast}, {{1, 0}, Action::east},  {{1, 1}, Action::southeast},
    {{0, 1}, Action::south},  {{-1, 1}, Action::southwest}, {{-1, 0}, Action::west}, {{-1, -1}, Action::northwest},
};

class Herders {
public:
    explicit Herders(const cows::Start &given)
        : start(given), home{static_cast<double>(start.corral.x0 + start.corral.x1) / 2,
                             static_cast<double>(start.corral.y0 + start.corral.y1) / 2} {}

    Action act(std::int64_t body, const Perception &perception) {
        look(perception);
        return walk(perception, goal(body, perception));
    }

private:
    cows::Start start;
    Place home;                          // the middle of the corral
    std::vector<Cow> herd;               // cows that some herder has seen lately
    std::map<std::int64_t, Cow> chosen;  // the cow that each herder drives

    /** Remembers the cows that a herder sees, and forgets those that are not where they were. */
    void look(const Perception &perception) {
        std::set<Place> seen;
        for (const auto &cell : perception.cells)
            if (!cell.unknown) seen.insert(place_of(perception, cell));
        std::vector<Cow> kept;
        for (const Cow &cow : herd)
            if (seen.count(cow.place) == 0 && perception.step - cow.step <= 30) kept.push_back(cow);
        herd = kept;
        for (const auto &cell : perception.cells)
            if (cell.cow) remember({*cell.cow, place_of(perception, cell), perception.step});
    }

    void remember(const Cow &seen) {
        for (Cow &cow : herd)
            if (cow.name == seen.name) {
                cow = seen;
                return;
            }
        herd.push_back(seen);
    }

    /** The place of a cell, which is told relative to the herder. */
    Place place_of(const Perception &perception, const cows::Cell &cell) const {
        return {static_cast<double>(perception.x + cell.x), static_cast<double>(perception.y + cell.y)};
    }

    /** The move to the best free cell on the way to a goal; the first of equals. */
    Action walk(const Perception &perception, Place goal) const {
        Action best = Action::skip;
        double most = -std::numeric_limits<double>::infinity();
        if (Place{static_cast<double>(perception.x), static_cast<double>(perception.y)} == goal) return best;
        for (const auto &cell : perception.cells) {
            const auto move = MOVES.find({static_cast<double>(cell.x), static_cast<double>(cell.y)});
            if (move == MOVES.end() || cell.cow || cell.agent || cell.obstacle) continue;
            const double worth_of_it = worth(place_of(perception, cell), goal);
            if (worth_of_it <= most) continue;
            best = move->second;
            most = worth_of_it;
        }
        return best;
    }

    /** The distance between two places in a straight line. */
    double distance(Place a, Place b) const {
        return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
    }

    /** The place beyond a cow, seen from home, at a distance. */
    Place beyond(Place cow, double far) const {
        const double length = distance(cow, home);
        const auto along = [&](double a, double b) { return std::floor(a + (a - b) * far / length + 0.5); };
        return {along(cow.x, home.x), along(cow.y, home.y)};
    }

    /** A place to explore: a different one for each herder, and every 20 steps. */
    Place somewhere(std::int64_t body, std::int64_t step) const {
        const std::int64_t number = 7 * body + step / 20;
        return {static_cast<double>(13 * number % start.width), static_cast<double>(29 * number % start.height)};
    }

    /** A herder's rating of a place on the way to its goal. */
    double worth(Place place, Place goal) const { return -distance(place, goal); }

    /** The cow that a herder drives; the first of equals. */
    std::optional<Cow> choose(std::int64_t body, Place me) {
        std::optional<Cow> best;
        double least = std::numeric_limits<double>::infinity();
        for (const Cow &cow : herd) {
            const double way = distance(me, cow.place) + distance(cow.place, home);
            if (way >= least) continue;
            best = cow;
            least = way;
        }
        if (best) chosen.insert_or_assign(body, *best);
        else chosen.erase(body);
        return best;
    }

    /** The place that a herder heads for. */
    Place goal(std::int64_t body, const Perception &perception) { return somewhere(body, perception.step); }
};

int main(int count, char **words) { return cows::play<Herders>(count, words); }
