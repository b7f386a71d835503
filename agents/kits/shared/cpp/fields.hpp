// Converts between JSON and the records of a game's messages; `messages.hpp` has a pair of functions for each record.
#pragma once

#include "json.hpp"

#include <type_traits>

namespace tartaglia {

inline void from_json(const Json &json, bool &value) { value = json.boolean(); }
inline void from_json(const Json &json, double &value) { value = json.number(); }
inline void from_json(const Json &json, std::int64_t &value) { value = json.integer(); }
inline void from_json(const Json &json, std::string &value) { value = json.text(); }
inline void from_json(const Json &json, Json &value) { value = json; }
inline Json to_json(bool value) { return value; }
inline Json to_json(double value) { return value; }
inline Json to_json(std::int64_t value) { return value; }
inline Json to_json(const std::string &value) { return value; }
inline Json to_json(const Json &value) { return value; }

/** The text of a word of an enumeration; `words_of` lists all of them, in the order of their values. */
template <class E, class = std::enable_if_t<std::is_enum_v<E>>> const std::string &text_of(E value) {
    return words_of(value).at(static_cast<std::size_t>(value));
}

/** The word with a text. Throws JsonError if the enumeration has no such word. */
template <class E> E word_of(const std::string &text) {
    const std::vector<std::string> &words = words_of(E());
    std::string all;
    for (std::size_t at = 0; at < words.size(); at++) {
        if (words[at] == text) return static_cast<E>(at);
        all += (at == 0 ? "" : at + 1 == words.size() ? " or " : ", ") + words[at];
    }
    throw JsonError("expected " + all);
}

template <class E, class = std::enable_if_t<std::is_enum_v<E>>> void from_json(const Json &json, E &value) {
    value = word_of<E>(json.text());
}

template <class E, class = std::enable_if_t<std::is_enum_v<E>>> Json to_json(E value) { return text_of(value); }

template <class T> void from_json(const Json &json, std::vector<T> &list) {
    list.clear();
    for (const Json &item : json.array()) from_json(item, list.emplace_back());
}

template <class T> Json to_json(const std::vector<T> &list) {
    Json::Array items;
    for (const T &item : list) items.push_back(to_json(item));
    return items;
}

/** Without a value: null. An optional field without one is left out. */
template <class T> void from_json(const Json &json, std::optional<T> &value) {
    if (json.is_null()) value.reset();
    else from_json(json, value.emplace());
}

template <class T> Json to_json(const std::optional<T> &value) { return value ? to_json(*value) : Json(); }

/** Reads a field of an object. Throws JsonError if it is missing or of another type. */
template <class T> void get(const Json &json, const char *name, T &value) {
    const Json &found = json.at(name);
    try {
        from_json(found, value);
    } catch (const JsonError &error) {
        throw JsonError(std::string(name) + ": " + error.what());
    }
}

/** Reads a field that may be missing. */
template <class T> void get_optional(const Json &json, const char *name, std::optional<T> &value) {
    value.reset();
    if (json.find(name) != nullptr) get(json, name, value);
}

/** True if an object has a field with this value. */
inline bool has(const Json &json, const char *name, const Json &constant) {
    const Json *found = json.find(name);
    return found != nullptr && *found == constant;
}

/** Reads a field that is `true` where it is there. */
inline void get_flag(const Json &json, const char *name, bool &value) { value = has(json, name, true); }

template <class T> void put(Json::Object &object, const char *name, const T &value) {
    object.push_back({name, to_json(value)});
}

/** Writes a field unless it has no value. */
template <class T> void put_optional(Json::Object &object, const char *name, const std::optional<T> &value) {
    if (value) put(object, name, *value);
}

/** Writes a field if it is true. */
inline void put_flag(Json::Object &object, const char *name, bool value) {
    if (value) put(object, name, true);
}

} // namespace tartaglia
