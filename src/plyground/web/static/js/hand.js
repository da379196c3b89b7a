// The hand over a board: which move a cell means, and how a card is turned, previewed and laid.

export class Hand {
  constructor(view) {
    this.view = view;
    this.clear(null);
  }

  // The position one moves in, or null when one may not.
  clear(position) {
    this.position = position;
    this.lifted = null; // the cells of the card taken up
    this.held = null; // the move that is previewed, to be confirmed
  }

  get moves() {
    return this.position?.moves ?? [];
  }

  hot(move) {
    return move.hot ?? move.cells;
  }

  // The moves one may still mean: all, or those of the card that was taken up.
  get offered() {
    if (!this.position?.lift) return this.moves;
    if (!this.lifted) return [];
    const key = String(this.lifted);
    return this.moves.filter((move) => String(move.lift) === key);
  }

  get liftable() {
    return this.position?.lift && !this.lifted ? this.moves : [];
  }

  // The moves a cell means, those that name the cell first; a turned card as it was turned last before the others.
  meant(cell) {
    const found = this.offered.filter((move) => this.hot(move).includes(cell));
    const rank = (move) => (this.shape && this.shapeOf(move) === this.shape ? 0 : 2) + (move.cells[0] === cell ? 0 : 1);
    return found.sort((a, b) => rank(a) - rank(b));
  }

  // What a piece looks like wherever it lies: the places of its cells to each other, and what each shows.
  shapeOf(move) {
    const [first] = move.cells.map((cell) => this.view.cells[cell]);
    return move.cells.map((cell, i) => [this.view.cells[cell].column - first.column, this.view.cells[cell].row - first.row, move.kinds[i]].join("/")).join(" ");
  }

  // One move of each shape that can be laid at all, for a palette.
  shapes() {
    const found = new Map();
    for (const move of this.moves) {
      const shape = this.shapeOf(move);
      if (!found.has(shape)) found.set(shape, move);
    }
    return found;
  }

  // What choosing a cell does: {play: move}, {held: move}, {lifted: cells}, {lift: true} or nothing.
  choose(cell) {
    const meant = this.meant(cell);
    if (this.position?.lift && (!this.lifted || !meant.length)) {
      const found = this.moves.find((move) => move.lift.includes(cell));
      if (!found) return this.lifted ? {} : { lift: true };
      this.lifted = found.lift;
      this.held = null;
      return { lifted: found.lift };
    }
    if (!meant.length) return {};
    if (!this.view.turns) return { play: meant[0] };
    if (this.held?.cells.includes(cell)) return { play: this.held };
    return this.hold(meant[0]);
  }

  hold(move) {
    this.held = move;
    this.shape = this.shapeOf(move);
    return { held: move };
  }

  // The next way to lay the card that is held, on the same cell.
  turn() {
    if (!this.held) return {};
    const cell = this.held.cells[0];
    const ways = this.offered.filter((move) => this.hot(move).includes(cell));
    const named = [...ways.filter((move) => move.cells[0] === cell), ...ways.filter((move) => move.cells[0] !== cell)];
    return this.hold(named[(named.indexOf(this.held) + 1) % named.length]);
  }

  // Take another shape into the hand; the card that is held is laid that way if it can be.
  take(shape) {
    this.shape = shape;
    const cell = this.held?.cells[0];
    const found = cell === undefined ? null : this.meant(cell).find((move) => this.shapeOf(move) === shape);
    if (found) return this.hold(found);
    this.held = null;
    return {};
  }
}
