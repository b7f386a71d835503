// SHA-256, with which a player commits itself to a secret.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace specker {

namespace detail {

/** The first 32 bits behind the point of the square roots or cube roots of primes: the constants of SHA-256. */
inline std::vector<std::uint32_t> roots_of_primes(std::size_t count, bool cubes) {
    std::vector<std::uint32_t> roots;
    for (int number = 2; roots.size() < count; number++) {
        bool is_prime = true;
        for (int by = 2; by * by <= number; by++) is_prime = is_prime && number % by != 0;
        if (!is_prime) continue;
        const double root = cubes ? std::cbrt(number) : std::sqrt(number);
        roots.push_back(static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0));
    }
    return roots;
}

inline std::uint32_t turned(std::uint32_t word, int by) { return (word >> by) | (word << (32 - by)); }

} // namespace detail

/** The SHA-256 of a text, in 64 hex digits. */
inline std::string sha256(std::string text) {
    using detail::turned;
    static const auto constants = detail::roots_of_primes(64, true);
    std::vector<std::uint32_t> hash = detail::roots_of_primes(8, false);
    const std::uint64_t bits = 8 * static_cast<std::uint64_t>(text.size());
    text += '\x80';
    while (text.size() % 64 != 56) text += '\0';
    for (int shift = 56; shift >= 0; shift -= 8) text += static_cast<char>(bits >> shift);
    for (std::size_t block = 0; block < text.size(); block += 64) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t at = 0; at < 64; at++) w[at / 4] = w[at / 4] << 8 | static_cast<unsigned char>(text[block + at]);
        for (std::size_t i = 16; i < 64; i++) {
            const std::uint32_t x = w[i - 15], y = w[i - 2];
            w[i] = w[i - 16] + w[i - 7] + (turned(x, 7) ^ turned(x, 18) ^ (x >> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >> 10));
        }
        auto [a, b, c, d, e, f, g, h] =
            std::array<std::uint32_t, 8>{hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]};
        for (std::size_t i = 0; i < 64; i++) {
            const std::uint32_t one =
                h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i];
            const std::uint32_t two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
        }
        const std::array<std::uint32_t, 8> more = {a, b, c, d, e, f, g, h};
        for (std::size_t at = 0; at < 8; at++) hash[at] += more[at];
    }
    std::string digits;
    for (const std::uint32_t word : hash)
        for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 15];
    return digits;
}

} // namespace specker
