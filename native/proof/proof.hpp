// Proof-number search (df-pn): can a side, the attacker, force a win by a given ply?
//
// Every position is asked together with the attacker and the horizon, and knows its ply, so no line of play comes
// back to a question it came from: what the table says about a question is true however it was reached.
//
//   proof number      how many open positions must at least be won to prove the win
//   disproof number   how many must at least be refuted to prove that there is none
//
// Where all children of a node count, the largest number among them and one for each other child are taken instead of
// their sum: games here come to the same position by many ways, and a sum would count it as often.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/position.hpp"
#include "core/rules.hpp"
#include "core/state.hpp"
#include "proof/holding.hpp"
#include "proof/proof_table.hpp"
#include "search/control.hpp"

namespace plyground {

enum class ProofAnswer : int { UNKNOWN, WIN_PROVED, WIN_DISPROVED };

struct Question {
    int attacker;
    int horizon;  // the win must be complete when so many plies have been played
};

// One answer of a strategy: what the attacker plays in a position.
struct Reply {
    State state;
    Move move;
};

template <int W>
class ProofSearch {
  public:
    ProofSearch(const Tables& tables, Position<W>& position, ProofTable& table, Control& control)
        : t_(tables), position_(position), table_(table), control_(control), holder_(tables) {
        for (int side = 0; side < 2; ++side)
            for (const auto& cover : tables.covered[side])
                for (auto [cell, kind] : cover) serves_other_[side] |= tables.sides_of_kind[kind] >> (side ^ 1) & 1;
    }

    std::uint64_t nodes() const { return nodes_; }

    // The answer for the present position; unknown when a limit was reached first, or after so many nodes.
    ProofAnswer ask(Question question, std::uint64_t most = ~std::uint64_t{0}) {
        pose(question);
        most_nodes_ = most > ~nodes_ ? ~std::uint64_t{0} : nodes_ + most;
        Numbers found = judge();
        if (!found.decided()) found = search(0, {ENDLESS, ENDLESS});
        return answer_of(found);
    }

    // A move of the attacker, who is to move, that keeps a proved win; place -1 when a limit was reached first.
    Move winning_move(Question question) {
        if (Move now = winning_now(); now.place >= 0) return now;
        const Move before = position_.last;
        Move found;
        int fewest = 0;
        for (Move move : moves()) {
            position_.make(move);
            if (known(question) == ProofAnswer::WIN_PROVED) {
                // The fewer answers the defender has, the shorter the strategy.
                const int answers = position_.recycling() ? MAX_PLACEMENTS : worth_trying().count();
                if (found.place < 0 || answers < fewest) {
                    found = move;
                    fewest = answers;
                }
            }
            position_.unmake(before);
        }
        if (found.place >= 0) return found;
        for (Move move : moves()) {
            position_.make(move);
            const bool wins = ask(question) == ProofAnswer::WIN_PROVED;
            position_.unmake(before);
            if (wins) return move;
        }
        return found;
    }

    // The play that follows from a proved win: the attacker keeps it, the defender puts it off as long as a short
    // look shows.
    std::vector<Move> line(Question question) {
        std::vector<Move> played, befores;
        while (!position_.outcome() && !control_.stopped()) {
            const bool attacks = position_.to_move() == question.attacker;
            const Move move = attacks ? winning_move(question) : delaying_move(question);
            if (move.place < 0) break;
            befores.push_back(position_.last);
            played.push_back(move);
            position_.make(move);
        }
        for (auto before = befores.rbegin(); before != befores.rend(); ++before) position_.unmake(*before);
        return played;
    }

    // The attacker's answer to everything the defender can do, one for each position up to symmetry; none where a
    // move wins on the spot. False when a limit was reached first.
    bool strategy(Question question, std::vector<Reply>& replies) {
        std::unordered_set<std::uint64_t> seen;
        return answer_all(question, replies, seen);
    }

  private:
    static constexpr std::uint64_t GLANCE = 300;          // pairs tried for a pairing of the defender
    static constexpr std::uint64_t DELAY_NODES = 20'000;  // for a look whether a defence lasts longer

    struct Child {
        Move move;
        Numbers numbers;
    };

    const Tables& t_;
    Position<W>& position_;
    ProofTable& table_;
    Control& control_;
    Holder holder_;
    std::array<bool, 2> serves_other_{};  // whether a side's placements may add to the opponent's patterns
    Question question_{};
    std::uint64_t salt_ = 0, nodes_ = 0, most_nodes_ = 0;
    std::vector<std::unique_ptr<std::vector<Child>>> frames_;

    static ProofAnswer answer_of(Numbers numbers) {
        if (numbers.proof == 0) return ProofAnswer::WIN_PROVED;
        return numbers.disproof == 0 ? ProofAnswer::WIN_DISPROVED : ProofAnswer::UNKNOWN;
    }

