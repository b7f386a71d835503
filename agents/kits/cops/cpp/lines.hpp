// The lines of the contest of 2005: messages are read from them, and answers are written as such.
#pragma once

#include "messages.hpp"
#include "tartaglia.hpp"

namespace cops {

using tartaglia::text_of;
using tartaglia::word_of;

/** A line that is not as the contest of 2005 defines it, or the end of the input. */
struct LineError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/** Reads the messages of a match. It knows whose they are, because lines do not say which answer is wanted. */
class Reader {
public:
    Reader(std::istream &given, Role side) : in(given), role(side) {}

    /** The next message; nothing at the end of the input. */
    std::optional<Told> next() {
        std::string line;
        if (!read(line)) return std::nullopt;
        if (line == "wsk\\") return skeleton();
        if (line == "wor\\") return world();
        if (line == "from\\") return from();
        if (line == "nowinner:") return tally(std::nullopt);
        if (line == "nottelling:") return Offers{};
        if (line == "ofc\\") {
            Offers offers;
            offers.bots = firsts(section("ofc"));
            return offers;
        }
        if (line == "accused:") return Accused{};
        if (line == "game-over") return GameOver{};
        return tally(words_of_line(line, "winner:").at(0));
    }

private:
    using Words = std::vector<std::string>;

    std::istream &in;
    Role role;
    std::int64_t number = 0; // of the world
    bool has_twist = false;

    bool read(std::string &line) {
        if (!std::getline(in, line)) return false;
        if (!line.empty() && line.back() == '\r') line.pop_back();
        return true;
    }

    std::string line() {
        std::string found;
        if (!read(found)) throw LineError("The input ended within a message.");
        return found;
    }

    void expect(const std::string &wanted) {
        const std::string found = line();
        if (found != wanted) throw LineError("Expected the line " + wanted + ", not " + found + ".");
    }

    /** The words of a line behind its name. */
    static Words words_of_line(const std::string &line, const std::string &name) {
        std::istringstream stream(line);
        std::string word;
        if (!(stream >> word) || word != name) throw LineError("Expected a line of " + name + ", not " + line + ".");
        Words words;
        while (stream >> word) words.push_back(word);
        if (words.empty()) throw LineError("The line " + line + " has no value.");
        return words;
    }

    std::string value(const std::string &name) { return words_of_line(line(), name + ":").at(0); }

    static std::int64_t number_of(const std::string &word) { return std::stoll(word); }

    /** The words of each line of a section whose first line was read. */
    std::vector<Words> section(const std::string &name) {
        std::vector<Words> lines;
        for (std::string found = line(); found != name + "/"; found = line()) lines.push_back(words_of_line(found, name + ":"));
        return lines;
    }

    std::vector<Words> whole_section(const std::string &name) {
        expect(name + "\\");
        return section(name);
    }

    static std::vector<std::string> firsts(const std::vector<Words> &lines) {
        std::vector<std::string> all;
        for (const Words &words : lines) all.push_back(words.at(0));
        return all;
    }

    Told skeleton() {
        Skeleton found;
        found.name = value("name");
        found.robber = value("robber");
        std::string next = line();
        for (; next != "nod\\"; next = line()) found.cops.push_back(words_of_line(next, "cop:").at(0));
        for (const Words &node : section("nod"))
            found.nodes.push_back({node.at(0), word_of<NodeTag>(node.at(1)), number_of(node.at(2)), number_of(node.at(3))});
        for (const Words &edge : whole_section("edg"))
            found.edges.push_back({edge.at(0), edge.at(1), word_of<EdgeType>(edge.at(2))});
        expect("wsk/");
        return found;
    }

    Twist twist() {
        Twist found;
        found.dirty = firsts(section("dc"));
        for (const Words &line : whole_section("sc")) found.control.push_back({line.at(0), line.at(1)});
        for (const Words &line : whole_section("fac"))
            found.accusations.push_back({line.at(0), line.at(1), number_of(line.at(2))});
        return found;
    }

