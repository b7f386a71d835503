/** The cost of a pair, a whole number from 0 to 2^40; undefined: the two cannot be paired. */
export type PairCost = (one: number, other: number) => number | undefined

/**
 * Pairs all of the vertices 0 to `vertices` - 1 at the least total cost, by Edmonds' blossom algorithm with dual variables in
 * O(n³). Returns the partner of each; null: they cannot all be paired. `cost` is asked with the smaller vertex first.
 *
 * It looks for the matching of greatest weight, where the weight of a pair is a constant less its cost; the constant is so
 * large that a matching with more pairs always weighs more.
 */
export function leastCostMatching(vertices: number, cost: PairCost): readonly number[] | null {
  if (vertices % 2 === 1) return null
  if (vertices === 0) return []
  const search = createSearch(vertices, cost)
  for (let pairs = 0; pairs < vertices / 2; pairs++) if (!augmentOnce(search)) return null
  return Array.from({ length: vertices }, (_, at) => search.mate[at + 1]! - 1)
}

/** Labels of the alternating forest. */
const FREE = -1
const OUTER = 0
const INNER = 1

/**
 * The state of a search. Nodes 1 to n are the vertices and those above are blossoms, contracted circles of odd length; 0 stands
 * for no node. A node that belongs to no blossom is a top node.
 */
interface Search {
  readonly n: number
  /** Nodes are numbered below this. */
  readonly size: number
  /** The last node in use. */
  last: number
  /** The weight of the best edge between two nodes; 0: there is none. Its ends are the vertices `from` and `to`. */
  readonly weight: Float64Array
  readonly from: Int32Array
  readonly to: Int32Array
  /** The dual variables. */
  readonly dual: Float64Array
  /** For a node, the vertex at the other end of its matched edge. */
  readonly mate: Int32Array
  /** For a top node that is not outer, or is, the outer vertex from which an edge has least slack. */
  readonly nearest: Int32Array
  /** The top node that contains a node. */
  readonly top: Int32Array
  /** For an inner node, the outer vertex from which it was reached. */
  readonly parent: Int32Array
  readonly label: Int8Array
  /** The member of a blossom that contains a vertex. */
  readonly memberWith: Int32Array
  /** The members of a blossom around its circle, its base first. */
  readonly members: number[][]
  /** Outer vertices whose edges have not been looked at. */
  queue: number[]
  /** Marks of the search for a common ancestor. */
  readonly seen: Int32Array
  round: number
}

function createSearch(n: number, cost: PairCost): Search {
  const size = n + Math.floor(n / 2) + 2
  const costs = new Float64Array(size * size).fill(-1)
  let most = 0
  for (let one = 1; one <= n; one++) {
    for (let other = one + 1; other <= n; other++) {
      const each = cost(one - 1, other - 1)
      if (each === undefined) continue
      costs[one * size + other] = each
      most = Math.max(most, each)
    }
  }
  const search: Search = {
    ...{ n, size, last: n, round: 0, queue: [] },
    weight: new Float64Array(size * size),
    from: new Int32Array(size * size),
    to: new Int32Array(size * size),
    dual: new Float64Array(size),
    mate: new Int32Array(size),
    nearest: new Int32Array(size),
    top: Int32Array.from({ length: size }, (_, at) => (at <= n ? at : 0)),
    parent: new Int32Array(size),
    label: new Int8Array(size),
    memberWith: new Int32Array(size * size),
    members: Array.from({ length: size }, () => []),
    seen: new Int32Array(size),
  }
  const whole = most * Math.ceil(n / 2) + 1
  let heaviest = 0
  for (let one = 1; one <= n; one++) {
    search.memberWith[one * size + one] = one
    for (let other = 1; other <= n; other++) {
      const at = one * size + other
      search.from[at] = one
      search.to[at] = other
      const each = costs[Math.min(one, other) * size + Math.max(one, other)]!
      if (one === other || each < 0) continue
      search.weight[at] = whole + most - each
      heaviest = Math.max(heaviest, search.weight[at])
    }
  }
  search.dual.fill(heaviest, 1, n + 1)
  return search
}

/** The slack of the best edge between two nodes; 0: it may be matched. */
function slackOf({ size, weight, from, to, dual }: Search, one: number, other: number): number {
  const at = one * size + other
  const [a, b] = [from[at]!, to[at]!]
  return dual[a]! + dual[b]! - 2 * weight[a * size + b]!
}