    void pose(Question question) {
        question_ = question;
        salt_ = scramble(0x80000 + 2 * static_cast<std::uint64_t>(question.horizon) + question.attacker);
    }

    bool out_of_time() { return control_.poll(nodes_) || nodes_ >= most_nodes_; }
    bool attacking() const { return position_.to_move() == question_.attacker; }

    // The key of the question here, the same for all images of the position.
    std::uint64_t key_here() const {
        std::uint64_t least = position_.key(0);
        for (int g = 1; g < t_.symmetries; ++g) least = std::min(least, position_.key(g));
        return least ^ salt_;
    }

    std::uint64_t key_after(Move move) const {
        std::uint64_t least = position_.key_after(move, 0);
        for (int g = 1; g < t_.symmetries; ++g) least = std::min(least, position_.key_after(move, g));
        return least ^ salt_;
    }

    // What needs no search: the table or a look at the board answers.
    ProofAnswer known(Question question) {
        pose(question);
        Numbers found = judge();
        if (!found.decided())
            if (const auto known = table_.find(key_here())) found = known->numbers;
        return answer_of(found);
    }

    std::vector<Move> moves() {
        std::vector<Move> list;
        position_.any_move([&](Move move) { return list.push_back(move), false; });
        return list;
    }

    // A move that wins at once; place -1 when there is none.
    Move winning_now() {
        const int side = position_.to_move();
        if (!t_.completing_wins) return {};
        if (position_.recycling()) return position_.winning_recycling();
        const auto wins = position_.playable(side) & position_.completing(side, side);
        return wins.any() ? Move{static_cast<std::int16_t>(wins.first()), -1} : Move{};
    }

    // What the board alone shows about the present position.
    Numbers judge() {
        if (auto outcome = position_.outcome()) return outcome.winner == question_.attacker ? PROVED : DISPROVED;
        if (position_.ply >= question_.horizon) return DISPROVED;
        if (winning_now().place >= 0) return attacking() ? PROVED : DISPROVED;
        if (out_of_reach()) return DISPROVED;
        return {};
    }

    // Whether the horizon comes before any pattern can be complete.
    bool out_of_reach() const {
        // What is lifted can bring a pattern back to life.
        if (position_.recycling() || question_.horizon > t_.data.recycle_from) return false;
        if (t_.data.full_winner == question_.attacker) return false;
        if (position_.live(question_.attacker) == 0) return true;
        // A move adds at most one cell to a pattern.
        if (!t_.threats_complete) return false;
        const int plies = question_.horizon - position_.ply;
        const bool each_ply = serves_other_[question_.attacker ^ 1] || t_.has_passes();
        const int useful = each_ply ? plies : (plies + attacking()) / 2;
        return useful < t_.longest && !position_.within_reach(question_.attacker, useful);
    }

    Numbers search(std::size_t depth, Numbers threshold) {
        const std::uint64_t key = key_here();
        const auto known = table_.find(key);
        if (known) {
            const auto [proof, disproof] = known->numbers;
            if (known->numbers.decided() || proof >= threshold.proof || disproof >= threshold.disproof)
                return known->numbers;
        }
        if (!(known && known->searched) && holder_.holds(position_, question_.attacker ^ 1, GLANCE)) {
            table_.store(key, DISPROVED, 1);
            return DISPROVED;
        }
        if (out_of_time()) return {};
        const std::uint64_t began = nodes_++;
        if (frames_.size() <= depth) frames_.push_back(std::make_unique<std::vector<Child>>());
        auto& children = *frames_[depth];
        const bool attack = attacking();
        Numbers total = expand(children, attack);
        const Move before = position_.last;
        while (!total.decided() && total.proof < threshold.proof && total.disproof < threshold.disproof) {
            const auto [best, second] = two_best(children, attack);
            Child& child = children[best];
            const Numbers limits = limits_for(child.numbers, second, total, threshold, attack);
            position_.make(child.move);
            const Numbers found = search(depth + 1, limits);
            position_.unmake(before);
            if (!found.decided() && out_of_time()) break;
            child.numbers = found;
            total = sum(children, attack);
        }
        table_.store(key, total, nodes_ - began);
        return total;
    }

    // How far a child's numbers may rise before another one, or the node's parent, deserves a look.
    static Numbers limits_for(Numbers child, std::uint32_t second, Numbers total, Numbers threshold, bool attack) {
        if (attack)
            return {std::min(threshold.proof, a_little_more(second)),
                    capped(threshold.disproof - total.disproof + child.disproof)};
        return {capped(threshold.proof - total.proof + child.proof),
                std::min(threshold.disproof, a_little_more(second))};
    }

