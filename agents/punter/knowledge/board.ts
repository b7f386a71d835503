/** A map in the format of the messages. */
export interface RiverMap {
  readonly sites: readonly { readonly id: number }[]
  readonly rivers: readonly { readonly source: number; readonly target: number }[]
  readonly mines: readonly number[]
}

/** The seat of a punter and the active extensions. */
export interface Settings {
  readonly punter: number
  readonly punters: number
  readonly futures?: true
  readonly splurges?: true
  readonly options?: true
}

type Ends = { readonly source: number; readonly target: number }
export type Move =
  | { readonly claim: { readonly punter?: number } & Ends }
  | { readonly pass: { readonly punter?: number } }
  | { readonly splurge: { readonly punter?: number; readonly route: readonly number[] } }
  | { readonly option: { readonly punter?: number } & Ends }

/** A river by the indices of its sites, in the order of the map, from 0. */
export interface River {
  readonly source: number
  readonly target: number
}

/** A punter's knowledge of a match. */
export interface Board {
  readonly me: number
  /** The ids of the sites. */
  readonly ids: readonly number[]
  readonly rivers: readonly River[]
  /** The indices of the mines' sites. */
  readonly mines: readonly number[]
  /** By mine: the distance of each site; -1: not reachable. */
  readonly distances: readonly Int32Array[]
  /** By site: its rivers. */
  readonly around: readonly (readonly number[])[]
  /** The number of moves left to all punters together. */
  readonly movesLeft: number
  /** The options and saved passes that I have left. */
  readonly options: number
  readonly credit: number
  /** By river: its owner; -1: nobody. */
  owner(river: number): number
  /** True if I use a river, by claim or by option. */
  isMine(river: number): boolean
  /** True if nothing about the river itself prevents buying its option. */
  isForSale(river: number): boolean
  /** Updates the board with the last moves of all punters. */
  hear(moves: readonly Move[]): void
  /** The representative of the set of sites that my rivers join to a site. */
  find(site: number): number
  /** The points that a river would add to my current score. */
  gain(river: number): number
}

export function createBoard(map: RiverMap, { punter: me, punters }: Settings): Board {
  const ids = map.sites.map(({ id }) => id)
  const numbers = new Map(ids.map((id, number) => [id, number]))
  const rivers = map.rivers.map(({ source, target }) => ({
    source: numbers.get(source)!,
    target: numbers.get(target)!,
  }))
  const byEnds = new Map<number, number>()
  const keyOf = (a: number, b: number): number => Math.min(a, b) * ids.length + Math.max(a, b)
  const around: number[][] = ids.map(() => [])
  for (const [river, { source, target }] of rivers.entries()) {
    byEnds.set(keyOf(source, target), river)
    around[source]!.push(river)
    if (source !== target) around[target]!.push(river)
  }
  const mines = map.mines.map((id) => numbers.get(id)!)
  const distances = mines.map((mine) => distancesFrom(mine, rivers, around))
  const owners = new Int32Array(rivers.length).fill(-1)
  const holders = new Int32Array(rivers.length).fill(-1)
  const network = createNetwork(ids.length, mines, distances)
  let heard = false
  let moves = 0
  let options = mines.length
  let credit = 0

  const riverOf = (source: number, target: number): number =>
    byEnds.get(keyOf(numbers.get(source) ?? -1, numbers.get(target) ?? -1)) ?? -1
  const take = (who: number, river: number): void => {
    if (river === -1) return
    if (owners[river] === -1) owners[river] = who
    else {
      holders[river] = who
      if (who === me) options -= 1
    }
    if (who === me) {
      network.unite(rivers[river]!)
      credit -= 1
    }
  }
  return {
    me,
    ids,
    rivers,
    mines,
    distances,
    around,
    get movesLeft() {
      return rivers.length - moves
    },
    get options() {
      return options
    },
    get credit() {
      return credit
    },
    owner: (river) => owners[river]!,
    isMine: (river) => owners[river] === me || holders[river] === me,
    isForSale: (river) => owners[river] !== -1 && owners[river] !== me && holders[river] === -1,
    hear(told) {
      // The first list contains placeholders for moves that nobody has made.
      if (heard) {
        moves += punters
        credit += 1
      } else moves = me
      heard = true
      for (const [who, move] of told.entries()) {
        if ('claim' in move) take(who, riverOf(move.claim.source, move.claim.target))
        else if ('option' in move) take(who, riverOf(move.option.source, move.option.target))
        else if ('splurge' in move) {
          const { route } = move.splurge
          for (let at = 1; at < route.length; at++) take(who, riverOf(route[at - 1]!, route[at]!))
        }
      }
    },
    find: (site) => network.find(site),
    gain: (river) => network.gain(rivers[river]!),
  }
}

/** The sets of sites that my rivers join. */
interface Network {
  /** The representative of a site's set. */
  find(site: number): number
  /** Joins the sets at both ends of a river. */
  unite(river: River): void
  /** The points that joining them would add. */
  gain(river: River): number
}

function createNetwork(sites: number, mines: readonly number[], distances: readonly Int32Array[]): Network {
  const parents = Int32Array.from({ length: sites }, (_, site) => site)
  const members = Array.from({ length: sites }, (_, site) => [site])
  const minesOf = members.map((_, site) => mines.flatMap((mine, place) => (mine === site ? [place] : [])))
  const find = (site: number): number => {
    while (parents[site] !== site) site = parents[site]!
    return site
  }
  const earned = (of: number, from: number): number =>
    minesOf[of]!.reduce(
      (sum, place) => sum + members[from]!.reduce((own, site) => own + distances[place]![site]! ** 2, 0),
      0,
    )
  return {
    find,
    unite({ source, target }) {
      const [a, b] = [find(source), find(target)]
      if (a === b) return
      const [root, child] = members[a]!.length < members[b]!.length ? [b, a] : [a, b]
      parents[child] = root
      members[root]!.push(...members[child]!)
      minesOf[root]!.push(...minesOf[child]!)
    },
    gain({ source, target }) {
      const [a, b] = [find(source), find(target)]
      return a === b ? 0 : earned(a, b) + earned(b, a)
    },
  }
}

function distancesFrom(mine: number, rivers: readonly River[], around: readonly (readonly number[])[]): Int32Array {
  const distances = new Int32Array(around.length).fill(-1)
  distances[mine] = 0
  const queue = [mine]
  for (const site of queue) {
    for (const river of around[site]!) {
      const next = otherEnd(rivers[river]!, site)
      if (distances[next] !== -1) continue
      distances[next] = distances[site]! + 1
      queue.push(next)
    }
  }
  return distances
}

export const otherEnd = ({ source, target }: River, site: number): number => (source === site ? target : source)

/** A claim of a river in the format of an answer. */
export function claimOf({ me, ids, rivers }: Board, river: number): Move {
  const { source, target } = rivers[river]!
  return { claim: { punter: me, source: ids[source]!, target: ids[target]! } }
}

export const passOf = ({ me }: Board): Move => ({ pass: { punter: me } })