function offerNearest(search: Search, vertex: number, node: number): void {
  const { nearest } = search
  if (nearest[node] === 0 || slackOf(search, vertex, node) < slackOf(search, nearest[node]!, node))
    nearest[node] = vertex
}

function findNearest(search: Search, node: number): void {
  const { n, size, weight, top, label, nearest } = search
  nearest[node] = 0
  for (let vertex = 1; vertex <= n; vertex++) {
    if (weight[vertex * size + node]! > 0 && top[vertex] !== node && label[top[vertex]!] === OUTER)
      offerNearest(search, vertex, node)
  }
}

function enqueue(search: Search, node: number): void {
  if (node <= search.n) search.queue.push(node)
  else for (const member of search.members[node]!) enqueue(search, member)
}

function setTop(search: Search, node: number, top: number): void {
  search.top[node] = top
  if (node > search.n) for (const member of search.members[node]!) setTop(search, member, top)
}

/** The place of a member in its blossom, which is turned round if need be so that the path to the base is of even length. */
function placeIn(search: Search, blossom: number, member: number): number {
  const members = search.members[blossom]!
  const place = members.indexOf(member)
  if (place % 2 === 0) return place
  search.members[blossom] = [members[0]!, ...members.slice(1).reverse()]
  return members.length - place
}

/** Matches a node by its best edge to another, and the members of a blossom accordingly. */
function match(search: Search, node: number, other: number): void {
  const { n, size, from, to, mate, memberWith } = search
  const edge = node * size + other
  mate[node] = to[edge]!
  if (node <= n) return
  const base = memberWith[node * size + from[edge]!]!
  const place = placeIn(search, node, base)
  const members = search.members[node]!
  for (let at = 0; at < place; at++) match(search, members[at]!, members[at ^ 1]!)
  match(search, base, other)
  search.members[node] = [...members.slice(place), ...members.slice(0, place)]
}

/** Exchanges matched and other edges along the path from a node to the root of its tree. */
function augment(search: Search, from: number, to: number): void {
  const { mate, top, parent } = search
  let [node, other] = [from, to]
  for (;;) {
    const next = top[mate[node]!]!
    match(search, node, other)
    if (next === 0) return
    const above = top[parent[next]!]!
    match(search, next, above)
    node = above
    other = next
  }
}

/** The first common node on the paths from two nodes to their roots; 0: they are in different trees. */
function commonAncestor(search: Search, one: number, other: number): number {
  const { mate, top, parent, seen } = search
  search.round += 1
  let [node, next] = [one, other]
  while (node !== 0 || next !== 0) {
    if (node !== 0) {
      if (seen[node] === search.round) return node
      seen[node] = search.round
      node = top[mate[node]!]!
      if (node !== 0) node = top[parent[node]!]!
    }
    ;[node, next] = [next, node]
  }
  return 0
}

/** Contracts the circle that an edge between two outer nodes of one tree closes. */
function contract(search: Search, one: number, ancestor: number, other: number): void {
  const { n, size, weight, from, to, dual, mate, top, parent, label, memberWith } = search
  let blossom = n + 1
  while (blossom <= search.last && top[blossom] !== 0) blossom++
  search.last = Math.max(search.last, blossom)
  dual[blossom] = 0
  label[blossom] = OUTER
  mate[blossom] = mate[ancestor]!
  const pathTo = (start: number): number[] => {
    const path: number[] = []
    for (let node = start; node !== ancestor;) {
      const inner = top[mate[node]!]!
      path.push(node, inner)
      enqueue(search, inner)
      node = top[parent[inner]!]!
    }
    return path
  }
  const members = [ancestor, ...pathTo(one).reverse(), ...pathTo(other)]
  search.members[blossom] = members
  setTop(search, blossom, blossom)
  for (let node = 1; node <= search.last; node++) {
    weight[blossom * size + node] = 0
    weight[node * size + blossom] = 0
  }
  for (let vertex = 1; vertex <= n; vertex++) memberWith[blossom * size + vertex] = 0
  for (const member of members) {
    for (let node = 1; node <= search.last; node++) {
      const [own, theirs] = [blossom * size + node, member * size + node]
      if (
        weight[own] !== 0 &&
        (weight[theirs] === 0 || slackOf(search, member, node) >= slackOf(search, blossom, node))
      )
        continue
      const back = node * size + member
      weight[own] = weight[theirs]!
      from[own] = from[theirs]!
      to[own] = to[theirs]!
      weight[node * size + blossom] = weight[back]!
      from[node * size + blossom] = from[back]!
      to[node * size + blossom] = to[back]!
    }
    for (let vertex = 1; vertex <= n; vertex++)
      if (memberWith[member * size + vertex] !== 0) memberWith[blossom * size + vertex] = member
  }
  findNearest(search, blossom)
}