    Told world() {
        World found;
        found.world = number = number_of(value("wor"));
        found.loot = number_of(value("rbd"));
        std::string next = line();
        has_twist = next == "dc\\";
        if (has_twist) {
            found.twist = twist();
            next = line();
        }
        if (next != "bv\\") throw LineError("Expected the line bv\\, not " + next + ".");
        for (const Words &bank : section("bv")) found.banks.push_back({bank.at(0), number_of(bank.at(1))});
        for (const Words &trace : whole_section("ev")) found.evidence.push_back({trace.at(0), number_of(trace.at(1))});
        found.smell = number_of(value("smell"));
        for (const Words &player : whole_section("pl"))
            found.players.push_back({player.at(0), player.at(1), word_of<Ptype>(player.at(2))});
        expect("wor/");
        // The last world asks for nothing.
        if (number < 200) found.asks = role == Role::robber && !has_twist ? WorldAsks::move : WorldAsks::inform;
        return found;
    }

    Told from() {
        AllInforms informs;
        AllPlans plans;
        bool are_informs = true;
        for (std::string next = line(); next != "from/"; next = line()) {
            const std::string bot = words_of_line(next, "from:").at(0);
            are_informs = line() == "inf\\";
            if (are_informs) {
                InformsFrom block{bot, {}};
                for (const Words &each : section("inf"))
                    block.informs.push_back({each.at(0), each.at(1), word_of<Ptype>(each.at(2)), number_of(each.at(3)), number_of(each.at(4))});
                informs.from.push_back(block);
            } else {
                PlanFrom block{bot, {}};
                for (const Words &each : section("plan"))
                    block.plan.push_back({each.at(0), each.at(1), word_of<Ptype>(each.at(2)), number_of(each.at(3))});
                plans.from.push_back(block);
            }
        }
        if (are_informs) return informs;
        return plans;
    }

    Told tally(const std::optional<std::string> &winner) const {
        Tally found;
        found.winner = winner;
        if (role == Role::robber) found.asks = TallyAsks::bribe;
        else if (number % 2 == 1) found.asks = has_twist ? TallyAsks::orders : TallyAsks::move;
        return found;
    }
};

/** Writes answers. */
class Writer {
public:
    explicit Writer(std::ostream &given) : out(given) {}

    void write(const Said &said) {
        std::visit([this](const auto &answer) { lines(answer); }, said);
        out << std::flush;
    }

private:
    std::ostream &out;

    template <class List, class F> void section(const char *name, const List &list, F words_of) {
        out << name << "\\\n";
        for (const auto &each : list) out << name << ": " << words_of(each) << "\n";
        out << name << "/\n";
    }

    static std::string same(const std::string &word) { return word; }
    static std::string move_of(const BotMove &move) { return move.loc + " " + text_of(move.ptype) + " " + move.bot; }

    void lines(const Register &said) { out << "reg: " << said.bot << " " << text_of(said.ptype) << "\n"; }

    void lines(const Informs &said) {
        section("inf", said.informs, [](const Inform &each) {
            return each.bot + " " + each.loc + " " + text_of(each.ptype) + " " + std::to_string(each.world) + " " +
                   std::to_string(each.certainty);
        });
    }

    void lines(const Plan &said) {
        section("plan", said.plan, [](const Planned &each) {
            return each.bot + " " + each.loc + " " + text_of(each.ptype) + " " + std::to_string(each.world);
        });
    }

    void lines(const Vote &said) { section("vote", said.ballot, same); }

    void lines(const Move &said) { out << "mov: " << said.loc << " " << text_of(said.ptype) << "\n"; }

    void lines(const Orders &said) {
        if (!said.market) return section("mov", said.moves, move_of);
        out << "cmov\\\n" << text_of(*said.market) << ":\n";
        section("mov", said.moves, move_of);
        section("acc", said.accuse, same);
        out << "cmov/\n";
    }

    void lines(const Bribe &said) { out << (said.asks ? "bribe:\n" : "nobribe:\n"); }

    void lines(const RobberOrders &said) {
        out << "rmov\\\nmov: " << move_of(said.move) << "\n";
        if (said.push) out << "psh: " << said.push->bot << " " << said.push->loc << "\n";
        else if (said.choose) section("chc", *said.choose, same);
        else out << "nobribe:\n";
        out << "rmov/\n";
    }
};

} // namespace cops
