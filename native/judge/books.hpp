// Books: a number for each of many positions of a game, read from the files that `plyground.books` writes. What a
// number means depends on the kind of the book: the move of a side, or what the position is worth.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/core.hpp"
#include "core/refusal.hpp"
#include "core/state.hpp"
#include "judge/analysis.hpp"
#include "judge/blake2b.hpp"
#include "judge/inflate.hpp"
#include "judge/numbering.hpp"
#include "judge/numbers.hpp"
#include "judge/outlook.hpp"
#include "search/threads.hpp"

namespace plyground {

// A change of the board that turns positions of some rules into positions of the same or similar rules.
struct Image {
    std::vector<int> cells, layers;            // entry i is what i goes to
    std::array<std::vector<int>, 2> places{};  // of placements, by side

    // Why it does not fit some rules: it needs an entry for each cell, layer and placement, and leads to such.
    Refusal refusal(const Tables& tables) const {
        const auto inside = [](const std::vector<int>& to, int many) {
            return static_cast<int>(to.size()) == many &&
                   std::ranges::all_of(to, [&](int at) { return 0 <= at && at < many; });
        };
        if (inside(cells, tables.cells) && inside(layers, tables.layers) && inside(places[0], tables.places[0]) &&
            inside(places[1], tables.places[1]))
            return {};
        return "an image needs an entry for each cell, layer and placement";
    }

    Move of(int side, Move move) const {
        const auto to = [&](int place) { return static_cast<std::int16_t>(place < 0 ? -1 : places[side][place]); };
        return {to(move.place), to(move.lift)};
    }
};

enum class BookKind : std::uint8_t { STRATEGY, DEFENCE, WINS, SCORES, RESULTS };

struct BookData {
    BookKind kind = BookKind::SCORES;
    int plies = 0;   // what they mean depends on the kind, see `plyground.books.book`
    int side = -1;   // whose answers they are; -1 of scores and results
    int layers = 2;  // of its rules
    int rows = 0, columns = 0;
    int recycle_from = NEVER;
    std::optional<Image> like;        // how positions are shown to it, where it is about similar rules
    std::vector<Image> group;         // the symmetries of its rules, the identity first
    std::vector<std::size_t> sizes;   // of each ply, where it has all positions up to one; else empty
    std::vector<std::uint8_t> bytes;  // the entries
};

// All that matters of the image of a position: the ply, then where cards lie or the cells of each layer.
class Description {
  public:
    Description(const State& state, const Image& image, int layers, int recycle_from) {
        put(state.ply);
        if (recycle_from == NEVER) {
            const std::size_t size = (image.cells.size() + 7) / 8;
            bytes_.resize(2 + layers * size);
            for (std::size_t cell = 0; cell < state.kinds.size(); ++cell)
                for (unsigned kind = state.kinds[cell]; kind; kind &= kind - 1) {
                    const int to = image.cells[cell], layer = image.layers[std::countr_zero(kind)];
                    bytes_[2 + (layer + 1) * size - 1 - to / 8] |= static_cast<std::uint8_t>(1 << to % 8);
                }
            return;
        }
        std::vector<int> places;
        for (int card : state.cards) places.push_back(image.places[0][card]);
        std::ranges::sort(places);
        for (int place : places) put(place);
        if (state.ply >= recycle_from && state.last.place >= 0) put(image.places[0][state.last.place]);
    }

    std::uint64_t digest() const { return digest_of(bytes_); }
    friend bool operator==(const Description&, const Description&) = default;
    friend bool operator<(const Description& a, const Description& b) { return a.bytes_ < b.bytes_; }

  private:
    std::vector<std::uint8_t> bytes_;

    void put(int number) {
        bytes_.push_back(static_cast<std::uint8_t>(number >> 8));
        bytes_.push_back(static_cast<std::uint8_t>(number));
    }
};

// One file. Several judges may ask it at once.
class Book {
  public:
    static constexpr int NOT_LOST = 2, NOT_WON = -2;  // numbers of what is half known: at least a draw, at most one

    // Why the data are those of no book about positions of some rules.
    static Refusal refusal_of(const Tables& tables, const BookData& data) {
        if (data.like)
            if (auto refusal = data.like->refusal(tables)) return refusal;
        for (const auto& image : data.group)
            if (auto refusal = image.refusal(tables)) return refusal;
        if (data.group.empty()) return "a book needs the symmetries of its rules";
        if (!data.sizes.empty() && (data.rows * data.columns != tables.cells || tables.kinds.size() != 2))
            return "a book of all positions is about stacked discs";
        if (data.sizes.empty() && data.bytes.size() % ENTRY_BYTES) return "a book's entries take 10 bytes each";
        std::size_t all = 0;
        for (auto size : data.sizes) all += size;
        if (!data.sizes.empty() && (all != data.bytes.size() || data.rows < 1 || data.columns < 1))
            return "the plies of a book must take all its bytes, for a board of some size";
        return {};
    }

