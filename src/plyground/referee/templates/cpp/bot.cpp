// A bot that plays any game: it reads one question per line and answers with one line, both JSON. Change choose().

#include <iostream>
#include <random>
#include <string>
#include <vector>

using Texts = std::vector<std::string>;

// One of the legal moves. This is where your ideas go.
std::string choose(const std::string& side, const Texts& moves, const Texts& legal) {
    static std::mt19937 random{std::random_device{}()};
    (void)side;
    (void)moves;
    return legal[std::uniform_int_distribution<std::size_t>(0, legal.size() - 1)(random)];
}

// Where the value of a key of the message begins, or npos. C++ has no JSON reader of its own; moves need no more.
std::size_t place_of(const std::string& message, const std::string& key) {
    const std::string wanted = "\"" + key + "\": ";
    const auto at = message.find(wanted);
    return at == std::string::npos ? at : at + wanted.size();
}

// The text in quotes that begins at a place.
std::string quoted(const std::string& message, std::size_t at) {
    return message.substr(at + 1, message.find('"', at + 1) - at - 1);
}

// The text under a key of the message, or "".
std::string text(const std::string& message, const std::string& key) {
    const auto at = place_of(message, key);
    return at == std::string::npos ? "" : quoted(message, at);
}

// The list of texts under a key of the message.
Texts list(const std::string& message, const std::string& key) {
    Texts found;
    const auto begin = place_of(message, key);
    if (begin == std::string::npos) return found;
    const auto end = message.find(']', begin);
    for (auto at = message.find('"', begin); at < end; at = message.find('"', at + found.back().size() + 2)) {
        found.push_back(quoted(message, at));
    }
    return found;
}

// Answers until the referee says that it is over. To see what happens, write to std::cerr, never to std::cout.
int main() {
    for (std::string line; std::getline(std::cin, line);) {
        const auto type = text(line, "type");
        if (type == "start") {
            std::cout << R"({"name": "my bot"})" << std::endl;
        } else if (type == "move") {
            std::cout << R"({"move": ")" << choose(text(line, "side"), list(line, "moves"), list(line, "legal")) << "\"}" << std::endl;
        } else if (type == "end") {
            return 0;
        }
    }
}
