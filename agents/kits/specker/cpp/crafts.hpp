// How to play a challenge. The challenge's file defines its predicates, raw material and solutions.
#pragma once

#include "json.hpp"

#include <algorithm>
#include <memory>

namespace specker {

using tartaglia::Json;
using tartaglia::object;
using Integer = std::int64_t;
using Integers = std::vector<Integer>;

/** Prices and accounts are whole numbers of 10^-9 energy. */
constexpr Integer ENERGY = 1'000'000'000;

/** Random numbers of its own: equal matches give equal answers, so that saved moves can be test cases. */
class Random {
public:
    explicit Random(Integer seed) : state(static_cast<std::uint32_t>(seed)) {}

    /** A whole number from 0 to `below` - 1. */
    Integer operator()(Integer below) {
        state = state * 1664525u + 1013904223u;
        return static_cast<Integer>(std::floor(state / 4294967296.0 * static_cast<double>(below)));
    }

    /** Returns `count` different random elements, or all of a shorter list. */
    template <class T> std::vector<T> pick(std::vector<T> list, Integer count) {
        std::vector<T> picked;
        while (static_cast<Integer>(picked.size()) < count && !list.empty()) {
            const auto at = list.begin() + (*this)(static_cast<Integer>(list.size()));
            picked.push_back(*at);
            list.erase(at);
        }
        return picked;
    }

    /** This many numbers from 1 to `most`. */
    std::vector<Integer> some(Integer count, Integer most) {
        std::vector<Integer> all;
        while (static_cast<Integer>(all.size()) < count) all.push_back(1 + (*this)(most));
        return all;
    }

private:
    std::uint32_t state;
};

/** Raw material, a solution of it, and a lower bound of that solution's quality, "p/q". */
struct Material {
    Json instance;
    Json solution;
    std::string quality;
};

/** A predicate to sell, and its price in 10^-9 energy. */
struct Idea {
    Json predicate;
    Integer price;
};

class Craft {
public:
    virtual ~Craft() = default;
    /** True to buy raw material of this predicate at this price. */
    virtual bool is_worth(const Json &predicate, Integer price) = 0;
    /** A predicate to sell, of this many parts that do not imply each other, if there is one. */
    virtual std::optional<Idea> idea(Integer parts) = 0;
    virtual Material raw_material(const Json &predicate) = 0;
    virtual Json solve(const Json &instance) = 0;
};

/** The numbers from `from` on. */
inline Integers numbers(Integer count, Integer from = 0) {
    Integers all;
    for (Integer at = 0; at < count; at++) all.push_back(from + at);
    return all;
}

inline Integer size_of(const Json &list) { return static_cast<Integer>(list.array().size()); }

/** A field of an object that is a whole number. */
inline Integer whole(const Json &json, const char *name) { return json.at(name).integer(); }

/** The first element of a list that is a field of an object. */
inline const Json &first(const Json &json, const char *name) { return json.at(name).array().at(0); }

/** Calls a function for each element of a list, and returns the list of the results. */
template <class F> Json each(const Json &list, F result_of) {
    Json::Array results;
    for (const Json &item : list.array()) results.push_back(result_of(item));
    return results;
}

/** A key that is the same for equal predicates: their parts are a set. */
inline std::string key_of(const Json &predicate) {
    std::vector<std::string> parts;
    for (const Json &part : predicate.object().at(0).value.array()) parts.push_back(part.print());
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    std::string key;
    for (const std::string &part : parts) key += part + " ";
    return key;
}

} // namespace specker