    explicit Book(BookData data) : data_(std::move(data)), plies_(std::make_unique<Ply[]>(data_.sizes.size())) {
        std::size_t start = 0;
        for (std::size_t ply = 0; ply < data_.sizes.size(); ++ply) {
            plies_[ply].packed = std::span(data_.bytes).subspan(start, data_.sizes[ply]);
            start += data_.sizes[ply];
        }
    }

    BookKind kind() const { return data_.kind; }
    int side() const { return data_.side; }
    int plies() const { return data_.plies; }
    // The last ply of which it knows positions.
    int last_ply() const { return data_.sizes.empty() ? data_.plies : static_cast<int>(data_.sizes.size()) - 1; }

    // What is wrong with a ply that was asked for: it cannot be unpacked, or has not as many numbers as positions.
    Refusal damage() const {
        const int ply = damaged_.load(std::memory_order_relaxed);
        if (ply < 0) return {};
        const std::string what = "ply " + std::to_string(ply) + " of the book ";
        const auto& found = *plies_[ply].owned;
        const std::size_t wanted = found.numbering.size();
        if (found.unpacked < 0) return what + "cannot be unpacked";
        return what + "has " + std::to_string(found.unpacked) + " numbers, expected " + std::to_string(wanted);
    }

    // The number of a position; nothing where the book does not know it.
    std::optional<int> number(const State& state) const {
        if (!data_.sizes.empty()) return data_.like ? stacked(turned(state)) : stacked(state);
        const auto found = find(state);
        if (!found) return {};
        return found->number;
    }

    // The number among some moves of that with which the book's side answers; nothing where it is silent.
    std::optional<std::size_t> reply(const State& state, std::span<const Move> moves) const {
        const int side = state.ply & 1;
        if (side != data_.side || !data_.sizes.empty()) return {};
        const auto found = find(state);
        if (!found) return {};
        for (std::size_t i = 0; i < moves.size(); ++i) {
            const Move shown = data_.like ? data_.like->of(side, moves[i]) : moves[i];
            if (found->image->of(side, shown).place == found->number) return i;
        }
        return {};
    }

  private:
    static constexpr std::size_t KEY_BYTES = 8, ENTRY_BYTES = KEY_BYTES + 2;
    static constexpr int NO_SCORE = -128;

    struct Shown {
        int number;
        const Image* image;  // as the book describes the position
    };

    struct Unpacked {
        Numbering numbering;
        std::vector<std::uint8_t> numbers;
        std::ptrdiff_t unpacked;  // how many there were; -1 where they could not be unpacked
    };

    struct Ply {
        std::span<const std::uint8_t> packed;
        std::atomic<const Unpacked*> found{nullptr};
        std::unique_ptr<const Unpacked> owned;
    };

    const BookData data_;
    std::unique_ptr<Ply[]> plies_;
    mutable Lock unpacking_;
    mutable std::atomic<int> damaged_{-1};

    State turned(const State& state) const {
        const Image& like = *data_.like;
        State shown{std::vector<std::uint8_t>(state.kinds.size()), state.ply, {}, {}};
        for (std::size_t cell = 0; cell < state.kinds.size(); ++cell)
            for (unsigned kind = state.kinds[cell]; kind; kind &= kind - 1)
                shown.kinds[like.cells[cell]] |= static_cast<std::uint8_t>(1 << like.layers[std::countr_zero(kind)]);
        for (int card : state.cards) shown.cards.push_back(like.places[0][card]);
        std::ranges::sort(shown.cards);
        if (state.last.place >= 0) shown.last = like.of((state.ply & 1) ^ 1, state.last);
        return shown;
    }

    std::optional<Shown> find(const State& given) const {
        const State& state = data_.like ? turned(given) : given;
        std::optional<Description> least;
        const Image* image = nullptr;
        for (const auto& one : data_.group) {
            Description description(state, one, data_.layers, data_.recycle_from);
            if (least && !(description < *least)) continue;
            least = std::move(description);
            image = &one;
        }
        const auto key = least->digest();
        const std::size_t count = data_.bytes.size() / ENTRY_BYTES;
        std::size_t low = 0, high = count;
        while (low < high) {
            const std::size_t middle = (low + high) / 2;
            if (key_at(middle) < key)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == count || key_at(low) != key) return {};
        const std::uint8_t* number = &data_.bytes[count * KEY_BYTES + 2 * low];
        return Shown{static_cast<std::int16_t>(number[0] << 8 | number[1]), image};
    }

