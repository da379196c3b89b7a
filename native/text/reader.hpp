// A text of a game as words with their places, and what is said where it cannot be read.
#pragma once

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plyground::text {

// What is wrong with a text, and where; lines and columns are counted from 1.
struct Fault {
    int line = 0, column = 0;
    std::string what;

    std::string message() const {
        return "line " + std::to_string(line) + ", column " + std::to_string(column) + ": " + what;
    }
};

struct Word {
    std::string text;
    int line = 0, column = 0;
};

// A statement: the words of its line, and the lines below it that are set in.
struct Statement {
    std::vector<Word> words;
    std::string rest;         // the line after its first word, as it was typed
    std::vector<Word> block;  // a line each, without the space before it
    int line = 0;
};

inline std::string lower(std::string_view text) {
    std::string copy(text);
    for (char& letter : copy) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return copy;
}

// Whether a byte goes on with a letter that takes several (UTF-8).
inline bool continues(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// The letter that begins at a byte.
inline std::string letter_at(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    while (end < text.size() && continues(text[end])) ++end;
    return std::string(text.substr(at, end - at));
}

inline std::string quoted(std::string_view text) {
    std::size_t end = std::min<std::size_t>(text.size(), 40);
    while (end < text.size() && continues(text[end])) --end;
    return "'" + std::string(text.substr(0, end)) + "'";
}

// How many letters must be changed, added or left out to make one word of the other.
inline int distance(std::string_view a, std::string_view b) {
    std::vector<int> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        int before = row[0];
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const int above = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, before + (a[i - 1] != b[j - 1])});
            before = above;
        }
    }
    return row[b.size()];
}

// "; did you mean 'line'?", or nothing where no word is near.
inline std::string guess(std::string_view got, const std::vector<std::string>& known) {
    const std::string word = lower(got.substr(0, 40));
    int nearest = std::max(2, static_cast<int>(word.size()) / 2);
    std::string best;
    for (const auto& candidate : known)
        if (const int far = distance(word, candidate); far < nearest) nearest = far, best = candidate;
    return best.empty() ? "" : "; did you mean '" + best + "'?";
}

inline std::string listed(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i)
        text += (i == 0 ? "" : i + 1 < words.size() ? ", " : " or ") + words[i];
    return text;
}

constexpr std::size_t MOST_LETTERS = 20'000, MOST_LINES = 400;

// Cuts a text into statements. What stands behind `//` is a remark; a comma or colon is a word of its own.
class Lines {
  public:
    std::vector<Statement> statements;
    std::optional<Fault> fault;

    // Columns count letters, and not bytes.
    static int column_of(std::string_view text, int line, int byte) {
        for (int i = 1; i < line; ++i) text = text.substr(std::min(text.find('\n'), text.size() - 1) + 1);
        const auto before = text.substr(0, byte - 1);
        return 1 + static_cast<int>(before.size() - std::ranges::count_if(before, continues));
    }

    explicit Lines(std::string_view text) {
        if (text.size() > MOST_LETTERS) {
            fault = Fault{1, 1, "a game has at most 20000 letters, got " + std::to_string(text.size())};
            return;
        }
        int number = 0;
        while (!fault && !text.empty()) {
            const auto end = text.find('\n');
            std::string_view line = text.substr(0, end);
            text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
            if (++number > static_cast<int>(MOST_LINES))
                fault = Fault{number, 1, "a game has at most 400 lines"};
            else
                take(line, number);
        }
    }

  private:
    static bool blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