    // Lists the children that are still open and adds them up.
    Numbers expand(std::vector<Child>& children, bool attack) {
        children.clear();
        const Move before = position_.last;
        Numbers decisive;
        auto enter = [&](Move move) {
            const std::uint64_t key = key_after(move);
            Numbers numbers;
            if (const auto known = table_.find(key)) {
                numbers = known->numbers;
            } else {
                position_.make(move);
                numbers = judge();
                if (!numbers.decided()) numbers = guess();
                position_.unmake(before);
                table_.store(key, numbers, 0);
            }
            if (!numbers.decided())
                children.push_back({move, numbers});
            else if ((numbers.proof == 0) == attack)
                decisive = numbers;
            return decisive.decided();
        };
        if (position_.recycling()) {
            for (Move move : moves())
                if (enter(move)) break;
        } else {
            worth_trying().any_of([&](int place) { return enter({static_cast<std::int16_t>(place), -1}); });
        }
        return decisive.decided() ? decisive : sum(children, attack);
    }

    // The plain moves that may leave the opponent no win on the spot; whoever is to move has none himself.
    Mask<W> worth_trying() const {
        const int side = position_.to_move(), other = side ^ 1, shape = t_.shape_of[side];
        Mask<W> moves = position_.playable(side);
        // A win that would come too late, or by other moves than plain ones, need not be stopped.
        const int reply = position_.ply + 2;
        if (!t_.threats_complete || reply > t_.data.recycle_from || reply > t_.data.max_plies) return moves;
        if (!attacking() && reply > question_.horizon) return moves;
        if (t_.passes(position_.ply + 1)) return moves;
        const Mask<W> threats = position_.layable(other) & position_.completing(other, other);
        threats.each([&](int threat) {
            Mask<W> stops = t_.has_poles ? position_.pole_stops(threat) : Mask<W>{};
            for (auto [cell, kind] : t_.covered[other][threat])
                for (int place : t_.covering[shape][cell]) stops.set(place);
            moves = moves & stops;
        });
        return moves;
    }

    // First numbers for a position nothing is known about yet: forcing moves look easier to prove.
    Numbers guess() const {
        if (position_.recycling()) return {};
        const int side = position_.to_move() ^ 1;
        const bool threat = (position_.layable(side) & position_.completing(side, side)).any();
        if (attacking()) return {threat ? 2u : 1u, 1};
        return {threat ? 1u : 3u, 1};
    }

    // An attacker's node is proved by one child and disproved by all, a defender's the other way round.
    static Numbers sum(const std::vector<Child>& children, bool attack) {
        std::uint32_t least = ENDLESS, most = 0, open = 0;
        for (const Child& child : children) {
            const auto one = attack ? child.numbers.proof : child.numbers.disproof;
            const auto all = attack ? child.numbers.disproof : child.numbers.proof;
            least = std::min(least, one);
            most = std::max(most, all);
            open += all != 0;
        }
        if (least == 0) return attack ? PROVED : DISPROVED;
        if (open) most = capped(std::uint64_t{most} + open - 1);
        return attack ? Numbers{least, most} : Numbers{most, least};
    }

    // The child to look at next, and the number that counts of the runner-up.
    static std::pair<std::size_t, std::uint32_t> two_best(const std::vector<Child>& children, bool attack) {
        std::size_t best = 0;
        std::uint32_t least = ENDLESS, second = ENDLESS;
        for (std::size_t i = 0; i < children.size(); ++i) {
            const auto one = attack ? children[i].numbers.proof : children[i].numbers.disproof;
            if (one < least) {
                second = least;
                least = one;
                best = i;
            } else {
                second = std::min(second, one);
            }
        }
        return {best, second};
    }

    // Staying a little longer than the runner-up's number asks avoids jumping to and fro.
    static std::uint32_t a_little_more(std::uint32_t number) { return capped(std::uint64_t{number} + number / 4 + 1); }

    // The defender's move after which the attacker needs longest, as far as a short look shows.
    Move delaying_move(Question question) {
        const Question sooner{question.attacker, question.horizon - 2};
        const Move before = position_.last;
        Move longest;
        for (Move move : moves()) {
            position_.make(move);
            const bool ends = static_cast<bool>(position_.outcome());
            const bool lasts = !ends && ask(sooner, DELAY_NODES) != ProofAnswer::WIN_PROVED;
            position_.unmake(before);
            if (lasts) return move;
            if (!ends || longest.place < 0) longest = move;
        }
        return longest;
    }

    bool answer_all(Question question, std::vector<Reply>& replies, std::unordered_set<std::uint64_t>& seen) {
        const Move before = position_.last;
        if (position_.to_move() != question.attacker) {
            for (Move move : moves()) {
                position_.make(move);
                const bool done = position_.outcome() || answer_all(question, replies, seen);
                position_.unmake(before);
                if (!done) return false;
            }
            return true;
        }
        if (winning_now().place >= 0) return true;
        pose(question);
        if (!seen.insert(key_here()).second) return true;
        const Move move = winning_move(question);
        if (move.place < 0 || control_.stopped()) return false;
        replies.push_back({position_.state(), move});
        position_.make(move);
        const bool done = answer_all(question, replies, seen);
        position_.unmake(before);
        return done;
    }
};

}  // namespace plyground
