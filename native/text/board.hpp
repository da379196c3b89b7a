// The cells of a board: where each lies, which lines run through it, and how the board looks when it is turned.
#pragma once

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/rules.hpp"

namespace plyground::text {

using Point = std::array<int, 3>;

enum class Lattice { SQUARE, HEXAGON, STACK };

// A kind of line: its name and the steps that make it.
struct Direction {
    std::string family;
    Point step;
};

// A change of the board: the cells that its cells go to.
struct Turn {
    std::string name;
    std::vector<int> cells;
};

// Squares lie at (column, row, 0), stacks at (column, row, floor), both counted from 1. Hexagons lie at (column, row,
// 0) too, and the neighbours in a row are two columns apart:
//
//     3    .   .   .        columns 2 4 6
//     2  .   .   .   .      columns 1 3 5 7
//     1    .   .   .        columns 2 4 6
class Board {
  public:
    Lattice lattice = Lattice::SQUARE;
    bool ring = false, torus = false;       // left and right joined; bottom and top too
    std::vector<Point> points;              // by cell
    std::vector<std::pair<int, int>> seen;  // where each is drawn, (column, row)
    int columns = 0, rows = 0, floors = 1;

    // Cells in the order in which boards number them: row by row from the bottom, floor by floor.
    void close() {
        std::ranges::sort(points, [](const Point& a, const Point& b) {
            return std::array{a[2], a[1], a[0]} < std::array{b[2], b[1], b[0]};
        });
        points.erase(std::unique(points.begin(), points.end()), points.end());
        for (std::size_t i = 0; i < points.size(); ++i) {
            index_[points[i]] = static_cast<int>(i);
            columns = std::max(columns, points[i][0]);
            rows = std::max(rows, points[i][1]);
            floors = std::max(floors, points[i][2] + 1);
        }
        const int beside = floors_beside();
        for (const auto& [column, row, floor] : points)
            seen.emplace_back(column + floor % beside * (columns + 1), row + floor / beside * (rows + 1));
        if (lattice == Lattice::STACK) number_by_sight();
    }

    int cells() const { return static_cast<int>(points.size()); }

    // The cell at a place, -1 where there is none.
    int at(Point point) const {
        if (ring || torus) point[0] = wrapped(point[0], columns);
        if (torus) point[1] = wrapped(point[1], rows);
        const auto found = index_.find(point);
        return found == index_.end() ? -1 : found->second;
    }

    // How many cells further is another one along a direction, or -1.
    static Point after(Point point, const Point& step, int times) {
        for (int i = 0; i < 3; ++i) point[i] += step[i] * times;
        return point;
    }

    std::vector<Direction> directions() const {
        switch (lattice) {
            case Lattice::SQUARE:
                return {{"row", {1, 0, 0}},
                        {"column", {0, 1, 0}},
                        {"rising diagonal", {1, 1, 0}},
                        {"falling diagonal", {1, -1, 0}}};
            case Lattice::HEXAGON:
                return {{"row", {2, 0, 0}}, {"rising line", {1, 1, 0}}, {"falling line", {1, -1, 0}}};
            default:
                break;
        }
        std::vector<Direction> all;
        for (int x = -1; x <= 1; ++x)
            for (int y = -1; y <= 1; ++y)
                for (int z = -1; z <= 1; ++z) {
                    const std::array step{z, y, x};
                    if (step <= std::array{0, 0, 0}) continue;  // of two opposite steps one
                    all.push_back({family_of({x, y, z}), {x, y, z}});
                }
        return all;
    }

    // Every turn and reflection that takes cells to cells, the identity not among them.
    std::vector<Turn> turns() const {
        std::vector<Turn> found;
        const auto add = [&](const std::string& name, const std::vector<Point>& images) {
            std::vector<int> cells;
            for (const auto& image : images) {
                const int cell = at(image);
                if (cell < 0) return;
                cells.push_back(cell);
            }
            auto sorted = cells;
            std::ranges::sort(sorted);
            if (std::ranges::adjacent_find(sorted) != sorted.end()) return;
            const bool still = std::ranges::is_sorted(cells);
            if (still || std::ranges::any_of(found, [&](const Turn& turn) { return turn.cells == cells; })) return;
            found.push_back({name, cells});
        };
        if (lattice == Lattice::HEXAGON) {
            turn_hexagons(add);
        } else {
            turn_axes(add);
        }
        if (ring || torus) add("shift", moved({1, 0, 0}));
        if (torus) add("rise", moved({0, 1, 0}));
        return found;
    }

  private:
    static constexpr int LETTERS = 26;
    std::map<Point, int> index_;