    void take(std::string_view line, int number) {
        if (const auto remark = line.find("//"); remark != std::string_view::npos) line = line.substr(0, remark);
        while (!line.empty() && blank(line.back())) line.remove_suffix(1);
        if (line.empty()) return;
        for (std::size_t i = 0; i < line.size(); ++i)
            if (static_cast<unsigned char>(line[i]) < ' ' && !blank(line[i])) {
                fault = Fault{number, static_cast<int>(i) + 1, "a letter that cannot be printed"};
                return;
            }
        if (blank(line.front())) {
            std::size_t from = 0;
            while (blank(line[from])) ++from;
            if (statements.empty())
                fault = Fault{number, static_cast<int>(from) + 1, "a line that is set in belongs to one above it"};
            else
                statements.back().block.push_back({std::string(line.substr(from)), number, static_cast<int>(from) + 1});
            return;
        }
        Statement statement;
        statement.line = number;
        for (std::size_t at = 0; at < line.size();) {
            if (blank(line[at])) {
                ++at;
                continue;
            }
            std::size_t end = at + 1;
            if (line[at] != ',' && line[at] != ':')
                while (end < line.size() && !blank(line[end]) && line[end] != ',' && line[end] != ':') ++end;
            statement.words.push_back({std::string(line.substr(at, end - at)), number, static_cast<int>(at) + 1});
            at = end;
        }
        std::size_t from = statement.words[0].text.size();
        while (from < line.size() && blank(line[from])) ++from;
        statement.rest = std::string(line.substr(from));
        statements.push_back(std::move(statement));
    }
};

// The words of a statement, read one after the other. After the first fault nothing more is read.
class Words {
  public:
    Words(const Statement& statement, std::optional<Fault>& fault) : statement_(statement), fault_(fault) {}

    bool more() const { return !fault_ && next_ < statement_.words.size(); }
    bool ok() const { return !fault_; }

    // Whether the next word is that one; it is read then.
    bool accept(std::string_view word) {
        if (!more() || lower(statement_.words[next_].text) != word) return false;
        ++next_;
        return true;
    }

    void fail(std::string what) {
        if (fault_) return;
        const auto& words = statement_.words;
        if (next_ < words.size())
            fault_ = Fault{words[next_].line, words[next_].column, std::move(what)};
        else
            fault_ = Fault{statement_.line, words.back().column + static_cast<int>(words.back().text.size()),
                           std::move(what)};
    }

    // One of these words, as its number; -1 for any other.
    int choice(const std::vector<std::string>& known, const std::string& what) {
        for (std::size_t i = 0; i < known.size(); ++i)
            if (accept(known[i])) return static_cast<int>(i);
        if (fault_) return -1;
        const std::string got = more() ? peek().text : "";
        fail("expected " + what + " (" + listed(known) + ")" + got_text() + guess(got, known));
        return -1;
    }

    int number(const std::string& what, int least, int most) {
        if (!fault_ && next_ < statement_.words.size()) {
            const auto& text = statement_.words[next_].text;
            const bool digits =
                text.size() <= 6 && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
            if (digits) {
                const int value = std::stoi(text);
                if (least <= value && value <= most) return ++next_, value;
                fail(what + " is " + std::to_string(least) + " to " + std::to_string(most) + got_text());
                return least;
            }
        }
        fail("expected " + what + ", a number from " + std::to_string(least) + " to " + std::to_string(most) +
             got_text());
        return least;
    }

    bool number_next() const {
        return more() && std::isdigit(static_cast<unsigned char>(statement_.words[next_].text[0]));
    }

    std::string name(const std::string& what) {
        if (more()) return statement_.words[next_++].text;
        fail("expected " + what + got_text());
        return {};
    }

    const Word& peek() const { return statement_.words[next_]; }

    void expect(std::string_view word) {
        if (!accept(word)) fail("expected '" + std::string(word) + "'" + got_text());
    }

    void end() {
        if (more()) fail("expected the end of the line" + got_text());
    }

    std::string got_text() const {
        return ", got " +
               (next_ < statement_.words.size() ? quoted(statement_.words[next_].text) : "the end of the line");
    }

  private:
    const Statement& statement_;
    std::optional<Fault>& fault_;
    std::size_t next_ = 1;  // the first word is the statement's own
};

}  // namespace plyground::text
