// The fewest pushes of a Sokoban level (its lines on standard input), breadth first: prints the pushes and the positions.
// A position is a set of crates and the first cell that the man reaches; a crate is never pushed where no goal can be reached.
#include <cstdio>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
#include "known.hpp"

constexpr int WAYS = 4, MOST = 512;
int cells, next_to[MOST][WAYS];  // -1: a wall
bool goal[MOST], alive[MOST];

template <int WORDS>
struct Position {
    std::uint64_t crates[WORDS];
    std::uint16_t man;
    bool has(int cell) const { return crates[cell >> 6] >> (cell & 63) & 1; }
    void flip(int cell) { crates[cell >> 6] ^= 1ull << (cell & 63); }
    std::uint64_t hash() const {
        std::uint64_t sum = man;
        for (auto word : crates) sum = mixed(sum ^ word);
        return sum;
    }
    bool operator==(const Position& other) const { return man == other.man && !std::memcmp(crates, other.crates, sizeof crates); }
};

template <int WORDS>
int reach(Position<WORDS>& position, std::vector<char>& reached) {
    static int pending[MOST];
    int count = 0, first = position.man;
    std::fill(reached.begin(), reached.end(), 0);
    pending[count++] = position.man;
    reached[position.man] = 1;
    for (int at = 0; at < count; at++)
        for (int there : next_to[pending[at]])
            if (there >= 0 && !reached[there] && !position.has(there)) {
                reached[there] = 1;
                first = std::min(first, there);
                pending[count++] = there;
            }
    return first;
}

template <int WORDS>
int solve(const std::vector<int>& crates, int man) {
    Known<Position<WORDS>> known;
    std::vector<char> reached(cells), other(cells);
    Position<WORDS> start{};
    for (int cell : crates) start.flip(cell);
    start.man = man;
    start.man = reach(start, reached);
    known.add(start);
    std::uint32_t done = 0, layer_end = 1;
    for (int pushes = 0; done < known.size(); done++) {
        if (done == layer_end) pushes++, layer_end = known.size();
        auto position = known[done];
        bool solved = true;
        for (int cell = 0; cell < cells && solved; cell++) solved = !position.has(cell) || goal[cell];
        if (solved) return std::printf("%d %u\n", pushes, known.size()), 0;
        reach(position, reached);
        for (int crate = 0; crate < cells; crate++)
            if (position.has(crate))
                for (int way = 0; way < WAYS; way++) {
                    int behind = next_to[crate][way ^ 1], ahead = next_to[crate][way];
                    if (behind < 0 || ahead < 0 || !reached[behind] || !alive[ahead] || position.has(ahead)) continue;
                    auto after = position;
                    after.flip(crate), after.flip(ahead);
                    after.man = crate;
                    after.man = reach(after, other);
                    known.add(after);
                }
    }
    return std::printf("none %u\n", known.size()), 0;
}

int main() {
    std::vector<std::string> rows;
    for (std::string row; std::getline(std::cin, row);) rows.push_back(row);
    auto at = [&](int x, int y) { return y < 0 || y >= (int)rows.size() || x < 0 || x >= (int)rows[y].size() ? ' ' : rows[y][x]; };
    std::vector<std::pair<int, int>> inside;
    int man_x = 0, man_y = 0;
    for (int y = 0; y < (int)rows.size(); y++)
        for (int x = 0; x < (int)rows[y].size(); x++)
            if (at(x, y) == '@' || at(x, y) == '+') man_x = x, man_y = y;
    inside.emplace_back(man_x, man_y);
    auto number = [&](int x, int y) {
        for (int cell = 0; cell < (int)inside.size(); cell++)
            if (inside[cell] == std::make_pair(x, y)) return cell;
        return -1;
    };
    const int dx[] = {1, -1, 0, 0}, dy[] = {0, 0, 1, -1};
    for (std::size_t cell = 0; cell < inside.size(); cell++)
        for (int way = 0; way < WAYS; way++) {
            int x = inside[cell].first + dx[way], y = inside[cell].second + dy[way];
            if (at(x, y) != '#' && number(x, y) < 0) inside.emplace_back(x, y);
        }
    cells = inside.size();
    if (cells > MOST) return 2;
    std::vector<int> crates, pending;
    for (int cell = 0; cell < cells; cell++) {
        auto [x, y] = inside[cell];
        for (int way = 0; way < WAYS; way++) next_to[cell][way] = number(x + dx[way], y + dy[way]);
        goal[cell] = alive[cell] = std::strchr(".*+", at(x, y)) != nullptr;
        if (goal[cell]) pending.push_back(cell);
        if (std::strchr("$*", at(x, y))) crates.push_back(cell);
    }
    for (std::size_t done = 0; done < pending.size(); done++)
        for (int way = 0; way < WAYS; way++) {  // pull a crate away from a goal
            int there = next_to[pending[done]][way], beyond = there < 0 ? -1 : next_to[there][way];
            if (beyond >= 0 && !alive[there]) alive[there] = true, pending.push_back(there);
        }
    if (cells <= 64) return solve<1>(crates, 0);
    if (cells <= 128) return solve<2>(crates, 0);
    return cells <= 256 ? solve<4>(crates, 0) : solve<8>(crates, 0);
}
