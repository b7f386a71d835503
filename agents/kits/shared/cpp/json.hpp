// JSON values for the agents of this kit: reading, writing, and the conversion of records. Needs only C++17.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tartaglia {

/** A text that is not JSON, or JSON that is not as expected; one sentence says where. */
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Member;

/** Any JSON value. Objects keep the order of their members. */
class Json {
public:
    using Array = std::vector<Json>;
    using Object = std::vector<Member>;

    Json() : value(nullptr) {}
    Json(std::nullptr_t) : value(nullptr) {}
    Json(bool given) : value(given) {}
    Json(double given) : value(given) {}
    Json(int given) : value(static_cast<double>(given)) {}
    Json(std::int64_t given) : value(static_cast<double>(given)) {}
    Json(std::size_t given) : value(static_cast<double>(given)) {}
    Json(const char *given) : value(std::string(given)) {}
    Json(std::string given) : value(std::move(given)) {}
    Json(Array given) : value(std::move(given)) {}
    Json(Object given) : value(std::move(given)) {}
    template <class T> Json(const std::vector<T> &items) : value(Array(items.begin(), items.end())) {}

    bool is_null() const { return std::holds_alternative<std::nullptr_t>(value); }
    bool is_object() const { return std::holds_alternative<Object>(value); }

    bool boolean() const { return as<bool>("true or false"); }
    double number() const { return as<double>("a number"); }
    const std::string &text() const { return as<std::string>("a text"); }
    const Array &array() const { return as<Array>("a list"); }
    const Object &object() const { return as<Object>("an object"); }

    /** A whole number; doubles are exact for those that the games use. */
    std::int64_t integer() const {
        const double found = number();
        if (found != std::floor(found) || std::abs(found) > 9007199254740992.0) throw JsonError("expected a whole number");
        return static_cast<std::int64_t>(found);
    }

    /** The value of a member; nullptr if this object has no such member. */
    const Json *find(const std::string &name) const;
    /** The same, if it must be there. */
    const Json &at(const std::string &name) const;
    /** Sets a member, which is the last one if it is new. */
    void set(const std::string &name, Json given);
    /** Removes a member, if there is one of this name. */
    void remove(const std::string &name);

    /** Reads a text that is one JSON value. Throws JsonError. */
    static Json parse(const std::string &text);
    /** Writes this value in one line. */
    std::string print() const;

    /** True for equal values; the order of members does not count. */
    bool operator==(const Json &other) const;
    bool operator!=(const Json &other) const { return !(*this == other); }

private:
    template <class T> const T &as(const char *expected) const {
        if (const T *found = std::get_if<T>(&value)) return *found;
        throw JsonError(std::string("expected ") + expected);
    }

    std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value;
};

/** A member of an object. */
struct Member {
    std::string name;
    Json value;
};

/** An object with these members: `object({{"capacity", 5}, {"items", items}})`. */
inline Json object(std::initializer_list<Member> members) { return Json::Object(members); }

inline const Json *Json::find(const std::string &name) const {
    for (const Member &member : object())
        if (member.name == name) return &member.value;
    return nullptr;
}

inline const Json &Json::at(const std::string &name) const {
    if (const Json *found = find(name)) return *found;
    throw JsonError("the field " + name + " is missing");
}

inline void Json::set(const std::string &name, Json given) {
    for (Member &member : std::get<Object>(value))
        if (member.name == name) {
            member.value = std::move(given);
            return;
        }
    std::get<Object>(value).push_back({name, std::move(given)});
}

inline void Json::remove(const std::string &name) {
    Object kept;
    for (Member &member : std::get<Object>(value))
        if (member.name != name) kept.push_back(std::move(member));
    value = std::move(kept);
}

inline bool Json::operator==(const Json &other) const {
    if (!is_object() || !other.is_object()) return value.index() == other.value.index() && !is_object() && value == other.value;
    if (object().size() != other.object().size()) return false;
    for (const Member &member : object()) {
        const Json *found = other.find(member.name);
        if (found == nullptr || *found != member.value) return false;
    }
    return true;
}

inline bool operator==(const Member &a, const Member &b) { return a.name == b.name && a.value == b.value; }

} // namespace tartaglia

#include "json-text.hpp"
