import type { GameId } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import { randomStream } from '../../../main/contract/random.ts'
import { newContestSettings } from '../../../main/referees/cops/config.ts'
import { makeTown, townOptions, townText } from '../../../main/referees/cops/kinds.ts'
import { config as cowsConfig } from '../../../main/referees/cows/config.ts'
import { makeMap, mapOptions, mapText, type HerdMap } from '../../../main/referees/cows/kinds.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { config as haggleConfig } from '../../../main/referees/haggle/config.ts'
import { config as punterConfig } from '../../../main/referees/punter/config.ts'
import { makeMap as makeRivers, mapOptions as riverOptions } from '../../../main/referees/punter/kinds.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import { playRandomGame } from '../cops/random-game.ts'
import { repeats } from '../../long.ts'
import type { Draws, PlayedMatch } from './random-histories.ts'
import { speckerMatches } from './specker-matches.ts'

function drawsOf(seed: string): Draws {
  const next = randomStream(sha256(seed))
  const chance = (): number => next() / 2 ** 32
  const below = (count: number): number => Math.floor(chance() * count)
  return { chance, below, happens: (likelihood) => chance() < likelihood, pick: (list) => list[below(list.length)]! }
}

/** Short matches of each game between players that say what comes into their mind. */
export const randomMatches: Readonly<Record<GameId, () => Promise<readonly PlayedMatch[]>>> = {
  cows: () => Promise.resolve(numbers(5).map(cowsMatch)),
  punter: () => Promise.resolve(numbers(4).map(punterMatch)),
  haggle: () => Promise.resolve(numbers(5).map(haggleMatch)),
  specker: () =>
    Promise.resolve(
      numbers(speckerMatches.length).map((number) =>
        speckerMatches[number % speckerMatches.length]!(drawsOf(`specker ${number}`)),
      ),
    ),
  cops: () => Promise.all(numbers(6).map(copsMatch)),
}

/** Twenty matches in the long run; their settings repeat. */
const numbers = (short: number): readonly number[] => [...Array(repeats({ short, long: 20 })).keys()]

function cowsMatch(number: number): PlayedMatch {
  const draws = drawsOf(`cows ${number}`)
  const herders = 8
  const map = makeMap(
    mapOptions.parse({
      kind: 'random',
      width: 20,
      height: 20,
      obstacles: 30,
      cows: 70,
      herders,
      corral: 6,
      seed: String(number),
    }),
  )
  const config = cowsConfig.parse({
    map: number % 4 === 3 ? serverFile(map) : mapText(map),
    steps: 60,
    profile: number % 2 === 0 ? 'document' : 'server-2008',
    ...(number === 4 ? { fearRange: 3, attractionRange: 6, failure: 50, emptyWeight: 3 } : {}),
  })
  const act = (): string | null => (draws.happens(0.1) ? null : draws.pick(actions))
  return {
    config,
    entrants: 2,
    next: (saved) => ({
      type: 'step',
      step: (saved as { step: number }).step,
      actions: [0, 1].map(() => Array.from({ length: herders }, act)),
    }),
  }
}

/** A map as a configuration of the organisers' server. */
function serverFile({ rows, corrals, herders }: HerdMap): string {
  const list = (name: string, items: readonly number[]): string =>
    `<array meta:name="${name}" meta:length="${items.length}" ${items.map((item, at) => `item${at}="${item}"`).join(' ')} />`
  const lists = (name: string, cells: readonly (readonly [number, number])[]): string =>
    list(
      `${name}X`,
      cells.map(([x]) => x),
    ) +
    list(
      `${name}Y`,
      cells.map(([, y]) => y),
    )
  const cellsOf = (character: string): [number, number][] =>
    rows.flatMap((row, y) =>
      Array.from(row).flatMap((cell, x) => (cell === character ? [[x, y] as [number, number]] : [])),
    )
  const agents = herders.map((team, seat) => team.map(() => `<agent team="t${seat}" />`).join('')).join('')
  return `<conf><match><simulation id="s"><configuration xmlns:meta="http://example.org/" sizex="${rows[0]!.length}" sizey="${rows.length}">
${lists('agentPosition', herders.flat())}${lists('cowPosition', cellsOf('c'))}${lists('obstaclePosition', cellsOf('#'))}
${corrals
  .map(({ x0, y0, x1, y1 }, seat) =>
    lists(`stable${seat + 1}`, [
      [x0, y0],
      [x1, y1],
    ]),
  )
  .join('')}
</configuration><agents>${agents}</agents></simulation></match></conf>`
}

