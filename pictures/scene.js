// Draws any state of a game in a page, with the very picture that Python draws.
//
//   const { boards, panel, told } = placed(stage, reader, before);   // what stands where
//   const svg = painted(stage, boards[0], stage.title, told);       // SVG of a block, for the page
//   const shapes = definitions(stage);                              // SVG with the sprites, once for the page, before all blocks
//
// `stage` is JSON (stage/from_scene.py; stage/vocabulary.py says what its parts mean). `stage.rules` are style rules for the page.
// `reader` answers for a state; `before`, if any, answers for a state before it: changes on the boards are marked.
//   column(number)            the column of the state: a number, or an array or typed array of numbers (values over cells with
//                             the extra entry at the end, the tiles of a zone)
//   holds(definition, cell)   whether the definition stage.definitions[definition] holds for a cell
//   player(), over()          the player to move, 0 at the end; whether the game is over
//   turn(), score()           texts: `turn of player 1`; `score 3 · Novices`
//   standing(player)          text: ` · coins 3 · leads`, or ""
// A group that stands for a cell or a tile has `data-thing`, `sea 12` or `tile 3`, if the stage has `things`.

const LINE = 22, SIZE = 14, LETTER = 0.62, EDGE = 2; // as text_sizes.py and painter.py
const MARGIN = 0.6, LEVEL_GAP = 0.6, PIECE = 0.2, LONE = 1.5, SIDE = 0.7, CROWD = 4, CAPTION = 0.26, BEYOND = 0.8; // as placing/boards.py
const GAP = 8, ICON = 18, MOST_ICONS = 6, WIDEST = 40, MOST_TILES = 24, CHIP = [76, 20], PILE = 4, MOST_UNDER = 2, RIM = 0.06; // as placing/panel.py
const CORNERS = [[0.28, 0.28], [-0.28, -0.28], [0.28, -0.28], [-0.28, 0.28]];
const ROW = Math.sqrt(3) / 2, ACROSS = 0.5, DOWN = 0.5 / Math.sqrt(3), UP = 1 / Math.sqrt(3);

export function placed(stage, reader, before = null) {
  const blocks = [];
  const told = [reader.turn()];
  for (const board of stage.boards ?? []) {
    const found = placedBoard(stage, board, reader, before);
    if (!found) continue;
    blocks.push(board.is_titled ? stacked([line(stage, board.title, true), found.block]) : found.block);
    if (found.tiles) told.push(`${board.title}: ${found.tiles} tiles`);
  }
  const panel = (below) => stacked(stage.panel.rules.filter((rule) => Boolean(rule.below) === below).flatMap((rule) => PANEL[rule.is](stage, reader, rule)));
  const below = panel(true);
  return { boards: below.parts.length ? [...blocks, below] : blocks, panel: panel(false), told: told.join("; ") };
}

// Grids ----------------------------------------------------------------------------------------------------------------

const grids = new WeakMap();

// A grid with what follows from its data, kept for its board.
function gridOf(board) {
  if (grids.has(board)) return grids.get(board);
  const { plan, low, high, spots, names = [], vectors, near } = board.grid;
  const given = board.grid.coordinates_given ?? product(low, high);
  const cells = new Map(given.map((spot, cell) => [spot.join(), cell]));
  const size = given.length;
  const step = (cell, way) => {
    if (near) return near[cell][way];
    const spot = given[cell];
    const vector = vectors[modulo(spot[1], vectors.length)][way];
    return vector.length ? (cells.get(spot.map((at, axis) => at + vector[axis]).join()) ?? size) : size;
  };
  const ways = (cell) => (near ? near[cell] : vectors[0]).length;
  const around = (cell) => Array.from({ length: ways(cell) }, (_, way) => step(cell, way)).filter((other) => other !== size);
  const place = (cell) => names[cell] ?? given[cell].join();
  const grid = { plan, coordinates: given, size, spots, step, around, place, names };
  grids.set(board, grid);
  return grid;
}

