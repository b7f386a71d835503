import { claimOf, createBoard, passOf, type Board, type Move, type RiverMap, type Settings } from './knowledge/board.ts'
import { greediest, wayTo, type RiverPath } from './knowledge/greed.ts'

/** The maximum length of paths to search for between two mines, and the length of a path that is worth a splurge. */
const FAR = 40
const SPLURGE = 6
/** The distance of the sites on which it bets. */
const BET = 3

/**
 * Joins mines by the shortest paths, then takes what adds most. With futures it bets on sites nearby and builds those
 * paths first. With splurges it saves passes for the last few rivers of a path and takes them at once; with options it
 * buys the river that adds most if that is more than any free river does.
 */
export default class Tartaglia {
  #board!: Board
  #settings!: Settings
  /** The sites to join to mines. */
  #bets: readonly { readonly mine: number; readonly target: number }[] = []

  setup(map: RiverMap, settings: Settings): void {
    this.#board = createBoard(map, settings)
    this.#settings = settings
  }

  /** One bet for each of a few mines, fewer if there are many punters. */
  futures(): readonly { readonly source: number; readonly target: number }[] {
    const { ids, mines, distances, rivers } = this.#board
    const turns = Math.floor(rivers.length / this.#settings.punters)
    const most = Math.min(mines.length, Math.floor(turns / (8 * BET)))
    this.#bets = mines.slice(0, most).flatMap((mine, place) => {
      const target = distances[place]!.findIndex((distance, site) => distance === BET && !mines.includes(site))
      return target === -1 ? [] : [{ mine, target }]
    })
    return this.#bets.map(({ mine, target }) => ({ source: ids[mine]!, target: ids[target]! }))
  }

  move(moves: readonly Move[]): Move {
    const board = this.#board
    board.hear(moves)
    const way = this.#nextWay()
    const river = greediest(board)
    if (way !== null) return this.#along(way)
    const bought = this.#bestOption(river === null ? 0 : board.gain(river))
    if (bought !== null) return bought
    return river === null ? passOf(board) : claimOf(board, river)
  }

  /** The path to build: that of a bet, otherwise the shortest one from a mine to another that it is not joined to. */
  #nextWay(): RiverPath | null {
    const board = this.#board
    for (const { mine, target } of this.#bets) {
      if (board.find(mine) === board.find(target)) continue
      const way = wayTo(board, mine, (site) => site === target, FAR)
      if (way !== null) return way
    }
    let best: RiverPath | null = null
    for (const mine of board.mines) {
      const isOther = (site: number): boolean => board.mines.includes(site) && board.find(site) !== board.find(mine)
      const way = wayTo(board, mine, isOther, (best?.missing.length ?? FAR + 1) - 1)
      if (way !== null) best = way
    }
    return best
  }

  /**
   * The next step of a path: all of it if there is enough credit, a saved pass if that is close, otherwise its first
   * river.
   */
  #along({ missing, route }: RiverPath): Move {
    const board = this.#board
    const { me, ids, credit, movesLeft } = board
    const length = missing.length
    const turnsLeft = Math.floor(movesLeft / this.#settings.punters)
    if (this.#settings.splurges === true && route !== null && length > 1 && length <= SPLURGE && turnsLeft > length) {
      if (credit + 1 >= length) return { splurge: { punter: me, route: route.map((site) => ids[site]!) } }
      if (length === 2) return passOf(board)
    }
    return claimOf(board, missing[0]!)
  }

  /** An option that adds more than this; null: there is none. */
  #bestOption(least: number): Move | null {
    const board = this.#board
    if (this.#settings.options !== true || board.options === 0) return null
    let best = -1
    let most = least
    for (let river = 0; river < board.rivers.length; river++) {
      if (!board.isForSale(river)) continue
      const gain = board.gain(river)
      if (gain > most) [best, most] = [river, gain]
    }
    if (best === -1) return null
    const { source, target } = board.rivers[best]!
    return { option: { punter: board.me, source: board.ids[source]!, target: board.ids[target]! } }
  }
}
