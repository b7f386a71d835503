// The dialogue of Tartaglia's programs: one JSON object per line on stdin and stdout. Needs only C++17.
//
// Do not write to std::cout, which would write into the dialogue. Use log() instead; only your team can read it.
#pragma once

#include "fields.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <sstream>

namespace tartaglia {

/** Prints words for your own team, with spaces between them. */
template <class... Words> void log(const Words &...words) {
    const char *between = "";
    ((std::cerr << between << words, between = " "), ...);
    std::cerr << std::endl;
}

/** Answers the messages of one match, one after the other. Null: no answer is wanted. */
using Dialogue = std::function<Json(const Json &message)>;

/** Plays a match: reads messages from stdin and answers them on stdout. */
inline void play(const Dialogue &answer) {
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = Json::parse(line);
        // A "refused" line needs no answer: it gives the fault of the last answer, or says that it came too late.
        const Json *type = message.find("type");
        if (type != nullptr && *type == Json("refused")) log("refused:", message.at("text").text());
        else if (const Json *question = message.find("question")) {
            Json reply = answer(message);
            if (reply.is_null()) throw std::runtime_error("no answer to " + (type == nullptr ? message : *type).print());
            reply.set("question", *question);
            std::cout << reply.print() << "\n" << std::flush;
        }
    }
}

/** Feeds the messages of a saved move to a new dialogue. Throws an error unless the last answer is the saved one. */
inline void replay(const std::string &file, const Dialogue &answer) {
    std::ifstream stream(file);
    if (!stream) throw std::runtime_error("The file cannot be opened.");
    std::ostringstream text;
    text << stream.rdbuf();
    const Json saved = Json::parse(text.str());
    Json last;
    for (const Json &message : saved.at("messages").array()) last = answer(message);
    const Json *expected = saved.find("answer");
    if (expected == nullptr || last == *expected) return;
    throw std::runtime_error("The answer is " + last.print() + ", and was " + expected->print() + ".");
}

/** The files among these paths, and those in the folders among them. */
inline std::vector<std::string> files_of(const std::vector<std::string> &paths) {
    std::vector<std::string> files;
    for (const std::string &path : paths) {
        if (!std::filesystem::is_directory(path)) files.push_back(path);
        else
            for (const auto &each : std::filesystem::directory_iterator(path)) files.push_back(each.path().string());
    }
    std::sort(files.begin(), files.end());
    return files;
}

/** Replays saved moves, each with a new dialogue, and says which ones pass. Returns the exit code: 1 if one does not. */
inline int test(const std::vector<std::string> &paths, const std::function<Dialogue()> &new_match) {
    const std::vector<std::string> files = files_of(paths);
    int failed = 0;
    for (const std::string &file : files) {
        try {
            replay(file, new_match());
            std::cout << "pass " << file << "\n";
        } catch (const std::exception &error) {
            failed++;
            std::cout << "FAIL " << file << ": " << error.what() << "\n";
        }
    }
    std::cout << files.size() - static_cast<std::size_t>(failed) << " of " << files.size() << " saved moves pass.\n";
    return failed == 0 && !files.empty() ? 0 : 1;
}

/**
 * The main function of an agent. `agent --test PATH...` tests saved moves, files or folders of them; without
 * arguments the agent plays a match. The messages of saved moves are those that scripts get: `as_script` answers them.
 */
inline int run(int count, char **words, const std::function<Dialogue()> &new_match, const std::function<Dialogue()> &as_script) {
    const std::vector<std::string> arguments(words + 1, words + count);
    try {
        if (!arguments.empty() && arguments[0] == "--test") return test({arguments.begin() + 1, arguments.end()}, as_script);
        play(new_match());
        return 0;
    } catch (const std::exception &error) {
        log(error.what());
        return 1;
    }
}

} // namespace tartaglia
