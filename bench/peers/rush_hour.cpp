// The fewest drives of a Rush Hour card (36 letters, A the red car, o for nothing), breadth first: prints the drives and the
// positions. With `hardest SEED COUNT LEAST` it makes cards: random boards are made harder by exchanging cars. Of each, the
// component of all reachable positions is listed, and the position farthest from any with the red car at the exit is taken.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <string>
#include <vector>
#include "known.hpp"

constexpr int WIDTH = 6, CELLS = 36, EXIT_ROW = 2;

struct Car {
    int lane, length;  // the cell of its lane at place 0
    bool is_row;
    int cell(int place) const { return lane + place * (is_row ? 1 : WIDTH); }
};

struct Places {
    std::uint64_t bits = 0;  // three for each car, the red one's lowest
    int of(int car) const { return bits >> 3 * car & 7; }
    Places with(int car, int place) const { return {(bits & ~(7ull << 3 * car)) | std::uint64_t(place) << 3 * car}; }
    std::uint64_t hash() const { return mixed(bits); }
    bool operator==(const Places& other) const { return bits == other.bits; }
};

using Fleet = std::vector<Car>;

template <class Visit>
void drives(const Fleet& fleet, Places places, Visit visit) {
    bool filled[CELLS] = {};
    for (std::size_t car = 0; car < fleet.size(); car++)
        for (int part = 0; part < fleet[car].length; part++) filled[fleet[car].cell(places.of(car) + part)] = true;
    for (std::size_t car = 0; car < fleet.size(); car++) {
        int at = places.of(car), length = fleet[car].length;
        for (int to = at - 1; to >= 0 && !filled[fleet[car].cell(to)]; to--) visit(places.with(car, to));
        for (int to = at + 1; to + length <= WIDTH && !filled[fleet[car].cell(to + length - 1)]; to++) visit(places.with(car, to));
    }
}

bool is_out(const Fleet& fleet, Places places) { return places.of(0) + fleet[0].length == WIDTH; }

std::string drawn(const Fleet& fleet, Places places) {
    std::string card(CELLS, 'o');
    for (std::size_t car = 0; car < fleet.size(); car++)
        for (int part = 0; part < fleet[car].length; part++) card[fleet[car].cell(places.of(car) + part)] = char('A' + car);
    return card;
}

Fleet read(const std::string& card, Places& places) {
    Fleet fleet;
    for (char letter = 'A'; letter <= 'Z'; letter++) {
        std::vector<int> cells;
        for (int cell = 0; cell < CELLS; cell++)
            if (card[cell] == letter) cells.push_back(cell);
        if (cells.empty()) continue;
        bool is_row = cells[1] == cells[0] + 1;
        int place = is_row ? cells[0] % WIDTH : cells[0] / WIDTH;
        places = places.with(fleet.size(), place);
        fleet.push_back({is_row ? cells[0] - place : cells[0] % WIDTH, (int)cells.size(), is_row});
    }
    return fleet;
}

int solve(const std::string& card) {
    Places start;
    Fleet fleet = read(card, start);
    Known<Places> known;
    known.add(start);
    std::uint32_t layer_end = 1;
    int moves = 0;
    for (std::uint32_t done = 0; done < known.size(); done++) {
        if (done == layer_end) moves++, layer_end = known.size();
        if (is_out(fleet, known[done])) return std::printf("%d %u\n", moves, known.size()), 0;
        drives(fleet, known[done], [&](Places after) { known.add(after); });
    }
    return std::printf("none %u\n", known.size()), 0;
}

constexpr std::uint32_t MOST = 40000;  // larger components are left out

int farthest(const Fleet& fleet, Places& start) {
    Known<Places> all, far;
    all.add(start);
    for (std::uint32_t done = 0; done < all.size(); done++) {
        if (all.size() > MOST) return 0;
        drives(fleet, all[done], [&](Places after) { all.add(after); });
    }
    for (std::uint32_t number = 0; number < all.size(); number++)
        if (is_out(fleet, all[number])) far.add(all[number]);
    if (!far.size()) return 0;
    std::uint32_t layer_end = far.size();
    int moves = 0;
    for (std::uint32_t done = 0; done < far.size(); done++) {
        if (done == layer_end) moves++, layer_end = far.size();
        drives(fleet, far[done], [&](Places after) { far.add(after); });
    }
    start = far[far.size() - 1];
    return moves;
}

struct Board {
    Fleet fleet;
    Places places;
    int moves = 0;

    bool is_free(const Car& car, int place) const {
        for (std::size_t other = 0; other < fleet.size(); other++)
            for (int part = 0; part < fleet[other].length; part++)
                for (int own = 0; own < car.length; own++)
                    if (fleet[other].cell(places.of(other) + part) == car.cell(place + own)) return false;
        return true;
    }
    void add(const Car& car, int place) { places = places.with(fleet.size(), place), fleet.push_back(car); }
    void remove(int car) {
        std::uint64_t below = (1ull << 3 * car) - 1;
        places.bits = (places.bits & below) | (places.bits >> 3 & ~below);
        fleet.erase(fleet.begin() + car);
    }
};

void hardest(unsigned seed, int count, int least) {
    constexpr int CARS = 13, PATIENCE = 40;
    std::mt19937 random(seed);
    auto below = [&](unsigned most) { return int(random() % most); };
    auto add_one = [&](Board& board) {
        for (int tries = 0; tries < 50; tries++) {
            int length = below(10) < 7 ? 2 : 3, line = below(WIDTH), place = below(WIDTH + 1 - length), alike = 0;
            bool is_row = below(2);
            Car car{is_row ? line * WIDTH : line, length, is_row};
            for (std::size_t other = 1; other < board.fleet.size(); other++) alike += board.fleet[other].length == length;
            bool is_in_box = alike < (length == 2 ? 11 : 4) && !(is_row && line == EXIT_ROW);
            if (is_in_box && board.is_free(car, place)) return board.add(car, place);
        }
    };
    std::set<std::string> made;
    while ((int)made.size() < count) {
        Board best;
        best.add({EXIT_ROW * WIDTH, 2, true}, below(5));
        for (int cars = 1; cars < CARS; cars++) add_one(best);
        best.moves = farthest(best.fleet, best.places);
        for (int since = 0; since < PATIENCE; since++) {  // exchange one or two cars while that makes it no easier
            Board other = best;
            for (int cars = 1 + below(2); cars > 0 && other.fleet.size() > 1; cars--) other.remove(1 + below(other.fleet.size() - 1));
            while ((int)other.fleet.size() < CARS && below(8)) add_one(other);
            other.moves = farthest(other.fleet, other.places);
            if (other.moves > best.moves) since = -1;
            if (other.moves >= best.moves) best = other;
        }
        if (best.moves >= least && made.insert(drawn(best.fleet, best.places)).second)
            std::printf("%d %s\n", best.moves, drawn(best.fleet, best.places).c_str()), std::fflush(stdout);
    }
}

int main(int count, char** words) {
    if (count == 5 && !std::strcmp(words[1], "hardest"))
        return hardest(std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4])), 0;
    char card[CELLS + 1];
    return std::scanf("%36s", card) == 1 ? solve(card) : 2;
}