function product(low, high) {
  let found = [[]];
  for (let axis = low.length - 1; axis >= 0; axis -= 1) {
    const range = Array.from({ length: high[axis] - low[axis] + 1 }, (_, at) => low[axis] + at);
    found = found.flatMap((rest) => range.map((at) => [at, ...rest]));
  }
  return found;
}

const modulo = (value, base) => ((value % base) + base) % base;
const ascending = (values) => [...values].sort((one, other) => one - other);
const total = (values) => values.reduce((sum, value) => sum + value, 0);

// Contents of cells ----------------------------------------------------------------------------------------------------

const sees = (owner, reader) => owner === 0 || owner === reader.player() || (owner > 0 && reader.over());

function contentsOf(board, reader) {
  const { size } = gridOf(board);
  const tiles = new Map();
  const marks = new Map();
  const add = (cell, standing) => (marks.has(cell) ? marks.get(cell).push(standing) : marks.set(cell, [standing]));
  if (board.tiles && board.tiles.column >= 0) {
    const column = reader.column(board.tiles.column);
    for (let cell = 0; cell < size; cell += 1) if (column[cell]) tiles.set(cell, column[cell]);
  }
  for (const rule of (board.rules ?? []).filter((rule) => rule.is === "Lying")) {
    for (const [cell, kind, owner] of lying(rule, reader)) if (!owner && !tiles.has(cell)) tiles.set(cell, kind);
  }
  for (const rule of board.rules ?? []) for (const [cell, standing] of RULES[rule.is](rule, size, reader, tiles)) add(cell, standing);
  for (const beside of board.beside ?? []) for (const [cell, standing] of atSides(beside, size, reader)) add(cell, standing);
  return { tiles, marks, used: new Set([...tiles.keys(), ...marks.keys()]) };
}

const standing = (mark, sprite = mark.sprite, title = mark.title ?? "", label = mark.label ?? "") => ({ mark, sprite, title, label });
const tell = ({ words, low = 0 }, value) => (words ? words[value - low] : String(value));

function* lying(rule, reader) {
  const owners = rule.owners >= 0 ? reader.column(rule.owners) : null;
  const places = reader.column(rule.column);
  for (let cell = 0; cell < places.length - 1; cell += 1) {
    const place = places[cell];
    if (place < rule.kinds.length) yield [cell, rule.kinds[place], owners ? owners[rule.starts[place]] : 0];
  }
}

const RULES = {
  *Values(rule, size, reader) {
    const column = reader.column(rule.column);
    for (let cell = 0; cell < size; cell += 1) {
      const value = column[cell];
      if (rule.silent?.includes(value)) continue;
      const mark = rule.marks[rule.words ? 0 : value - (rule.low ?? 0)];
      const word = rule.words ? tell(rule.words, value) : null;
      yield [cell, word === null ? standing(mark) : standing(mark, mark.sprite, (mark.title ?? "") + word, cut(word, rule.letters))];
    }
  },
  *Piece(rule, size, reader) {
    const cell = reader.column(rule.column);
    if (cell >= size || !sees(rule.owner ?? 0, reader)) return;
    const forms = (rule.forms ?? []).map((form) => form.sprites[reader.column(form.column)]);
    yield [cell, standing(rule.mark, forms.find((sprite) => sprite >= 0) ?? rule.mark.sprite)];
  },
  *Lying(rule, size, reader, tiles) {
    for (const [cell, kind, owner] of lying(rule, reader)) {
      if (tiles.get(cell) !== kind) yield [cell, standing(rule.marks[kind][owner])];
    }
  },
};

const cut = (word, letters) => (letters ? [...word].slice(0, letters).join("") : word);

