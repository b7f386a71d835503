// How json.hpp reads and writes texts.
#pragma once

#include "json.hpp"

namespace tartaglia {

namespace detail {

class Reader {
public:
    explicit Reader(const std::string &given) : text(given) {}

    Json whole() {
        Json found = value(0);
        skip();
        if (at < text.size()) fail("something follows the value");
        return found;
    }

private:
    static constexpr int DEEPEST = 200;

    [[noreturn]] void fail(const std::string &problem) const {
        throw JsonError("This is not JSON: " + problem + " at character " + std::to_string(at + 1) + ".");
    }

    char peek() const { return at < text.size() ? text[at] : '\0'; }

    void skip() {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\n' || text[at] == '\r')) at++;
    }

    void expect(char wanted) {
        skip();
        if (at >= text.size() || text[at] != wanted) fail(std::string("expected ") + wanted);
        at++;
    }

    bool took(char wanted) {
        skip();
        if (at >= text.size() || text[at] != wanted) return false;
        at++;
        return true;
    }

    Json word(const std::string &word, Json meaning) {
        if (text.compare(at, word.size(), word) != 0) fail("unknown word");
        at += word.size();
        return meaning;
    }

    Json value(int depth) {
        if (depth > DEEPEST) fail("the nesting is deeper than " + std::to_string(DEEPEST));
        skip();
        switch (peek()) {
        case '{': return object(depth);
        case '[': return array(depth);
        case '"': return Json(string());
        case 't': return word("true", Json(true));
        case 'f': return word("false", Json(false));
        case 'n': return word("null", Json());
        default: return Json(number());
        }
    }

    Json array(int depth) {
        Json::Array items;
        expect('[');
        if (took(']')) return Json(std::move(items));
        do items.push_back(value(depth + 1));
        while (took(','));
        expect(']');
        return Json(std::move(items));
    }

    Json object(int depth) {
        Json::Object members;
        expect('{');
        if (took('}')) return Json(std::move(members));
        do {
            skip();
            std::string name = string();
            expect(':');
            members.push_back({std::move(name), value(depth + 1)});
        } while (took(','));
        expect('}');
        return Json(std::move(members));
    }

    bool is_digit() const { return peek() >= '0' && peek() <= '9'; }

    void digits() {
        if (!is_digit()) fail("expected a value");
        while (is_digit()) at++;
    }

    double number() {
        const std::size_t start = at;
        if (peek() == '-') at++;
        if (peek() == '0') at++;
        else digits();
        if (peek() == '.') {
            at++;
            digits();
        }
        if (peek() == 'e' || peek() == 'E') {
            at++;
            if (peek() == '+' || peek() == '-') at++;
            digits();
        }
        const double found = std::strtod(text.substr(start, at - start).c_str(), nullptr);
        if (!std::isfinite(found)) fail("a number is out of range");
        return found;
    }

    unsigned hex() {
        unsigned found = 0;
        if (at + 4 > text.size()) fail("a text does not end");
        const auto read = std::from_chars(text.data() + at, text.data() + at + 4, found, 16);
        if (read.ec != std::errc() || read.ptr != text.data() + at + 4) fail("expected four hex digits");
        at += 4;
        return found;
    }

    /** The code point of an escape; a half of a pair alone becomes the sign for unreadable characters. */
    unsigned escaped() {
        const unsigned first = hex();
        if (first < 0xd800 || first > 0xdfff) return first;
        if (first > 0xdbff || text.compare(at, 2, "\\u") != 0) return 0xfffd;
        const std::size_t before = at;
        at += 2;
        const unsigned second = hex();
        if (second >= 0xdc00 && second <= 0xdfff) return 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        at = before;
        return 0xfffd;
    }

    static void append(std::string &to, unsigned code) {
        const auto more = [&](int shift) { to += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
        if (code < 0x80) to += static_cast<char>(code);
        else if (code < 0x800) to += static_cast<char>(0xc0 | (code >> 6)), more(0);
        else if (code < 0x10000) to += static_cast<char>(0xe0 | (code >> 12)), more(6), more(0);
        else to += static_cast<char>(0xf0 | (code >> 18)), more(12), more(6), more(0);
    }

    std::string string() {
        std::string found;
        if (peek() != '"') fail("expected a text");
        for (at++; at < text.size(); at++) {
            const char here = text[at];
            if (here == '"') {
                at++;
                return found;
            }
            if (static_cast<unsigned char>(here) < 0x20) fail("a control character in a text");
            if (here != '\\') {
                found += here;
                continue;
            }
            at++;
            static const std::string letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
            if (peek() == 'u') {
                at++;
                append(found, escaped());
                at--;
            } else if (const auto known = letters.find(peek()); peek() != '\0' && known != std::string::npos)
                found += meanings[known];
            else fail("unknown escape");
        }
        fail("a text does not end");
    }

    const std::string &text;
    std::size_t at = 0;
};

/** Writes a number as JavaScript does, with the fewest digits that give it back. */
inline std::string printed(double number) {
    if (!std::isfinite(number)) throw JsonError("JSON cannot write infinite numbers");
    if (number == 0) return "0";
    char buffer[40];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, std::abs(number), std::chars_format::scientific).ptr;
    const std::string all(buffer, end);
    const auto e = all.find('e');
    std::string digits = all.substr(0, 1) + (e > 2 ? all.substr(2, e - 2) : "");
    const int point = std::stoi(all.substr(e + 1)) + 1, count = static_cast<int>(digits.size());
    const std::string sign = number < 0 ? "-" : "";
    if (point > 21 || point < -5) {
        const std::string exponent = (point > 0 ? "e+" : "e-") + std::to_string(std::abs(point - 1));
        return sign + digits.substr(0, 1) + (count > 1 ? "." + digits.substr(1) : "") + exponent;
    }
    if (point <= 0) return sign + "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    if (point >= count) return sign + digits + std::string(static_cast<std::size_t>(point - count), '0');
    return sign + digits.insert(static_cast<std::size_t>(point), ".");
}

inline std::string printed(const std::string &text) {
    std::string line = "\"";
    for (const char each : text) {
        static const std::string letters = "\"\\bfnrt", meanings = "\"\\\b\f\n\r\t";
        if (const auto known = meanings.find(each); known != std::string::npos) line += '\\', line += letters[known];
        else if (static_cast<unsigned char>(each) >= 0x20) line += each;
        else {
            static const char *const hex = "0123456789abcdef";
            line += "\\u00", line += hex[each >> 4], line += hex[each & 15];
        }
    }
    return line + "\"";
}

} // namespace detail

inline Json Json::parse(const std::string &text) { return detail::Reader(text).whole(); }

inline std::string Json::print() const {
    if (is_null()) return "null";
    if (const bool *given = std::get_if<bool>(&value)) return *given ? "true" : "false";
    if (const double *given = std::get_if<double>(&value)) return detail::printed(*given);
    if (const std::string *given = std::get_if<std::string>(&value)) return detail::printed(*given);
    std::string line;
    if (const Array *items = std::get_if<Array>(&value)) {
        for (const Json &item : *items) line += (line.empty() ? "" : ",") + item.print();
        return "[" + line + "]";
    }
    for (const Member &member : object())
        line += (line.empty() ? "" : ",") + detail::printed(member.name) + ":" + member.value.print();
    return "{" + line + "}";
}

} // namespace tartaglia
