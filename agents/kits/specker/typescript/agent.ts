import type { BuiltInCraft, Craft, Question, Settings, Shape } from './crafts.d.ts'
import type { Action, Answer, Instance, Limits, Offer, Predicate, Start, Turn } from './specker.d.ts'

/**
 * Plays the Specker Challenge Game by its rules, and otherwise at random. The four methods at the end of this class
 * decide how it plays max-csp: start there. The code after the class plays the other built-in challenges, legally but
 * at random.
 */
export default class Agent {
  readonly start: Start
  readonly limits: Limits
  readonly craft: Craft
  /** The secrets of its own secret challenges by number, until they are revealed. */
  readonly secrets = new Map<number, { readonly solution: unknown; readonly nonce: string }>()
  state: number

  constructor(start: Start) {
    this.start = start
    this.limits = start.challenge.config as Limits
    // Its own random numbers: equal matches give equal answers, so that saved moves can be test cases.
    this.state = start.me + 1
    const { name, config } = start.challenge
    this.craft = name === 'max-csp' ? maxCsp(this) : otherCraft(name, config as Settings, this)
  }

  turn(view: Turn): Answer {
    // Rule 4: fulfil obligations first.
    const actions: Action[] = view.toDeliver.map((offer) => this.delivery(offer))
    for (const { challenge, instance } of view.toSolve) {
      actions.push({ type: 'solve', challenge, solution: this.craft.solve(instance as never) })
    }
    for (const { challenge } of view.toReveal ?? []) {
      actions.push({ type: 'reveal', challenge, ...this.secrets.get(challenge)! })
    }
    if (view.trading) actions.push(...this.trade(view))
    return { actions }
  }

  delivery({ challenge, predicate, kind }: Offer): Action {
    const { instance, solution, quality } = this.craft.rawMaterial(predicate as never)
    if (kind !== 'secret') return { type: 'deliver', challenge, instance }
    const nonce = Array.from({ length: 64 }, () => this.random(16).toString(16)).join('')
    this.secrets.set(challenge, { solution, nonce })
    const commitment = sha256(JSON.stringify([solution, nonce]))
    return { type: 'deliver', challenge, instance, secret: { quality, commitment } }
  }

  /** Rules 2 and 3: buys one challenge or lowers all offers of others, and offers something new. */
  trade({ store, account, step }: Turn): Action[] {
    const { me, config } = this.start
    const actions: Action[] = []
    const own = config.variant === 'belief' || config.variant === 'secret' ? config.variant : 'classic'
    /** The lowest price of each predicate for sale as the same kind as mine. */
    const lowest = new Map<string, number>()
    const lower = (predicate: unknown, price: number): void => {
      lowest.set(keyOf(predicate), Math.min(price, lowest.get(keyOf(predicate)) ?? Infinity))
    }
    for (const { predicate, price, kind = 'classic' } of store) if (kind === own) lower(predicate, price)
    if (step === undefined || step === 'decide') {
      const others = store.filter(({ seller }) => seller !== me)
      const liked = others.find((offer) => offer.price < account && (offer.price === 0 || this.craft.isWorth(offer)))
      if (liked !== undefined) actions.push({ type: 'accept', challenge: liked.challenge })
      else if (config.mode !== 'asynchronous') {
        for (const offer of others) {
          const price = Math.max(0, offer.price - config.mindec)
          actions.push({ type: 'reoffer', challenge: offer.challenge, price })
          if ((offer.kind ?? 'classic') === own) lower(offer.predicate, price)
        }
      }
    }
    if (step === undefined || step === 'offer') {
      const mine = store.filter(({ seller }) => seller === me).length
      const wanted = config.mode !== 'asynchronous' ? Math.max(1, config.offersMin) : mine < config.offersMax ? 1 : 0
      for (let made = 0; made < wanted; made++) {
        const offer = this.newOffer(lowest)
        if (offer === undefined) break
        lower(offer.predicate, offer.price)
        actions.push({ type: 'offer', ...offer })
      }
    }
    return actions
  }

  /** An offer of a predicate that nobody offers or, if none is left, at a price below all others. */
  newOffer(lowest: ReadonlyMap<string, number>): { readonly predicate: unknown; readonly price: number } | undefined {
    const parts = leagueParts(this.start.config)
    for (let tries = 0; tries < 300; tries++) {
      const idea = this.craft.idea(parts ?? (tries < 200 ? 1 : 1 + this.random(5)))
      if (idea === undefined) continue
      const price = Math.min(idea.price, (lowest.get(keyOf(idea.predicate)) ?? Infinity) - 1)
      if (price === idea.price || (tries >= 250 && price >= 0)) return { predicate: idea.predicate, price }
    }
    return undefined
  }