function* atSides(beside, cells, reader) {
  const count = beside.spots.length;
  const size = beside.cells ? beside.cells.length : count * cells;
  for (const rule of beside.rules ?? []) {
    for (const [number, found] of RULES[rule.is](rule, size, reader, new Map())) {
      const cell = beside.cells ? beside.cells[number] : Math.floor(number / count);
      const way = beside.ways ? beside.ways[number] : number % count;
      const bar = found.mark.bars?.[way];
      yield [cell, { ...found, sprite: bar ?? found.sprite, spot: beside.spots[way], isBar: bar !== undefined }];
    }
  }
}

// Which cells, and where -----------------------------------------------------------------------------------------------

function cellsOf(board, used) {
  const { coordinates, around, size } = gridOf(board);
  const wanted = new Set([...used, ...(board.also ?? [])]);
  if (board.grows) for (const cell of [...wanted]) for (const near of around(cell)) wanted.add(near);
  const all = coordinates.map((_, cell) => cell);
  if (board.seen === "used") return ascending(wanted);
  if (board.seen === "all" || !wanted.size) return all;
  const near = new Set([...wanted].flatMap((cell) => [cell, ...around(cell)]));
  if (board.seen === "near") return ascending(near);
  const spots = [...near].map((cell) => coordinates[cell]);
  const low = spots.reduce((one, other) => one.map((at, axis) => Math.min(at, other[axis])));
  const high = spots.reduce((one, other) => one.map((at, axis) => Math.max(at, other[axis])));
  if (board.seen === "levels") return all.filter((cell) => coordinates[cell][2] <= high[2]);
  return all.filter((cell) => coordinates[cell].every((at, axis) => low[axis] <= at && at <= high[axis]));
}

// The middles of cells in the order of drawing, and captions.
function middlesOf(board, cells, used) {
  const { plan, coordinates, spots, names } = gridOf(board);
  const axis = (number) => ascending(new Set(cells.map((cell) => coordinates[cell][number])));
  if (!cells.length) return { middles: new Map(), captions: [] };
  if (plan === "spots") {
    const outside = ([x, y]) => [x, y].map((at) => at * (1 + BEYOND / Math.sqrt(x * x + y * y)));
    const captions = names.length ? [] : cells.map((cell) => [outside(spots[cell]), String(cell)]);
    return { middles: new Map(cells.map((cell) => [cell, spots[cell]])), captions };
  }
  const [across, down] = [axis(0), axis(1)];
  if (plan === "square" || plan === "hex") {
    const [apart, indent, shift] = plan === "hex" ? [ROW, 0.25, 2] : [1, 0, Infinity];
    const middles = new Map(cells.map((cell) => [cell, [coordinates[cell][0] + (coordinates[cell][1] & 1) / shift, coordinates[cell][1] * apart]]));
    const named = names.length ? ascending(cells.filter((cell) => coordinates[cell][1] === down[0]).map((cell) => coordinates[cell][0])) : across;
    const name = (number, at, part) => (names.length ? names[cells.find((cell) => coordinates[cell][number] === at)].replace(part, "") : at);
    return { middles, captions: numbers(named, down, apart, indent, name) };
  }
  const levels = axis(2);
  if (plan === "levels") {
    const [west, east] = [across[0], across.at(-1)];
    const wide = east - west + 1 + LEVEL_GAP;
    const at = ([column, row, level]) => [column + (level - levels[0]) * wide, row];
    const captions = levels.map((level) => [[(west + east) / 2 + (level - levels[0]) * wide, down[0] - 2 * BEYOND], `level ${level}`]);
    captions.push(...numbers(across, down));
    for (const level of levels.slice(1)) captions.push(...across.map((column) => [[column + (level - levels[0]) * wide, down[0] - BEYOND], String(column)]));
    return { middles: new Map(cells.map((cell) => [cell, at(coordinates[cell])])), captions };
  }
  const shown = cells.filter((cell) => coordinates[cell][2] === levels[0] || used.has(cell)).map((cell) => [coordinates[cell], cell]);
  shown.sort(([one, cell], [other, next]) => one[1] - one[0] - (other[1] - other[0]) || one[2] - other[2] || cell - next);
  const on = (x, y, height) => [ACROSS * (x + y), DOWN * (y - x) - UP * height];
  const columns = across.map((column) => [on(column, down.at(-1) + BEYOND, levels[0]), String(column)]);
  const rows = down.map((row) => [on(across[0] - BEYOND, row, levels[0]), String(row)]);
  return { middles: new Map(shown.map(([[x, y, level], cell]) => [cell, on(x, y, level + 1)])), captions: [...columns, ...rows] };
}