/** Dissolves an inner blossom whose dual variable has fallen to 0. */
function expand(search: Search, blossom: number): void {
  const { size, from, top, parent, label, nearest, memberWith } = search
  for (const member of search.members[blossom]!) setTop(search, member, member)
  const entered = memberWith[blossom * size + from[blossom * size + parent[blossom]!]!]!
  const place = placeIn(search, blossom, entered)
  const members = search.members[blossom]!
  for (let at = 0; at < place; at += 2) {
    const [inner, outer] = [members[at]!, members[at + 1]!]
    parent[inner] = from[outer * size + inner]!
    label[inner] = INNER
    label[outer] = OUTER
    nearest[inner] = 0
    findNearest(search, outer)
    enqueue(search, outer)
  }
  label[entered] = INNER
  parent[entered] = parent[blossom]!
  for (const member of members.slice(place + 1)) {
    label[member] = FREE
    findNearest(search, member)
  }
  top[blossom] = 0
}

/** Uses an edge without slack from an outer vertex. Returns true if the matching has grown. */
function useEdge(search: Search, from: number, to: number): boolean {
  const { mate, top, parent, label, nearest } = search
  const [one, other] = [top[from]!, top[to]!]
  if (label[other] === FREE) {
    parent[other] = from
    label[other] = INNER
    const next = top[mate[other]!]!
    nearest[other] = 0
    nearest[next] = 0
    label[next] = OUTER
    enqueue(search, next)
  } else if (label[other] === OUTER) {
    const ancestor = commonAncestor(search, one, other)
    if (ancestor === 0) {
      augment(search, one, other)
      augment(search, other, one)
      return true
    }
    contract(search, one, ancestor, other)
  }
  return false
}

/** Adds one pair to the matching. Returns false if there can be no more. */
function augmentOnce(search: Search): boolean {
  const { n, size, weight, from, to, mate, nearest, top, parent, label } = search
  search.queue = []
  label.fill(FREE)
  nearest.fill(0)
  for (let node = 1; node <= search.last; node++) {
    if (top[node] !== node || mate[node] !== 0) continue
    parent[node] = 0
    label[node] = OUTER
    enqueue(search, node)
  }
  if (search.queue.length === 0) return false
  for (;;) {
    for (let head = 0; head < search.queue.length; head++) {
      const vertex = search.queue[head]!
      if (label[top[vertex]!] === INNER) continue
      for (let other = 1; other <= n; other++) {
        if (weight[vertex * size + other] === 0 || top[vertex] === top[other]) continue
        if (slackOf(search, vertex, other) > 0) offerNearest(search, vertex, top[other]!)
        else if (useEdge(search, vertex, other)) return true
      }
    }
    search.queue = []
    if (!adjustDuals(search)) return false
    for (let node = 1; node <= search.last; node++) {
      const near = nearest[node]!
      if (top[node] !== node || near === 0 || top[near] === node || slackOf(search, near, node) !== 0) continue
      const edge = near * size + node
      if (useEdge(search, from[edge]!, to[edge]!)) return true
    }
    for (let node = n + 1; node <= search.last; node++)
      if (top[node] === node && label[node] === INNER && search.dual[node] === 0) expand(search, node)
  }
}

/** Changes the dual variables so far that an edge loses its slack or a blossom its variable. False: that is not possible. */
function adjustDuals(search: Search): boolean {
  const { n, dual, nearest, top, label } = search
  let change = Infinity
  for (let node = 1; node <= search.last; node++) {
    if (top[node] !== node) continue
    if (node > n && label[node] === INNER) change = Math.min(change, dual[node]! / 2)
    if (nearest[node] === 0) continue
    const slack = slackOf(search, nearest[node]!, node)
    if (label[node] === FREE) change = Math.min(change, slack)
    else if (label[node] === OUTER) change = Math.min(change, slack / 2)
  }
  for (let vertex = 1; vertex <= n; vertex++) {
    if (label[top[vertex]!] === OUTER) {
      if (dual[vertex]! <= change) return false
      dual[vertex]! -= change
    } else if (label[top[vertex]!] === INNER) dual[vertex]! += change
  }
  for (let node = n + 1; node <= search.last; node++) {
    if (top[node] !== node) continue
    if (label[node] === OUTER) dual[node]! += 2 * change
    else if (label[node] === INNER) dual[node]! -= 2 * change
  }
  return true
}