  /** A whole number from 0 to `below` - 1. */
  random(below: number): number {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0
    return Math.floor((this.state / 2 ** 32) * below)
  }

  /** The weight of the constraints that these values satisfy. */
  weightMet({ constraints }: Instance, values: readonly number[]): number {
    let met = 0
    for (const { weight, relation, variables } of constraints) {
      const row = variables.reduce((bits, variable) => 2 * bits + values[variable - 1]!, 0)
      if ((relation >> row) % 2 === 1) met += weight
    }
    return met
  }

  /** True to buy raw material of these `relations` at this `price`, in 10^-9 energy. */
  isWorth(offer: Predicate & { readonly price: number }): boolean {
    return this.random(1_000_000_000) >= offer.price
  }

  /** The relation to sell, and its price in 10^-9 energy. */
  idea(): { readonly relation: number; readonly price: number } {
    return { relation: this.random(256), price: this.random(1_000_000_001) }
  }

  /** The raw material to deliver: the harder, the better. */
  rawMaterial(relations: readonly number[]): Instance {
    const constraints = relations.map((relation) => ({ weight: 1, relation, variables: [1, 2, 3] }))
    return { variables: 3, constraints: constraints.slice(0, this.limits.maxConstraints) }
  }

  /** A value for each variable, 0 or 1: the more weight is satisfied, the better. */
  solve(instance: Instance): readonly number[] {
    return Array.from({ length: instance.variables }, () => this.random(2))
  }
}

/** Adapts the agent's methods to the interface of all challenges. */
function maxCsp(agent: Agent): Craft {
  const all = Array.from({ length: 256 }, (_, relation) => relation)
  // Different relations with the same number of rows never imply each other.
  const rows = (relation: number): number => relation.toString(2).replaceAll('0', '').length
  const equals = all.slice(0, 9).map((count) => all.filter((relation) => rows(relation) === count))
  return {
    isWorth: ({ predicate, price }) => agent.isWorth({ ...(predicate as Predicate), price }),
    idea(parts) {
      const { relation, price } = agent.idea()
      if (parts === 1) return { predicate: { relations: [relation] }, price }
      const enough = equals.filter((relations) => relations.length >= parts)
      if (enough.length === 0) return undefined
      return { predicate: { relations: pick(enough[agent.random(enough.length)]!, parts, agent) }, price }
    },
    rawMaterial({ relations }: Predicate) {
      const instance = agent.rawMaterial(relations)
      const values = agent.solve(instance)
      const weight = instance.constraints.reduce((sum, constraint) => sum + constraint.weight, 0)
      return { instance, solution: { values }, quality: `${agent.weightMet(instance, values)}/${weight}` }
    },
    solve: (instance: Instance) => ({ values: agent.solve(instance) }),
  }
}

/** Plays one of the other built-in challenges: buys and prices at random. */
function otherCraft(name: string, settings: Settings, agent: Agent): Craft {
  const craft = builtInCrafts(settings, agent)[name]
  if (craft === undefined) throw new Error(`this agent cannot play the challenge ${name}`)
  return {
    ...craft,
    isWorth: ({ price }) => agent.random(1_000_000_000) >= price,
    idea(parts) {
      const predicate = craft.predicate(parts)
      return predicate === undefined ? undefined : { predicate, price: agent.random(1_000_000_001) }
    },
  }
}