// The number of each column above a board, and of each row to its left; what the names of their cells share, if any.
function numbers(across, down, apart = 1, indent = 0, name = (_, at) => at) {
  const columns = across.map((column) => [[column + indent, down[0] * apart - BEYOND], String(name(0, column, /\d+$/))]);
  return [...columns, ...down.map((row) => [[across[0] - BEYOND, row * apart], String(name(1, row, /^\D+/))])];
}

// Boards ---------------------------------------------------------------------------------------------------------------

function placedBoard(stage, board, reader, before) {
  const now = contentsOf(board, reader);
  const { middles, captions } = middlesOf(board, cellsOf(board, now.used), now.used);
  if (!middles.size || !(now.used.size || board.always)) return null;
  const then = before && contentsOf(board, before);
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const isChanged = (cell) => then && !(now.tiles.get(cell) === then.tiles.get(cell) && same(now.marks.get(cell), then.marks.get(cell)));
  const isIsometric = gridOf(board).plan === "isometric";
  const shown = board.captions >= 0 ? captions : [];
  const spots = [...middles.values(), ...shown.map(([spot]) => spot), ...(board.margins ?? [])];
  const [low, high] = [Math.min, Math.max].map((limit) => [0, 1].map((axis) => spots.reduce((found, spot) => limit(found, spot[axis]), spots[0][axis])));
  const at = (spot) => [spot[0] * board.size, spot[1] * board.size];
  let [west, north] = at([low[0] - MARGIN, low[1] - MARGIN]);
  let [east, south] = at([high[0] + MARGIN, high[1] + MARGIN + (isIsometric ? UP : 0)]);
  const parts = [
    ...sprites([board.under ?? -1]),
    ...[...middles].map(([cell, middle]) => cellAt(stage, board, reader, now, cell, at(middle), isChanged(cell))),
    ...sides(board, now.marks, middles, at),
    ...targets(stage, board, middles, at),
    ...shown.map(([spot, text]) => ({ at: at(spot), sprite: board.captions, text, scale: [1, CAPTION * board.size] })),
    ...sprites([board.over ?? -1]),
  ];
  const ring = board.ring && placedBoard(stage, board.ring, reader, before);
  if (ring) {
    const [[x, y], [left, up], [wide, tall]] = [at(board.ring_at), ring.corner, ring.block.size];
    [west, north] = [Math.min(west, x + left), Math.min(north, y + up)];
    [east, south] = [Math.max(east, x + left + wide), Math.max(south, y + up + tall)];
    parts.unshift({ at: [x + left, y + up], parts: ring.block.parts }); // towers stand before it
  }
  const whole = { at: [-west, -north], parts, title: board.title };
  return { block: { size: [east - west, south - north], parts: [whole] }, tiles: now.tiles.size, corner: [west, north] };
}

const sprites = (numbers) => numbers.filter((sprite) => sprite >= 0).map((sprite) => ({ sprite }));

