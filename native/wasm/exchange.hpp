// How JavaScript and the core hand each other values: as numbers in two buffers of the module's memory.
//
// JavaScript writes the arguments of a call into the buffer that `room_for` gives it, end to end: a list is its length
// and then its items, something optional is a list of none or one. A call returns whether it was refused; the answer,
// written the same way, or the words of the refusal are read from where `answer` and `refusal` say. Numbers are
// doubles, as JavaScript has no others; all that are handed over fit them exactly.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/net.hpp"
#include "core/refusal.hpp"
#include "core/rules.hpp"
#include "search/control.hpp"

#define PLYGROUND_EXPORT(name) extern "C" __attribute__((export_name(name)))

namespace plyground::wasm {

// Nothing here is asked often, so it is kept small rather than fast.
//
// Reads arguments. What is not as it should be is refused, and everything read after it is empty.
class Reader {
  public:
    explicit Reader(std::span<const double> words) : words_(words) {}

    const Refusal& refusal() const { return refusal_; }

    bool empty() const { return words_.empty(); }

    [[gnu::noinline]] void refuse(std::string why) {
        if (!refusal_) refusal_ = std::move(why);
        words_ = {};
    }

    // Everything was read, and nothing refused.
    [[gnu::noinline]] bool done() {
        if (!refusal_ && !words_.empty()) refuse("bad data: more than was asked for");
        return !refusal_;
    }

    template <class T>
    void operator>>(T& value) {
        read(value);
    }

  private:
    std::span<const double> words_;
    Refusal refusal_;

    [[gnu::noinline]] double next() {
        if (words_.empty()) {
            refuse("bad data: it ends too early");
            return 0;
        }
        const double word = words_.front();
        words_ = words_.subspan(1);
        return word;
    }

    template <class T>
    [[gnu::noinline]] void read_whole(T& value, double least, double most) {
        const double word = next();
        if (word >= least && word <= most && std::trunc(word) == word)
            value = static_cast<T>(word);
        else
            refuse("bad data: expected a whole number within reach");
    }

    void read(bool& value) { read_whole(value, 0, 1); }
    void read(std::uint8_t& value) { read_whole(value, 0, 255); }
    void read(std::int8_t& value) { read_whole(value, -128, 127); }
    void read(std::int16_t& value) { read_whole(value, -1, MAX_PLACEMENTS - 1); }
    void read(int& value) { read_whole(value, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()); }
    void read(std::int64_t& value) { read_whole(value, -EXACT, EXACT); }
    void read(std::uint64_t& value) { read_whole(value, 0, EXACT); }
    void read(std::size_t& value) { read_whole(value, 0, std::numeric_limits<std::uint32_t>::max()); }
    void read(double& value) {
        value = next();
        if (std::isnan(value)) refuse("bad data: expected a number");
    }

    template <class T>
    void read(std::optional<T>& value) {
        bool given = false;
        read(given);
        if (given) read(value.emplace());
    }

    template <class T>
    [[gnu::noinline]] void read(std::vector<T>& list) {
        std::size_t length = 0;
        read(length);
        // Every item takes a word at least, so nobody is made to take more memory than was handed over.
        if (length > words_.size()) return refuse("bad data: a list is longer than the data");
        list.resize(length);
        for (auto& item : list) read(item);
    }

    template <class T, std::size_t N>
    void read(std::array<T, N>& list) {
        std::size_t length = 0;
        read(length);
        if (length != N) return refuse("bad data: a list has the wrong length");
        for (auto& item : list) read(item);
    }

    template <class A, class B>
    void read(std::pair<A, B>& pair) {
        std::size_t length = 0;
        read(length);
        if (length != 2) return refuse("bad data: a pair has two entries");
        read(pair.first);
        read(pair.second);
    }

    void read(PatternData& pattern) {
        read_fields(pattern.cells, pattern.neutraliser, pattern.family, pattern.barred, pattern.swapped, pattern.views);
    }
    void read(PlacementData& placement) { read_fields(placement.adds, placement.rests_on); }
    void read(SymmetryData& symmetry) { read_fields(symmetry.cells, symmetry.layers); }
    void read(NetWeights& net) { read_fields(net.rows, net.out, net.shift); }
    void read(Move& move) { read_fields(move.place, move.lift); }

    template <class... Fields>
    void read_fields(Fields&... fields) {
        std::size_t length = 0;
        read(length);
        if (length != sizeof...(fields)) return refuse("bad data: an entry has the wrong number of fields");
        (read(fields), ...);
    }

    static constexpr double EXACT = 9007199254740992.0;  // 2 to the 53rd
};

inline Limit to_limit(std::optional<std::uint64_t> nodes, std::optional<double> seconds) {
    Limit limit;
    if (nodes) limit.nodes = *nodes;
    if (seconds) limit.seconds = *seconds;
    return limit;
}

// The two buffers, and what was refused last.
class Exchange {
  public:
    double* room_for(std::size_t words) {
        if (given_.size() < words) given_.resize(words);
        return given_.data();
    }

    // The same for bytes, which a call that wants them takes.
    std::uint8_t* room_for_bytes(std::size_t bytes) {
        bytes_.resize(bytes);
        return bytes_.data();
    }
    std::vector<std::uint8_t> take_bytes() { return std::exchange(bytes_, {}); }

    Reader arguments(std::size_t words) const { return Reader({given_.data(), std::min(words, given_.size())}); }

    // A search begins its answer when it is done: other calls may have come between.
    void begin_answer() {
        answer_.clear();
        refusal_.clear();
    }
    template <class... Numbers>
    void say(Numbers... numbers) {
        (add(static_cast<double>(numbers)), ...);
    }
    void say(Move move) { say(move.place, move.lift); }
    [[gnu::noinline]] void say(const std::vector<Move>& moves) {
        say(moves.size());
        for (Move move : moves) say(move);
    }

    int refuse(std::string why) {
        refusal_ = std::move(why);
        return 1;
    }

    const std::vector<double>& answer() const { return answer_; }
    const std::string& refusal() const { return refusal_; }

  private:
    [[gnu::noinline]] void add(double number) { answer_.push_back(number); }

    std::vector<double> given_, answer_;
    std::vector<std::uint8_t> bytes_;
    std::string refusal_;
};

inline Exchange exchange;

// Runs f with the arguments of a call; 0, or 1 when they or f refused.
template <class F>
int call(int words, F&& f) {
    exchange.begin_answer();
    Reader arguments = exchange.arguments(static_cast<std::size_t>(std::max(0, words)));
    Refusal refusal = f(arguments);
    if (arguments.refusal()) refusal = arguments.refusal();
    return refusal ? exchange.refuse(std::move(*refusal)) : 0;
}

// Asks JavaScript whether the search is to end.
extern "C" __attribute__((import_module("plyground"), import_name("interrupted"))) int plyground_interrupted();
inline bool interrupted() { return plyground_interrupted() != 0; }

}  // namespace plyground::wasm