/** Punters that claim, buy and splurge at random, often against the rules; some fall silent. */
function punterMatch(number: number): PlayedMatch {
  const { happens, below, pick } = drawsOf(`punter ${number}`)
  const land = makeRivers(riverOptions.parse({ kind: 'gabriel', sites: 18, mines: 3, seed: String(number) }))
  const [first] = land.rivers
  const rivers = [...land.rivers, { source: first!.target, target: first!.source }]
  // The last map has to be repaired, and gets a mine.
  const broken = { sites: land.sites, rivers: [...rivers, { source: 1, target: 999 }], mines: [999] }
  const extended = number % 4 > 0
  const config = punterConfig.parse({
    ...{ map: JSON.stringify(number % 4 === 3 ? broken : { ...land, rivers }), repair: number % 4 === 3 },
    ...{ futures: extended, splurges: extended, options: number % 4 > 1, maxTimeouts: 3 },
    timeouts: number % 2 === 0 ? 'in-a-row' : 'total',
  })
  const entrants = 2 + (number % 3)
  const site = (): number => (happens(0.03) ? 777 : below(land.sites.length))
  const route = (): number[] => {
    const path = [below(land.sites.length)]
    for (let at = 1 + below(4); at > 0; at--) {
      const from = path.at(-1)!
      path.push(
        pick(
          land.rivers.flatMap(({ source, target }) => (source === from ? [target] : target === from ? [source] : [])),
        ),
      )
    }
    return path
  }
  const move = (seat: number): Json => {
    const { source, target } = happens(0.05) ? { source: site(), target: site() } : pick(rivers)
    if (happens(0.2)) return { pass: { punter: seat } }
    if (happens(0.3)) return { splurge: { punter: seat, route: route() } }
    return happens(0.4) ? { option: { punter: seat, source, target } } : { claim: { source, target } }
  }
  const fault = (seat: number, gone: boolean): Json => {
    const kind = pick(['timeout', 'invalid', 'stall'])
    return { type: 'fault', seat, fault: { kind, text: 'Fault é' }, gone }
  }
  return {
    config,
    entrants,
    next(saved) {
      const { moves, punters } = saved as { moves: number; punters: readonly { setup: string | null }[] }
      const silent = punters.findIndex(({ setup }) => setup === null)
      const seat = silent === -1 ? moves % entrants : silent
      if (happens(silent === -1 ? 0.1 : 0.05)) {
        const failed = fault(seat, happens(0.1)) as Record<string, Json>
        return silent === -1 ? failed : { ...failed, ready: false }
      }
      if (silent === -1) return { type: 'move', seat, move: move(seat) }
      const bets = Array.from({ length: below(9) }, (): Json => {
        return happens(0.1) ? { source: 'x' } : { source: happens(0.2) ? site() : pick(land.mines), target: site() }
      })
      return { type: 'ready', seat, futures: bets }
    },
  }
}

/** Sides that demand at random until one accepts, demands too much or walks away. */
function haggleMatch(number: number): PlayedMatch {
  const { happens, below, pick } = drawsOf(`haggle ${number}`)
  const config = haggleConfig.parse(
    [
      { maxRounds: 20, walkingAway: 'last' },
      { types: 4, minObjects: 5, maxObjects: 9, totalValue: 12, maxRounds: 2, generator: 'corrected' },
      { types: 2, maxObjects: 4, seed: 4_294_967_295, maxRounds: 20 },
      { maxRounds: 20, minObjects: 5 },
      { maxRounds: 20, walkingAway: 'last', totalValue: 20, invalidOffers: 'explained' },
    ][number % 5],
  )
  return {
    config: config as unknown as Json,
    entrants: 2,
    next(saved) {
      const { offers, counts } = saved as { offers: readonly Json[]; counts: readonly number[] }
      const seat = offers.length % 2
      if (offers.length < 4) return { type: 'answer', seat, value: counts.map((count) => below(count + 1)) }
      if (number % 5 === 4)
        return happens(0.5)
          ? { type: 'abort', seat: 1 - seat, reason: 'Enough.' }
          : { type: 'answer', seat, value: [99] }
      return {
        type: 'answer',
        seat,
        value: happens(0.3) ? pick([null, 0, false, '']) : counts.map((count) => below(count + 1)),
      }
    },
  }
}

/** Games of both phases and of both readings of the second one. */
async function copsMatch(number: number): Promise<PlayedMatch> {
  const { chance } = drawsOf(`cops ${number}`)
  const options = townOptions.parse({ seed: String(number), avenues: 5, streets: 5, culdesacs: 3, shortcuts: 12 })
  const settings = number % 2 === 0 ? newContestSettings : {}
  const inputs: Json[] = []
  const maps = [townText(makeTown(options))]
  const { config } = await playRandomGame({ maps, chance, settings, onInput: (input) => inputs.push(input as Json) })
  const left = inputs.values()
  return { config: config as unknown as Json, entrants: 6, next: () => left.next().value! }
}