function cellAt(stage, board, reader, contents, cell, at, isChanged) {
  const grid = gridOf(board);
  const marks = contents.marks.get(cell) ?? [];
  const face = board.tiles?.faces[contents.tiles.get(cell)];
  const holds = (board.holds ?? []).filter((one) => reader.holds(one.definition ?? 0, cell));
  const parts = [...ground(board, grid, contents, cell, face), ...tile(board, grid, reader, contents.tiles, cell, face)];
  if (isChanged) parts.push({ sprite: board.changed });
  parts.push(...holds.filter((one) => one.is_frame).map((one) => ({ sprite: one.mark.sprite })));
  const inside = [...marks.filter((one) => !one.spot), ...holds.filter((one) => !one.is_frame).map((one) => standing(one.mark))];
  parts.push(...inside.filter((one) => one.mark.is_ground).map((one) => ({ sprite: one.sprite, turn: board.ways_out?.[cell] })));
  parts.push(...pieces(board, inside.filter((one) => !one.mark.is_ground), face !== undefined));
  if (board.badges?.[cell] !== undefined) parts.push({ sprite: board.badges[cell] });
  const titles = [...(face ? [face.name] : []), ...marks.map((one) => one.title), ...holds.map((one) => one.mark.title)];
  const title = `(${grid.place(cell)})${titles.length ? ` ${titles.join(", ")}` : ""}`;
  return { at, parts, title, thing: stage.things ? `${board.space} ${cell}` : "" };
}

function ground(board, grid, { used }, cell, face) {
  const sprite = board.grounds[board.lay ? board.lay[cell] : modulo(total(grid.coordinates[cell]), board.grounds.length)];
  if (grid.plan === "isometric") return !face && grid.step(cell, board.sides[3]) === grid.size ? [{ sprite }] : [];
  return !board.floats || used.has(cell) ? [{ sprite }] : sprites([board.target ?? -1]);
}

// The tile on a cell: joined to its like, or as a cube without the faces that others hide.
function tile(board, grid, reader, tiles, cell, face) {
  if (!face) return [];
  const top = { sprite: face.sprites[board.tiles.turns >= 0 ? reader.column(board.tiles.turns)[cell] : 0] };
  if (face.sides) {
    const hides = board.sides.slice(0, 3).map((way) => tiles.has(grid.step(cell, way)));
    return [...face.sides.filter((_, at) => !hides[at]).map((sprite) => ({ sprite })), ...(hides[2] ? [] : [top])];
  }
  if (!face.joints) return [top];
  const joined = board.sides.map((way) => way >= 0 && tiles.get(grid.step(cell, way)) === tiles.get(cell));
  const found = [top];
  joined.forEach((isJoined, at) => {
    const turn = (360 * at) / joined.length;
    if (isJoined) found.push({ sprite: face.joints[0], turn });
    if (isJoined && joined.at(at - 1)) found.push({ sprite: face.joints[1], turn });
  });
  return found;
}

function pieces(board, found, onTile) {
  if (found.length === 1 && !onTile) return [markAt(board, found[0], [0, 0], LONE)];
  const scale = (onTile ? 0.95 : 1) * (found.length < CROWD ? 1 : 0.7);
  return found.slice(0, CORNERS.length).map((one, at) => markAt(board, one, CORNERS[at].map((side) => side * board.size), scale));
}

function markAt(board, one, at, scale) {
  const parts = [{ sprite: one.sprite, scale: [scale, scale], turn: one.mark.turn }];
  if (one.label) {
    const half = scale * PIECE * board.size;
    parts.push({ sprite: one.mark.ink, text: one.label, scale: [1, Math.min(1.3 * half, (2.4 * half) / length(one.label))] });
  }
  return { at, parts, title: one.title };
}

function* sides(board, marks, middles, at) {
  for (const [cell, standing] of marks) {
    for (const one of standing.filter((one) => one.spot && middles.has(cell))) {
      const [x, y] = middles.get(cell);
      if (one.isBar) yield { at: at([x, y]), parts: [{ sprite: one.sprite }], title: one.title };
      else yield markAt(board, one, at([x + one.spot[0], y + one.spot[1]]), SIDE);
    }
  }
}

