import { limits } from '../../main/contract/limits.ts'
import { eraseGame } from '../../main/contract/game/erased-game.ts'
import type { Json } from '../../main/contract/json.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { inProcessPlayer } from '../in-process-player.ts'
import { ENERGY } from '../../main/referees/specker/messages.ts'
import { specker } from '../../main/referees/specker/specker.ts'
import { conductMatch } from '../../main/worker/conduct-match.ts'
import { instanceOf, maxCsp } from './max-csp.ts'

const SEED = '5e'.repeat(32)

/** How much two players trade with each other. */
export interface Trade {
  readonly turns: number
  /** New offers a turn; each is bought, delivered and solved. */
  readonly offers: number
  /** The size of an instance. */
  readonly constraints: number
  readonly variables: number
}

/** The actions of a player in a turn. */
export interface Bundle {
  readonly [key: string]: Json
  readonly actions: readonly Json[]
}

const game = eraseGame(specker)

/** The game's config of such a trade, complete. */
export function configOf({ turns, offers, constraints, variables }: Trade): Json {
  const config = game.config({
    challenge: maxCsp,
    challengeConfig: { maxVars: variables, maxConstraints: constraints },
    // Nobody runs dry, however unevenly the instances lie.
    init: 100_000 * ENERGY,
    maxTurns: turns,
    offersMax: offers,
    // The bundles are written for turns in the order of the seats.
    order: 'fixed',
  })
  if (!config.ok) throw new Error(config.error)
  return config.value
}

/**
 * Plays a match of two players whose bundles are written beforehand, as a worker does; `keep` gets the lines of its history.
 * Throws where not all was applied: an action counts as a transaction.
 */
export async function playBundles(
  bundles: readonly (readonly Bundle[])[],
  config: Json,
  contestHash: string,
  keep: (lines: string) => void,
): Promise<void> {
  const asked = bundles.map(() => 0)
  let kept = 0
  const players = bundles.map((own, seat) => (message: Json): Json => {
    const starting = typeof message === 'object' && message !== null && 'challenge' in message
    return starting ? { actions: [] } : own[asked[seat]!++]!
  })
  const removed = await playTable(players, config, contestHash, (lines) => {
    kept += lines.length
    keep(lines)
  })
  const turns = bundles.map(({ length }) => length)
  if (removed.join() !== 'false,false' || asked.join() !== turns.join() || kept === 0) {
    throw new Error('the bundles were not all applied and written')
  }
}

/**
 * Plays a match as a worker does, its players in this process; `keep` gets the lines of its history. Resolves to who was
 * removed.
 */
export async function playTable(
  players: readonly ((message: Json) => Json)[],
  config: Json,
  contestHash: string,
  keep: (lines: string) => void,
): Promise<readonly boolean[]> {
  const removed: boolean[] = []
  await conductMatch({
    setup: {
      contest: 'bench-1',
      contestHash,
      configHash: hashOf(config),
      game: game.id,
      config,
      limits: limits.parse({ moveMs: 60_000 }),
      isolation: 'none',
      clock: 'frozen',
      seeds: 'hmac',
      lanes: 1,
    },
    job: {
      run: 1,
      match: 0,
      attempt: 1,
      seed: SEED,
      nonce: SEED,
      fresh: false,
      entrants: players.map((_, seat) => ({ name: `player ${seat}`, agent: hashOf(seat) })),
    },
    game,
    seatPlayer: ({ id: seat }, _seedOf, emit) => inProcessPlayer(players[seat]!, emit),
    report(report) {
      if (report.type === 'finished') removed.push(...report.outcome.places.map((place) => place.removed))
      if (report.type === 'lines') keep(report.text)
    },
  })
  return removed
}

/**
 * The actions of a player in each of its turns: solve what was delivered, deliver what was sold, buy all that is offered, offer
 * anew. Challenges are numbered as they are offered, so everything is known beforehand.
 */
export function bundlesOf(seat: 0 | 1, { turns, offers, constraints, variables }: Trade): readonly Bundle[] {
  const relations = Array.from({ length: offers }, (_, n) => 20 + 10 * seat + n)
  const instances = relations.map((relation) => instanceOf(relation, variables, constraints))
  const price = ENERGY / 2
  const solution = { values: Array.from({ length: variables }, (_, n) => n % 2) }
  /** The numbers of what a seat offers in its turn of a round; none where it has no such turn. */
  const offeredBy = (who: number, round: number): readonly number[] =>
    round < 1 || round > turns ? [] : relations.map((_, n) => (2 * (round - 1) + who) * offers + n)

  return Array.from({ length: turns + 1 }, (_, turn) => {
    const round = turn + 1
    const trading = round <= turns
    /** The round whose offers of the other seat are the newest; seat 0 comes first in each round. */
    const newest = seat === 0 ? round - 1 : round
    // Nobody can buy the offers of seat 1 in the last round.
    const sold = trading || seat === 0 ? offeredBy(seat, round - 1) : []
    return {
      actions: [
        ...offeredBy(1 - seat, newest - 1).map((challenge) => ({ type: 'solve', challenge, solution })),
        ...sold.map((challenge, n) => ({ type: 'deliver', challenge, instance: instances[n]! })),
        ...(trading ? offeredBy(1 - seat, newest).map((challenge) => ({ type: 'accept', challenge })) : []),
        ...(trading
          ? relations.map((relation) => ({ type: 'offer', predicate: { relations: [relation] }, price }))
          : []),
      ],
    }
  })
}