    static int wrapped(int value, int size) { return size ? ((value - 1) % size + size) % size + 1 : value; }

    static std::string family_of(const Point& step) {
        const int axes = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
        if (axes == 3) return "space diagonal";
        if (axes == 2)
            return step[2] ? "standing diagonal" : step[0] == step[1] ? "rising diagonal" : "falling diagonal";
        return step[0] ? "row" : step[1] ? "column" : "pillar";
    }

    // Floors stand side by side with a gap between them, in as many rows as make the whole about as wide as high.
    int floors_beside() const {
        int best = 1, least = 0;
        for (int beside = 1; beside <= floors && beside * (columns + 1) - 1 <= LETTERS; ++beside) {
            const int longest = std::max(beside * (columns + 1), (floors + beside - 1) / beside * (rows + 1));
            if (least == 0 || longest <= least) best = beside, least = longest;
        }
        return best;
    }

    // Cells are numbered as they are drawn, row by row.
    void number_by_sight() {
        std::vector<std::size_t> order(points.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
            return std::pair{seen[a].second, seen[a].first} < std::pair{seen[b].second, seen[b].first};
        });
        const auto old_points = points;
        const auto old_seen = seen;
        for (std::size_t i = 0; i < order.size(); ++i) {
            points[i] = old_points[order[i]];
            seen[i] = old_seen[order[i]];
            index_[points[i]] = static_cast<int>(i);
        }
    }

    std::vector<Point> moved(const Point& step) const {
        std::vector<Point> images;
        for (const auto& point : points) images.push_back(after(point, step, 1));
        return images;
    }

    // Brings images back to where the board lies.
    static std::vector<Point> aligned(std::vector<Point> images, const std::vector<Point>& onto) {
        for (int axis = 0; axis < 3; ++axis) {
            const auto least = [&](const std::vector<Point>& of) {
                int low = of[0][axis];
                for (const auto& point : of) low = std::min(low, point[axis]);
                return low;
            };
            const int by = least(onto) - least(images);
            for (auto& point : images) point[axis] += by;
        }
        return images;
    }

    // Axes exchanged and turned round; on stacks the third one too.
    template <class Add>
    void turn_axes(Add&& add) const {
        const bool deep = lattice == Lattice::STACK;
        std::array<int, 3> order{0, 1, 2};
        do {
            if (!deep && order[2] != 2) continue;
            for (int signs = 0; signs < (deep ? 8 : 4); ++signs) {
                std::vector<Point> images;
                for (const auto& point : points) {
                    Point image{};
                    for (int axis = 0; axis < 3; ++axis)
                        image[axis] = point[order[axis]] * (signs >> axis & 1 ? -1 : 1);
                    images.push_back(image);
                }
                add(name_of(order, signs, deep), aligned(images, points));
            }
        } while (std::next_permutation(order.begin(), order.end()));
    }

    static std::string name_of(const std::array<int, 3>& order, int signs, bool deep) {
        if (!deep) {
            if (order[0] == 0) return signs == 1 ? "left-right" : signs == 2 ? "top-bottom" : "half turn";
            return signs == 0 ? "diagonal" : signs == 3 ? "other diagonal" : "quarter turn";
        }
        std::string name = "axes ";
        for (int axis = 0; axis < 3; ++axis) {
            if (signs >> axis & 1) name += "-";
            name += "xyz"[order[axis]];
        }
        return name;
    }

    // Three axes whose coordinates add up to nothing, exchanged and turned round.
    template <class Add>
    void turn_hexagons(Add&& add) const {
        std::vector<Point> cubes;
        for (const auto& [column, row, floor] : points) {
            // Doubled, so that every place has whole coordinates.
            const int x = column - row, z = 2 * row;
            cubes.push_back({x, -x - z, z});
        }
        std::array<int, 3> order{0, 1, 2};
        do
            for (const int sign : {1, -1}) {
                std::vector<Point> turned;
                for (const auto& cube : cubes)
                    turned.push_back({sign * cube[order[0]], sign * cube[order[1]], sign * cube[order[2]]});
                std::vector<Point> images;
                for (const auto& [x, y, z] : aligned(turned, cubes)) {
                    if (x + y + z != 0 || z % 2 != 0) break;
                    images.push_back({x + z / 2, z / 2, 0});
                }
                if (images.size() != points.size()) continue;
                const std::string letters{"xyz"[order[0]], "xyz"[order[1]], "xyz"[order[2]]};
                add((sign < 0 ? "turn -" : "turn ") + letters, images);
            }
        while (std::next_permutation(order.begin(), order.end()));
    }
};

}  // namespace plyground::text