function* targets(stage, board, middles, at) {
  for (const beside of board.beside ?? []) {
    for (const [edge, cell] of (beside.cells ?? []).entries()) {
      const badge = beside.badges?.[edge];
      if (!middles.has(cell) || !(stage.things || badge !== undefined)) continue;
      const way = beside.ways[edge];
      const parts = [{ sprite: beside.targets[way] }];
      if (badge !== undefined) parts.push({ at: at(beside.spots[way]), sprite: badge });
      yield { at: at(middles.get(cell)), parts, title: beside.names[edge], thing: stage.things ? `${beside.space} ${edge}` : "" };
    }
  }
}

// The panel ------------------------------------------------------------------------------------------------------------

const length = (text) => [...text].length;

function line(stage, text, isBold = false) {
  const part = { at: [0, LINE / 2], sprite: isBold ? stage.bold : stage.ink, text, scale: [1, SIZE] };
  return { size: [length(text) * SIZE * LETTER, LINE], parts: [part] };
}

function stacked(blocks) {
  let down = 0;
  const parts = blocks.map(({ size, parts }) => {
    down += size[1];
    return { at: [0, down - size[1]], parts };
  });
  return { size: [Math.max(0, ...blocks.map(({ size }) => size[0])), down], parts };
}

function inRow(blocks, gap = 0) {
  let right = 0;
  const height = Math.max(0, ...blocks.map(({ size }) => size[1]));
  const parts = blocks.map(({ size, parts }) => {
    const at = [right, height - size[1]];
    right += size[0] + gap;
    return { at, parts };
  });
  return { size: [Math.max(0, right - gap), height], parts };
}

const told = (reader, { column, words, owner = 0 }) => (sees(owner, reader) ? tell(words, reader.column(column)) : "hidden");
const icon = (sprite, title) => ({ size: [ICON, LINE], parts: [{ at: [ICON / 2, LINE / 2], parts: [{ sprite }], title }] });

const PANEL = {
  Turn: (stage, reader, rule) => (rule.alone && !reader.over() ? [] : [line(stage, reader.turn(), true)]),
  Score(stage, reader, rule) {
    const text = reader.score();
    const width = length(text) * SIZE * LETTER + SIZE;
    const plate = { at: [0, 1], sprite: rule.plate, scale: [width, LINE - 2] };
    return [{ size: [width, LINE], parts: [plate, { at: [SIZE / 2, LINE / 2], sprite: rule.ink, text, scale: [1, SIZE] }] }];
  },
  Heading(stage, reader, { player, name, is_bare }) {
    const standing = reader.standing(player);
    return standing || !is_bare ? [line(stage, `${name}${standing}`, true)] : [];
  },
  ValueList(stage, reader, { values }) {
    const isShown = (value) => !value.silent?.includes(reader.column(value.column)) && !(value.drops && !sees(value.owner ?? 0, reader));
    const shown = values.filter(isShown);
    const indent = Math.max(0, ...shown.filter((value) => value.icons).map((value) => length(value.label)));
    const found = [];
    let text = "";
    const flush = () => text && found.push(line(stage, text));
    for (const value of shown) {
      const content = told(reader, value);
      const named = `${value.label} ${content}`;
      if (value.icons) {
        flush();
        text = "";
        found.push(iconic(stage, reader, value, content, indent));
      } else if (text && length(text) + length(named) < WIDEST) {
        text += ` · ${named}`;
      } else {
        flush();
        text = named;
      }
    }
    flush();
    return found;
  },
  Table(stage, reader, { name, heads = [], rows = [] }) {
    const told_rows = rows.map(([label, values]) => [label, ...values.map((value) => (value ? told(reader, value) : ""))]);
    const all = [[name, ...heads], ...told_rows];
    const widths = all[0].map((_, at) => Math.max(...all.map((row) => length(row[at]))));
    return all.map((row, number) => {
      let right = 0;
      const parts = row.map((text, at) => {
        const place = right;
        right += (widths[at] + 2) * SIZE * LETTER;
        return { at: [place, 0], parts: line(stage, text, !number).parts };
      });
      return { size: [right, LINE], parts };
    });
  },
  Piles(stage, reader, rule) {
    const pile = (name, number) => {
      const here = rule.columns.flatMap((column, at) => (reader.column(column) === number ? [at] : []));
      const chips = here.map((at) => ({ size: CHIP, parts: [{ parts: [{ sprite: rule.chips[at] }], title: rule.titles[at] }] }));
      const text = { at: [CHIP[0] / 2, LINE / 2], sprite: rule.ink, text: name, scale: [1, SIZE] };
      return stacked([...chips, { size: [CHIP[0], PILE], parts: [{ sprite: rule.base }] }, { size: [CHIP[0], LINE], parts: [text] }]);
    };
    return [line(stage, rule.name, true), inRow(rule.piles.map(pile), GAP)];
  },
  Members(stage, reader, { name, columns, titles }) {
    const found = titles.filter((_, at) => at < columns.length && reader.column(columns[at]));
    return found.length ? wrapped(`${name}: ${found.join(", ")}`).map((text) => line(stage, text)) : [];
  },
  Zone(stage, reader, rule) {
    const tiles = [...reader.column(rule.column)];
    if (!tiles.length) return [];
    const head = line(stage, `${rule.label}: ${tiles.length}`);
    const isThing = stage.things && (!rule.mover || rule.mover === reader.player());
    return sees(rule.owner ?? 0, reader) ? [head, hand(stage.panel, rule, tiles, isThing)] : [head];
  },
};