    std::uint64_t key_at(std::size_t entry) const {
        std::uint64_t key = 0;
        for (std::size_t byte = 0; byte < KEY_BYTES; ++byte) key = key << 8 | data_.bytes[entry * KEY_BYTES + byte];
        return key;
    }

    std::optional<int> stacked(const State& state) const {
        if (state.ply >= static_cast<int>(data_.sizes.size())) return {};
        std::array<int, 1 << MAX_LAYERS> discs{};  // by kind
        for (int kind : state.kinds) ++discs[kind];
        if (discs[1] != (state.ply + 1) / 2 || discs[2] != state.ply / 2) return {};
        const auto& ply = unpacked(state.ply);
        const std::size_t place = ply.numbering.place(state);
        const int number = place < ply.numbers.size() ? static_cast<std::int8_t>(ply.numbers[place]) : NO_SCORE;
        if (number == NO_SCORE) return {};
        return number;
    }

    // The numbers of a ply, unpacked when they are first asked for; none where they cannot be.
    const Unpacked& unpacked(int number) const {
        auto& ply = plies_[number];
        if (const auto* found = ply.found.load(std::memory_order_acquire)) return *found;
        unpacking_.lock();
        if (!ply.owned) {
            Numbering numbering(data_.rows, data_.columns, number);
            auto numbers = Inflating::unpack(ply.packed, numbering.size() + 1);
            const auto count = numbers ? static_cast<std::ptrdiff_t>(numbers->size()) : -1;
            const bool whole = count == static_cast<std::ptrdiff_t>(numbering.size());
            if (!whole) damaged_ = number;
            ply.owned = std::make_unique<const Unpacked>(
                Unpacked{std::move(numbering), whole ? std::move(*numbers) : std::vector<std::uint8_t>(), count});
            ply.found.store(ply.owned.get(), std::memory_order_release);
        }
        unpacking_.unlock();
        return *ply.owned;
    }
};

// What books say of a move: a score for the mover, nothing of one that is recommended without a proof.
struct BookEntry {
    std::optional<Score> score;
    Note note;
};

// All books of a game, in the order in which they are asked.
class Books {
  public:
    // `group`: the symmetries of the rules, the identity first.
    Books(const Core& core, std::vector<std::shared_ptr<const Book>> books, std::vector<Image> group)
        : core_(core), books_(std::move(books)), group_(std::move(group)) {}

    bool empty() const { return books_.empty(); }

    // What is wrong with one that was asked.
    Refusal damage() const {
        for (const auto& book : books_)
            if (auto refusal = book->damage()) return refusal;
        return {};
    }

    // Whether a book proves that a side wins from the start.
    bool wins(int side) const {
        return std::ranges::any_of(
            books_, [&](const auto& book) { return book->kind() == BookKind::STRATEGY && book->side() == side; });
    }

    // What books know of the moves of a position that goes on; of a move that two know, what the first says.
    std::vector<std::optional<BookEntry>> entries(const Outlook& outlook) const {
        std::vector<std::optional<BookEntry>> found(outlook.size());
        for (const auto& book : books_)
            each_entry(outlook, *book, [&](std::size_t move, const BookEntry& entry) {
                if (!found[move] || (!found[move]->score && entry.score)) found[move] = entry;
            });
        return found;
    }

    // What they say of a position itself, which they may know without knowing its moves.
    std::optional<Score> score_of(const State& state) const {
        for (const auto& book : books_)
            if (book->side() < 0)
                if (const auto number = book->number(state))
                    if (const auto score = meant(state, *book, *number)) return score;
        return {};
    }

    // The exact score of a position by one of the books, as the solver's number.
    std::optional<int> exact_number(const State& state) const {
        for (const auto& book : books_)
            if (book->kind() == BookKind::SCORES)
                if (const auto number = book->number(state)) return number;
        return {};
    }

    // What a Connect Four position one move beyond the books can be worth to the side to move, in the solver's numbers:
    // whatever position its last disc was laid in is worth no less than that move.
    Window possible_numbers(const State& state, int columns) const {
        Window possible = EXACT;
        if (std::ranges::none_of(books_, [&](const auto& book) {
                return book->kind() == BookKind::SCORES && state.ply <= book->last_ply() + 1;
            }))
            return possible;
        const int theirs = ((state.ply - 1) & 1) + 1;
        State before = state;
        --before.ply;
        before.last = {};
        for (std::size_t cell = 0; cell < state.kinds.size(); ++cell) {
            const std::size_t above = cell + columns;  // cells are numbered row by row
            if (state.kinds[cell] != theirs || (above < state.kinds.size() && state.kinds[above])) continue;
            before.kinds[cell] = 0;
            if (const auto number = exact_number(before)) possible.lower = std::max(possible.lower, -*number);
            before.kinds[cell] = static_cast<std::uint8_t>(theirs);
        }
        return possible;
    }

