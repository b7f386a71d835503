import { claimOf, createBoard, passOf, type Board, type Move, type RiverMap, type Settings } from './knowledge/board.ts'

/** Claims the first river that nobody has claimed. */
export default class Baby {
  #board!: Board

  setup(map: RiverMap, settings: Settings): void {
    this.#board = createBoard(map, settings)
  }

  move(moves: readonly Move[]): Move {
    const board = this.#board
    board.hear(moves)
    const free = board.rivers.findIndex((_, river) => board.owner(river) === -1)
    return free === -1 ? passOf(board) : claimOf(board, free)
  }
}