// A label, and icons: as many as the number, one for a truth value, that of the member, or a track.
function iconic(stage, reader, { column, label, icons }, content, indent) {
  const { sprites, title, track } = icons;
  if (content === "hidden") return line(stage, `${label} hidden`);
  const number = reader.column(column);
  const one = icon(sprites[0], title);
  let found = [line(stage, content)];
  if (track) {
    const spots = Array.from({ length: track[1] - track[0] + 1 }, (_, at) => at + track[0]);
    found = [...spots.map((spot) => icon(sprites[+(spot !== number)], `${title} ${spot}`)), ...found];
  } else if (!title) found = [icon(sprites[number], content), ...found];
  else if (number > 0) found = number <= MOST_ICONS ? Array(number).fill(one) : [one, line(stage, `x${number}`)];
  return inRow([{ size: [indent * SIZE * LETTER + GAP, LINE], parts: line(stage, label).parts }, ...found]);
}

function hand(panel, rule, tiles, isThing) {
  const runs = [];
  for (const tile of tiles) {
    if (runs.at(-1)?.tile === tile) runs.at(-1).count += 1;
    else runs.push({ tile, count: 1 });
  }
  let [left, highest] = [0, 0];
  const shown = rule.is_stack ? [{ tile: tiles[0], count: tiles.length }] : runs.slice(0, MOST_TILES);
  const parts = shown.flatMap(({ tile, count }) => {
    const [sprite, scale] = panel.faces[rule.faces ?? 0][tile - 1];
    const badge = sprites([panel.badges?.[tile] ?? -1]);
    const [size, apart] = panel.sizes[tile - 1];
    const middle = left + apart / 2;
    highest = Math.max(highest, size);
    left += apart;
    const face = { at: [middle, 0.6 * size], parts: [{ sprite, scale: [scale, scale] }, ...badge], title: panel.titles[tile - 1], thing: isThing ? `tile ${tile}` : "" };
    const under = Array.from({ length: rule.is_stack ? Math.min(count - 1, MOST_UNDER) : 0 }, (_, at) => {
      const shift = (at + 1) * RIM * size;
      return { at: [middle + shift, 0.6 * size + shift], parts: face.parts.slice(0, 1) };
    });
    return [...under.reverse(), ...(count > 1 ? [face, { at: [middle, 1.35 * size], sprite: panel.count, text: `x${count}`, scale: [1, SIZE] }] : [face])];
  });
  return { size: [left, 1.5 * highest], parts };
}