/** By challenge: any predicate, the smallest possible raw material, any solution. */
function builtInCrafts(settings: Settings, agent: Agent): Readonly<Record<string, BuiltInCraft>> {
  const some = (parts: number, most: number): readonly number[] =>
    Array.from({ length: parts }, () => 1 + agent.random(most))
  const numbers = (count: number, from = 0): readonly number[] => Array.from({ length: count }, (_, i) => from + i)
  return {
    'max-sat': {
      predicate(parts) {
        const longest = Math.min(settings.maxVars, settings.maxClauseLength)
        const shortest = Math.max(1, parts - 1)
        if (shortest > longest) return undefined
        const length = shortest + agent.random(longest - shortest + 1)
        return { types: pick(numbers(length + 1), parts, agent).map((positives) => ({ length, positives })) }
      },
      rawMaterial({ types }: { types: readonly { length: number; positives: number }[] }) {
        const { length, positives } = types.reduce((a, b) => (b.length < a.length ? b : a))
        const literals = numbers(length, 1).map((variable) => (variable <= positives ? variable : -variable))
        const values = literals.map((literal) => (literal > 0 ? 1 : 0))
        const instance = { variables: length, clauses: [{ weight: 1, literals }] }
        return { instance, solution: { values }, quality: '1/1' }
      },
      solve: ({ variables }: { variables: number }) => ({ values: numbers(variables).map(() => agent.random(2)) }),
    },
    knapsack: {
      predicate: (parts) => ({ weights: some(parts, settings.maxWeight) }),
      rawMaterial({ weights }: { weights: readonly [number] }) {
        const instance = { capacity: weights[0], items: [{ weight: weights[0], worth: 1 }] }
        return { instance, solution: { packed: [1] }, quality: '1/1' }
      },
      solve({ capacity, items }: { capacity: number; items: readonly { weight: number }[] }) {
        let left = capacity
        const packed: number[] = []
        for (const [at, { weight }] of items.entries()) {
          if (weight > left) continue
          left -= weight
          packed.push(at + 1)
        }
        return { packed }
      },
    },
    'cubic-equations': {
      predicate: (parts) => ({
        kinds: pick(['UnknownsAndCubes', 'SquaresAndCubes', 'CubesOfUnknowns', 'CubesOfSquares'], parts, agent).map(
          ($) => ({ $ }),
        ),
      }),
      rawMaterial({ kinds }: { kinds: readonly [{ $: string }] }) {
        const question = { kind: kinds[0], a: 1, b: 1 }
        return { instance: { questions: [question] }, solution: { answers: [rootOf(question)] }, quality: '1/1' }
      },
      solve: ({ questions }: { questions: readonly Question[] }) => ({ answers: questions.map(rootOf) }),
    },
    'pseudo-boolean': {
      predicate: (parts) => ({
        shapes: numbers(parts).map(() => {
          const terms = 1 + agent.random(Math.min(settings.maxTerms, settings.maxVars))
          const coefficients = some(terms, settings.maxCoefficient)
          const bound = agent.random(1 + coefficients.reduce((a, b) => a + b))
          return { coefficients, comparison: { $: 'AtLeast' }, bound }
        }),
      }),
      rawMaterial({ shapes }: { shapes: readonly [Shape] }) {
        const shape = shapes.reduce((a, b) => (b.coefficients.length < a.coefficients.length ? b : a))
        const { coefficients, comparison, bound } = shape
        const variables = coefficients.map((_, at) => `x${at + 1}`)
        const literals = variables.map((variable) => ({ $: 'Positive', variable }))
        const value = comparison.$ === 'AtMost' || bound === 0 ? 0 : 1
        const met = comparison.$ !== 'Exactly' || bound === value * coefficients.reduce((a, b) => a + b)
        const instance = { constraints: [{ weight: 1, shape, literals }], variables }
        return { instance, solution: { values: variables.map(() => value) }, quality: met ? '1/1' : '0/1' }
      },
      solve: ({ variables }: { variables: readonly string[] }) => ({ values: variables.map(() => agent.random(2)) }),
    },
    'travelling-salesman': {
      predicate: (parts) => ({ distances: some(parts, settings.maxDistance) }),
      rawMaterial({ distances: [distance] }: { distances: readonly [number] }) {
        const instance = { cities: 3, distances: [distance, distance, distance] }
        return { instance, solution: { tour: [1, 2, 3] }, quality: '1/1' }
      },
      solve: ({ cities }: { cities: number }) => ({ tour: numbers(cities, 1) }),
    },
    'vertex-cover': {
      predicate(parts) {
        const colours = numbers(settings.colours, 1)
        const joins = colours.flatMap((a) => colours.filter((b) => a <= b).map((b) => ({ a, b })))
        return { joins: pick(joins, parts, agent) }
      },
      rawMaterial({ joins: [{ a, b }] }: { joins: readonly [{ a: number; b: number }] }) {
        const instance = { colours: [a, b], edges: [{ a: 1, b: 2 }] }
        return { instance, solution: { cover: [1] }, quality: '1/1' }
      },
      solve: ({ edges }: { edges: readonly { a: number }[] }) => ({ cover: [...new Set(edges.map(({ a }) => a))] }),
    },
    'graph-colouring': {
      predicate: (parts) => ({ gaps: some(parts, settings.maxVertices - 1) }),
      rawMaterial({ gaps: [gap] }: { gaps: readonly [number] }) {
        const instance = { vertices: gap + 1, edges: [{ a: 1, b: gap + 1 }] }
        return { instance, solution: { colours: numbers(gap + 1).map((v) => (v < gap ? 1 : 2)) }, quality: '1/1' }
      },
      solve: ({ vertices }: { vertices: number }) => ({ colours: some(vertices, settings.colours) }),
    },
    'job-scheduling': {
      predicate: (parts) => ({ durations: some(parts, settings.longest) }),
      rawMaterial: ({ durations: [first] }: { durations: readonly [number] }) => ({
        instance: { speeds: [1], jobs: [first] },
        solution: { machines: [1] },
        quality: '1/1',
      }),
      solve: (instance: { speeds: readonly unknown[]; jobs: readonly unknown[] }) => ({
        machines: some(instance.jobs.length, instance.speeds.length),
      }),
    },
    'longest-common-subsequence': {
      predicate: (parts) => ({
        letters: pick(Array.from('abcdefghijklmnopqrst').slice(0, settings.maxLetters), parts, agent),
      }),
      rawMaterial: ({ letters: [first] }: { letters: readonly [string] }) => ({
        instance: { a: [first], b: [first] },
        solution: { a: [1], b: [1] },
        quality: '1/1',
      }),
      solve({ a, b }: { a: readonly string[]; b: readonly string[] }) {
        const same = numbers(a.length, 1).filter((place) => a[place - 1] === b[place - 1])
        return { a: same, b: same }
      },
    },
    'number-partition': {
      predicate: (parts) => ({ numbers: some(parts, settings.largest) }),
      rawMaterial: ({ numbers: [first] }: { numbers: readonly [number] }) => ({
        instance: { numbers: [first, first] },
        solution: { heaps: [1, 2] },
        quality: '1/1',
      }),
      solve: (instance: { numbers: readonly number[] }) => ({ heaps: instance.numbers.map(() => 1 + agent.random(2)) }),
    },
    'set-cover': {
      predicate: (parts) => ({ sizes: pick(numbers(Math.min(settings.maxSize, settings.maxMember), 1), parts, agent) }),
      rawMaterial: ({ sizes: [size] }: { sizes: readonly [number] }) => ({
        instance: { sets: [{ cost: 1, members: numbers(size, 1) }] },
        solution: { chosen: [1] },
        quality: '1/1',
      }),
      solve: ({ sets }: { sets: readonly unknown[] }) => ({ chosen: numbers(sets.length, 1) }),
    },
  }
}

