// The fewest slides of a fifteen puzzle (16 numbers row by row on standard input, 0 the gap, which is at home in the first
// cell), by iterative deepening A* with the Manhattan distance (Korf 1985): prints the slides and the positions.
#include <cstdio>
#include <cstdlib>

int tiles[16], near[16][5], home[16][16];
unsigned long long visited;

int deepen(int gap, int before, int left, int bound) {  // the least cost beyond the bound, 0 if solved within it
    visited++;
    if (left == 0) return 0;
    int least = 1 << 20;
    for (int* there = near[gap]; *there >= 0; there++) {
        if (*there == before) continue;
        int tile = tiles[*there], after = left + home[tile][gap] - home[tile][*there];
        if (1 + after > bound) {
            if (1 + after < least) least = 1 + after;
            continue;
        }
        tiles[gap] = tile;
        int found = deepen(*there, gap, after, bound - 1);
        tiles[*there] = tile;
        if (found == 0) return 0;
        if (found + 1 < least) least = found + 1;
    }
    return least;
}

int main() {
    int gap = 0, left = 0;
    for (int cell = 0; cell < 16; cell++) {
        int count = 0;
        if (std::scanf("%d", &tiles[cell]) != 1) return 2;
        if (cell >= 4) near[cell][count++] = cell - 4;
        if (cell % 4) near[cell][count++] = cell - 1;
        if (cell % 4 < 3) near[cell][count++] = cell + 1;
        if (cell < 12) near[cell][count++] = cell + 4;
        near[cell][count] = -1;
        for (int tile = 1; tile < 16; tile++) home[tile][cell] = std::abs(tile / 4 - cell / 4) + std::abs(tile % 4 - cell % 4);
    }
    for (int cell = 0; cell < 16; cell++) {
        if (!tiles[cell]) gap = cell;
        left += home[tiles[cell]][cell];
    }
    int bound = left;
    for (int found; (found = deepen(gap, -1, left, bound)) != 0;) bound = found;
    return std::printf("%d %llu\n", bound, visited), 0;
}