function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = lines.at(-1) ? `${lines.at(-1)} ${word}` : word;
    if (length(longer) <= WIDEST) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines.filter((line) => line);
}

// SVG ------------------------------------------------------------------------------------------------------------------

const NAMESPACE = "http://www.w3.org/2000/svg";

export function painted(stage, block, title, told) {
  const [width, height] = block.size.map((size) => size + 2 * EDGE);
  const role = stage.things ? "group" : "img";
  const outer = `xmlns="${NAMESPACE}" viewBox="0 0 ${decimal(width)} ${decimal(height)}" width="${decimal(width)}" height="${decimal(height)}" role="${role}"`;
  const about = `<title>${escaped(title)}</title>\n<desc>${escaped(told)}</desc>\n`;
  const parts = [{ sprite: stage.paper ?? 0, scale: [width, height] }, { at: [EDGE, EDGE], parts: block.parts }];
  const inside = parts.map((part) => written(stage, part)).join("");
  return `<svg ${outer} font-family="DejaVu Sans, Verdana, sans-serif" stroke-linejoin="round" stroke-linecap="round">\n${about}${inside}</svg>\n`;
}

export function definitions(stage) {
  const named = (sprite, number) => sprite.replace(/^<(\w+)/, `<$1 id="${stage.names[number]}"`);
  return `<svg xmlns="${NAMESPACE}" width="0" height="0" aria-hidden="true">\n<defs>\n${stage.sprites.map(named).join("")}</defs>\n</svg>\n`;
}

function written(stage, { at = [0, 0], sprite = -1, text = "", scale = [1, 1], turn = 0, parts = [], title = "", thing = "" }) {
  const move = at[0] || at[1] ? `translate(${pair(at)})` : "";
  if (sprite < 0) {
    const focus = thing ? ` role="img" tabindex="0" data-thing="${escaped(thing)}"` : "";
    const inside = (title ? `<title>${escaped(title)}</title>\n` : "") + parts.map((part) => written(stage, part)).join("");
    const tag = `<g${move ? ` transform="${move}"` : ""}${focus}`;
    return inside ? `${tag}>\n${inside}</g>\n` : `${tag}/>\n`;
  }
  if (text) {
    const place = `x="${decimal(at[0])}" y="${decimal(at[1] + 0.36 * scale[1])}" font-size="${decimal(scale[1])}"`;
    return `${stage.sprites[sprite].replace("<text", `<text ${place}`).replace(/\/>\n$/, "")}>${escaped(text)}</text>\n`;
  }
  const steps = [move, turn ? `rotate(${decimal(turn)})` : "", scale[0] !== 1 || scale[1] !== 1 ? `scale(${pair(scale)})` : ""];
  const transform = steps.filter((step) => step).join(" ");
  return `<use href="#${stage.names[sprite]}"${transform ? ` transform="${transform}"` : ""}/>\n`;
}

// Draws a rim of the shape of its cell round what is lit: an outline by style is a rectangle, round a hex too.
export function rim(thing) {
  const shape = document.querySelector(thing.querySelector(":scope > use")?.getAttribute("href") ?? "none");
  if (shape?.tagName !== "path" || thing.querySelector(".rim")) return;
  const drawn = thing.appendChild(shape.cloneNode());
  drawn.removeAttribute("id");
  drawn.setAttribute("class", "rim");
}

const decimal = (value) => String(Math.floor(100 * value + 0.5) / 100 || 0);
const pair = ([x, y]) => `${decimal(x)} ${decimal(y)}`;
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => text.replace(/\p{C}/gu, "\ufffd").replace(/[&<>"]/g, (letter) => ENTITIES[letter]);
