// The other built-in challenges: any predicate, the smallest possible raw material, any solution; bought and priced at random.
#pragma once

#include "crafts.hpp"

#include <functional>
#include <map>

namespace specker {

/** A craft without decisions. `predicate`: one of this many parts, null if there is none. */
struct BuiltIn {
    std::function<Json(Integer parts)> predicate;
    std::function<Material(const Json &predicate)> raw_material;
    std::function<Json(const Json &instance)> solve;
};

/** Numbers of a solution that has the first of something, and nothing else. */
inline const Json FIRST = Json::Array{1};

/** The positive root of a cubic equation, by bisection. */
inline double root_of(const Json &question) {
    const std::string &kind = question.at("kind").at("$").text();
    const double a = question.at("a").number(), b = question.at("b").number();
    double low = 0, high = a + b + 1;
    for (int step = 0; step < 100; step++) {
        const double x = (low + high) / 2;
        const double middle = a * (kind.find("Unknowns") != std::string::npos ? x : x * x);
        if (x * x * x + (kind.rfind("Cubes", 0) == 0 ? -middle : middle) < b) low = x;
        else high = x;
    }
    return low;
}

/** The element of a list whose measure is least; the first of equals. */
template <class F> const Json &least(const Json &list, F measure) {
    return *std::min_element(list.array().begin(), list.array().end(),
                             [&](const Json &a, const Json &b) { return measure(a) < measure(b); });
}

inline BuiltIn max_sat(const Json &limits, Random &random) {
    return {
        [&](Integer parts) {
            const Integer longest = std::min(whole(limits, "maxVars"), whole(limits, "maxClauseLength"));
            const Integer shortest = std::max<Integer>(1, parts - 1);
            if (shortest > longest) return Json();
            const Integer length = shortest + random(longest - shortest + 1);
            Json::Array types;
            for (const Integer positives : random.pick(numbers(length + 1), parts))
                types.push_back(object({{"length", length}, {"positives", positives}}));
            return object({{"types", types}});
        },
        [](const Json &predicate) {
            const Json &type = least(predicate.at("types"), [](const Json &one) { return whole(one, "length"); });
            Integers literals, values;
            for (const Integer variable : numbers(whole(type, "length"), 1)) {
                const bool is_positive = variable <= whole(type, "positives");
                literals.push_back(is_positive ? variable : -variable);
                values.push_back(is_positive ? 1 : 0);
            }
            const Json clause = object({{"weight", 1}, {"literals", literals}});
            const Json instance = object({{"variables", type.at("length")}, {"clauses", Json::Array{clause}}});
            return Material{instance, object({{"values", values}}), "1/1"};
        },
        [&](const Json &instance) {
            Integers values = numbers(whole(instance, "variables"));
            for (Integer &value : values) value = random(2);
            return object({{"values", values}});
        },
    };
}

inline BuiltIn pseudo_boolean(const Json &limits, Random &random) {
    return {
        [&](Integer parts) {
            Json::Array shapes;
            while (static_cast<Integer>(shapes.size()) < parts) {
                Integers coefficients = numbers(1 + random(std::min(whole(limits, "maxTerms"), whole(limits, "maxVars"))));
                Integer sum = 0;
                for (Integer &each : coefficients) sum += each = 1 + random(whole(limits, "maxCoefficient"));
                const Integer bound = random(1 + sum);
                shapes.push_back(object({{"coefficients", coefficients}, {"comparison", object({{"$", "AtLeast"}})}, {"bound", bound}}));
            }
            return object({{"shapes", shapes}});
        },
        [](const Json &predicate) {
            const Json &shape =
                least(predicate.at("shapes"), [](const Json &one) { return size_of(one.at("coefficients")); });
            const std::string &comparison = shape.at("comparison").at("$").text();
            Json::Array variables, literals;
            Integer sum = 0;
            for (const Json &coefficient : shape.at("coefficients").array()) {
                sum += coefficient.integer();
                variables.push_back("x" + std::to_string(variables.size() + 1));
                literals.push_back(object({{"$", "Positive"}, {"variable", variables.back()}}));
            }
            const Integer bound = whole(shape, "bound"), value = comparison == "AtMost" || bound == 0 ? 0 : 1;
            const bool is_met = comparison != "Exactly" || bound == value * sum;
            const Json constraint = object({{"weight", 1}, {"shape", shape}, {"literals", literals}});
            const Json instance = object({{"constraints", Json::Array{constraint}}, {"variables", variables}});
            return Material{instance, object({{"values", Integers(variables.size(), value)}}), is_met ? "1/1" : "0/1"};
        },
        [&](const Json &instance) {
            return object({{"values", each(instance.at("variables"), [&](const Json &) { return random(2); })}});
        },
    };
}

inline BuiltIn knapsack(const Json &limits, Random &random) {
    return {
        [&](Integer parts) { return object({{"weights", random.some(parts, whole(limits, "maxWeight"))}}); },
        [](const Json &predicate) {
            const Json &weight = first(predicate, "weights");
            const Json item = object({{"weight", weight}, {"worth", 1}});
            return Material{object({{"capacity", weight}, {"items", Json::Array{item}}}), object({{"packed", FIRST}}), "1/1"};
        },
        [](const Json &instance) {
            Integer left = whole(instance, "capacity"), at = 0;
            Integers packed;
            for (const Json &item : instance.at("items").array()) {
                at++;
                if (whole(item, "weight") > left) continue;
                left -= whole(item, "weight");
                packed.push_back(at);
            }
            return object({{"packed", packed}});
        },
    };
}

inline BuiltIn cubic_equations(const Json &, Random &random) {
    return {
        [&](Integer parts) {
            const std::vector<std::string> kinds = {"UnknownsAndCubes", "SquaresAndCubes", "CubesOfUnknowns", "CubesOfSquares"};
            return object({{"kinds", each(random.pick(kinds, parts), [](const Json &kind) { return object({{"$", kind}}); })}});
        },
        [](const Json &predicate) {
            const Json question = object({{"kind", first(predicate, "kinds")}, {"a", 1}, {"b", 1}});
            const Json solution = object({{"answers", Json::Array{root_of(question)}}});
            return Material{object({{"questions", Json::Array{question}}}), solution, "1/1"};
        },
        [](const Json &instance) { return object({{"answers", each(instance.at("questions"), root_of)}}); },
    };
}

inline BuiltIn travelling_salesman(const Json &limits, Random &random) {
    return {
        [&](Integer parts) { return object({{"distances", random.some(parts, whole(limits, "maxDistance"))}}); },
        [](const Json &predicate) {
            const Json &distance = first(predicate, "distances");
            const Json instance = object({{"cities", 3}, {"distances", Json::Array{distance, distance, distance}}});
            return Material{instance, object({{"tour", numbers(3, 1)}}), "1/1"};
        },
        [](const Json &instance) { return object({{"tour", numbers(whole(instance, "cities"), 1)}}); },
    };
}

inline BuiltIn vertex_cover(const Json &limits, Random &random) {
    return {
        [&](Integer parts) {
            std::vector<Json> joins;
            for (const Integer a : numbers(whole(limits, "colours"), 1))
                for (Integer b = a; b <= whole(limits, "colours"); b++) joins.push_back(object({{"a", a}, {"b", b}}));
            return object({{"joins", random.pick(joins, parts)}});
        },
        [](const Json &predicate) {
            const Json &join = first(predicate, "joins");
            const Json edge = object({{"a", 1}, {"b", 2}});
            const Json instance = object({{"colours", Json::Array{join.at("a"), join.at("b")}}, {"edges", Json::Array{edge}}});
            return Material{instance, object({{"cover", FIRST}}), "1/1"};
        },
        [](const Json &instance) {
            Integers cover;
            for (const Json &edge : instance.at("edges").array())
                if (std::find(cover.begin(), cover.end(), whole(edge, "a")) == cover.end()) cover.push_back(whole(edge, "a"));
            return object({{"cover", cover}});
        },
    };
}

inline BuiltIn graph_colouring(const Json &limits, Random &random) {
    return {
        [&](Integer parts) { return object({{"gaps", random.some(parts, whole(limits, "maxVertices") - 1)}}); },
        [](const Json &predicate) {
            const Integer gap = first(predicate, "gaps").integer();
            Integers colours(static_cast<std::size_t>(gap), 1);
            colours.push_back(2);
            const Json edge = object({{"a", 1}, {"b", gap + 1}});
            const Json instance = object({{"vertices", gap + 1}, {"edges", Json::Array{edge}}});
            return Material{instance, object({{"colours", colours}}), "1/1"};
        },
        [&](const Json &instance) {
            return object({{"colours", random.some(whole(instance, "vertices"), whole(limits, "colours"))}});
        },
    };
}

inline BuiltIn job_scheduling(const Json &limits, Random &random) {
    return {
        [&](Integer parts) { return object({{"durations", random.some(parts, whole(limits, "longest"))}}); },
        [](const Json &predicate) {
            const Json instance = object({{"speeds", FIRST}, {"jobs", Json::Array{first(predicate, "durations")}}});
            return Material{instance, object({{"machines", FIRST}}), "1/1"};
        },
        [&](const Json &instance) {
            return object({{"machines", random.some(size_of(instance.at("jobs")), size_of(instance.at("speeds")))}});
        },
    };
}

inline BuiltIn longest_common_subsequence(const Json &limits, Random &random) {
    return {
        [&](Integer parts) {
            std::vector<std::string> letters;
            for (Integer at = 0; at < std::min<Integer>(20, whole(limits, "maxLetters")); at++)
                letters.push_back(std::string(1, static_cast<char>('a' + at)));
            return object({{"letters", random.pick(letters, parts)}});
        },
        [](const Json &predicate) {
            const Json word = Json::Array{first(predicate, "letters")};
            return Material{object({{"a", word}, {"b", word}}), object({{"a", FIRST}, {"b", FIRST}}), "1/1"};
        },
        [](const Json &instance) {
            const auto &a = instance.at("a").array(), &b = instance.at("b").array();
            Integers same;
            for (std::size_t at = 0; at < std::min(a.size(), b.size()); at++)
                if (a[at] == b[at]) same.push_back(static_cast<Integer>(at) + 1);
            return object({{"a", same}, {"b", same}});
        },
    };
}

inline BuiltIn number_partition(const Json &limits, Random &random) {
    return {
        [&](Integer parts) { return object({{"numbers", random.some(parts, whole(limits, "largest"))}}); },
        [](const Json &predicate) {
            const Json &number = first(predicate, "numbers");
            return Material{object({{"numbers", Json::Array{number, number}}}), object({{"heaps", numbers(2, 1)}}), "1/1"};
        },
        [&](const Json &instance) { return object({{"heaps", random.some(size_of(instance.at("numbers")), 2)}}); },
    };
}

inline BuiltIn set_cover(const Json &limits, Random &random) {
    return {
        [&](Integer parts) {
            return object({{"sizes", random.pick(numbers(std::min(whole(limits, "maxSize"), whole(limits, "maxMember")), 1), parts)}});
        },
        [](const Json &predicate) {
            const Json set = object({{"cost", 1}, {"members", numbers(first(predicate, "sizes").integer(), 1)}});
            return Material{object({{"sets", Json::Array{set}}}), object({{"chosen", FIRST}}), "1/1"};
        },
        [](const Json &instance) { return object({{"chosen", numbers(size_of(instance.at("sets")), 1)}}); },
    };
}

/** The built-in challenge of a name, if there is one. The settings of the challenge and the random numbers must outlive the result. */
inline std::optional<BuiltIn> built_in(const std::string &name, const Json &limits, Random &random) {
    static const std::map<std::string, BuiltIn (*)(const Json &, Random &)> all = {
        {"max-sat", max_sat},
        {"pseudo-boolean", pseudo_boolean},
        {"knapsack", knapsack},
        {"cubic-equations", cubic_equations},
        {"travelling-salesman", travelling_salesman},
        {"vertex-cover", vertex_cover},
        {"graph-colouring", graph_colouring},
        {"job-scheduling", job_scheduling},
        {"longest-common-subsequence", longest_common_subsequence},
        {"number-partition", number_partition},
        {"set-cover", set_cover},
    };
    const auto found = all.find(name);
    if (found == all.end()) return std::nullopt;
    return found->second(limits, random);
}

/** Plays one of these challenges. */
class OtherCraft : public Craft {
public:
    OtherCraft(const std::string &name, const Json &given, Random &numbers) : limits(given), random(numbers) {
        const std::optional<BuiltIn> found = built_in(name, limits, random);
        if (!found) throw std::runtime_error("This agent cannot play the challenge " + name + ".");
        craft = *found;
    }

    bool is_worth(const Json &, Integer price) override { return random(ENERGY) >= price; }

    std::optional<Idea> idea(Integer parts) override {
        const Json predicate = craft.predicate(parts);
        if (predicate.is_null()) return std::nullopt;
        return Idea{predicate, random(ENERGY + 1)};
    }

    Material raw_material(const Json &predicate) override { return craft.raw_material(predicate); }
    Json solve(const Json &instance) override { return craft.solve(instance); }

private:
    Json limits;
    Random &random;
    BuiltIn craft;
};

} // namespace specker
