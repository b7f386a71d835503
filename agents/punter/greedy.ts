import { claimOf, createBoard, passOf, type Board, type Move, type RiverMap, type Settings } from './knowledge/board.ts'
import { greediest } from './knowledge/greed.ts'

/** Claims the river that adds most to its current score. */
export default class Greedy {
  #board!: Board

  setup(map: RiverMap, settings: Settings): void {
    this.#board = createBoard(map, settings)
  }

  move(moves: readonly Move[]): Move {
    const board = this.#board
    board.hear(moves)
    const river = greediest(board)
    return river === null ? passOf(board) : claimOf(board, river)
  }
}