/** The positive root of a cubic equation, by bisection. */
function rootOf({ kind: { $: kind }, a, b }: Question): number {
  let [low, high] = [0, a + b + 1]
  for (let step = 0; step < 100; step++) {
    const x = (low + high) / 2
    const middle = a * (kind.includes('Unknowns') ? x : x * x)
    if (x ** 3 + (kind.startsWith('Cubes') ? -middle : middle) < b) low = x
    else high = x
  }
  return low
}

/** The number of parts that predicates must have in this match; undefined: any number. */
function leagueParts({ league, leagueParameter }: Start['config']): number | undefined {
  if (league?.startsWith('level-k') === true) return leagueParameter ?? 2
  return league === 't-ball' || league === 'slow-pitch' ? 1 : undefined
}

/** A key that is the same for equal predicates: their parts are a set. */
function keyOf(predicate: unknown): string {
  const [parts] = Object.values(predicate as Record<string, readonly unknown[]>)
  return [...new Set(parts!.map((part) => JSON.stringify(part)))].sort().join(' ')
}

/** Returns `count` different random elements, or all of a shorter list. */
function pick<T>(list: readonly T[], count: number, agent: Agent): readonly T[] {
  const left = [...list]
  const picked: T[] = []
  while (picked.length < count && left.length > 0) picked.push(...left.splice(agent.random(left.length), 1))
  return picked
}

/** The SHA-256 of an ASCII text in hex digits; scripts have no library for it. */
function sha256(text: string): string {
  const primes: number[] = []
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
  const behindThePoint = (root: number): number => ((root % 1) * 2 ** 32) | 0
  const constants = primes.map((prime) => behindThePoint(Math.cbrt(prime)))
  const hash = primes.slice(0, 8).map((prime) => behindThePoint(Math.sqrt(prime)))
  const words = new Int32Array(16 * ((text.length + 72) >> 6))
  for (let at = 0; at <= text.length; at++) {
    words[at >> 2]! |= (at < text.length ? text.charCodeAt(at) : 0x80) << (24 - 8 * (at % 4))
  }
  words[words.length - 1] = 8 * text.length
  const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))
  for (let block = 0; block < words.length; block += 16) {
    const w = [...words.subarray(block, block + 16)]
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
    for (let i = 0; i < 64; i++) {
      if (i >= 16) {
        const [x, y] = [w[i - 15]!, w[i - 2]!]
        const more = (turned(x, 7) ^ turned(x, 18) ^ (x >>> 3)) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))
        w.push((w[i - 16]! + w[i - 7]! + more) | 0)
      }
      const one = h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + constants[i]! + w[i]!
      const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
    }
    for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) hash[at] = (hash[at]! + word) | 0
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}
