// States in the order in which they were found, each once: a table of numbers with open addressing, states compared whole.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

template <class State>
class Known {
  public:
    Known() : table(1 << 16) {}
    std::uint32_t size() const { return count; }
    const State& operator[](std::uint32_t number) const { return blocks[number >> BITS][number & (BLOCK - 1)]; }

    bool add(const State& state) {
        if (count >= table.size() / 4 * 3) grow();
        auto at = free_or_same(state);
        if (table[at]) return false;
        if ((count & (BLOCK - 1)) == 0) blocks.emplace_back(new State[BLOCK]);
        blocks[count >> BITS][count & (BLOCK - 1)] = state;
        table[at] = ++count;
        return true;
    }

  private:
    static constexpr int BITS = 16;
    static constexpr std::uint32_t BLOCK = 1u << BITS;
    std::vector<std::unique_ptr<State[]>> blocks;
    std::vector<std::uint32_t> table;
    std::uint32_t count = 0;

    std::size_t free_or_same(const State& state) const {
        std::size_t at = state.hash() & (table.size() - 1);
        while (table[at] && !((*this)[table[at] - 1] == state)) at = (at + 1) & (table.size() - 1);
        return at;
    }
    void grow() {
        std::size_t twice = 2 * table.size();
        std::vector<std::uint32_t>().swap(table);
        table.resize(twice);
        for (std::uint32_t number = 0; number < count; number++) {
            std::size_t at = (*this)[number].hash() & (twice - 1);
            while (table[at]) at = (at + 1) & (twice - 1);
            table[at] = number + 1;
        }
    }
};

inline std::uint64_t mixed(std::uint64_t word) {
    word = (word ^ (word >> 31)) * 0x9E3779B97F4A7C15ull;
    word = (word ^ (word >> 29)) * 0xBF58476D1CE4E5B9ull;
    return word ^ (word >> 32);
}