    // The legal moves without those that a symmetry of the position makes of an earlier one.
    std::vector<std::size_t> distinct(const Outlook& outlook) const {
        const auto same = symmetries(outlook.here.state);
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            const bool known = std::ranges::any_of(same, [&](const Image* image) {
                const int at = outlook.index(image->of(outlook.to_move(), outlook.moves[i]));
                return std::ranges::find(found, static_cast<std::size_t>(at)) != found.end();
            });
            if (!known) found.push_back(i);
        }
        return found;
    }

  private:
    const Core& core_;
    const std::vector<std::shared_ptr<const Book>> books_;
    const std::vector<Image> group_;

    // What a number of scores or results says to the side to move; nothing of what is known by half.
    static std::optional<Score> meant(const State& state, const Book& book, int number) {
        if (book.kind() == BookKind::SCORES) return verdict(empty_cells(state), number);
        if (number == Book::NOT_LOST || number == Book::NOT_WON) return {};
        return verdict(empty_cells(state), number, WHO_WINS);
    }

    template <class F>
    void each_entry(const Outlook& outlook, const Book& book, F&& f) const {
        if (book.side() < 0) return each_score(outlook, book, f);
        const State& state = outlook.here.state;
        if (outlook.to_move() != book.side()) {
            if (book.kind() != BookKind::DEFENCE) each_replied(outlook, book, f);
            return;
        }
        const auto reply = book.reply(state, outlook.moves);
        if (!reply) return;
        BookEntry entry{{}, {Remark::BOOK_DEFENCE}};  // the opponent may have erred: nothing is proved of the score
        if (book.kind() != BookKind::DEFENCE)
            entry = {Score::win(end(state, book) - state.ply, true), {Remark::BOOK_WINS, end(state, book)}};
        else if (state.ply == 0)
            entry = {Score::loss(book.plies()), {Remark::LONGEST_DEFENCE}};
        else
            return f(*reply, entry);
        for (const Image* image : symmetries(state))
            if (const int move = outlook.index(image->of(outlook.to_move(), outlook.moves[*reply])); move >= 0)
                f(static_cast<std::size_t>(move), entry);
    }

    // What the book says of the moves that lead to positions of it.
    template <class F>
    static void each_score(const Outlook& outlook, const Book& book, F&& f) {
        if (outlook.here.state.ply + 1 > book.last_ply() && book.kind() == BookKind::SCORES) return;
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            if (outlook.after[i].outcome) continue;
            const auto number = book.number(outlook.after[i].state);
            if (!number) continue;
            const auto score = meant(outlook.here.state, book, -*number);
            if (score)
                f(i, BookEntry{score, {}});
            else if (*number == Book::NOT_WON)
                f(i, BookEntry{{}, {Remark::BOOK_CANNOT_LOSE}});
        }
    }

    // The moves that the winner has an answer to, who is not to move.
    template <class F>
    void each_replied(const Outlook& outlook, const Book& book, F&& f) const {
        const int ply = outlook.here.state.ply;
        for (std::size_t i = 0; i < outlook.size(); ++i) {
            const auto& after = outlook.after[i];
            if (after.outcome || !won_by_book(after, book)) continue;
            const int last = end(after.state, book);
            f(i, BookEntry{Score::loss(last - ply, true), {Remark::BOOK_LOSES, last}});
        }
    }

    // Whether the side to move, the book's own, has an answer; a strategy is silent where a move wins at once.
    bool won_by_book(const Spot& spot, const Book& book) const {
        const auto next = Outlook::of(core_, spot.state);
        if (book.reply(spot.state, next.moves)) return true;
        if (book.kind() != BookKind::STRATEGY || spot.state.ply >= book.plies()) return false;
        for (std::size_t i = 0; i < next.size(); ++i)
            if (next.moves[i].lift < 0 && next.after[i].outcome.winner == spot.to_move()) return true;
        return false;
    }

    // The ply after which the book's side, which is to move, has won at the latest.
    int end(const State& state, const Book& book) const {
        if (book.kind() != BookKind::WINS) return book.plies();
        const int last = core_.tables().data.max_plies;  // of the side to move, if the board fills
        return (last - state.ply) % 2 ? last : last - 1;
    }

    // The images under which a position stays the same.
    std::vector<const Image*> symmetries(const State& state) const {
        const auto& tables = core_.tables();
        const auto describe = [&](const Image& image) {
            return Description(state, image, tables.layers, tables.data.recycle_from);
        };
        std::vector<const Image*> same;
        const auto here = describe(group_.front());
        for (const auto& image : group_)
            if (describe(image) == here) same.push_back(&image);
        return same;
    }
};

}  // namespace plyground
