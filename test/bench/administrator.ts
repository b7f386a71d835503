import { limits } from '../../main/contract/limits.ts'
import { hostGame } from '../../main/contract/hosted.ts'
import type { Json } from '../../main/contract/json.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { inProcessPlayer } from '../../main/players/in-process.ts'
import { ENERGY } from '../../main/referees/specker/messages.ts'
import { specker } from '../../main/referees/specker/specker.ts'
import { playMatch } from '../../main/worker/play.ts'
import { mediansOf, rate } from './measure.ts'
import { instanceOf, maxCsp } from './max-csp.ts'
import { rowOf, type Bench } from './row.ts'

const ROUNDS = 7
const TURNS = 100
/** New offers a turn; each is bought, delivered and solved. */
const OFFERS = 10
const CONSTRAINTS = 100
const VARIABLES = 20
const SEED = '5e'.repeat(32)

interface Bundle {
  readonly [key: string]: Json
  readonly actions: readonly Json[]
}

/**
 * A match of two players who trade as much as they may, with bundles written beforehand: what is left is the administrator,
 * who reads, checks, applies, values, and writes the history.
 */
export const administrator: Bench = {
  name: 'administrator',
  async measure() {
    const bundles = [bundlesOf(0), bundlesOf(1)]
    const all = bundles.flat()
    const transactions = all.reduce((sum, { actions }) => sum + actions.length, 0)
    const texts = all.map((bundle) => JSON.stringify(bundle))
    const { first, second } = await mediansOf(
      ROUNDS,
      () => rate(transactions, () => play(bundles)),
      () => rate(transactions, () => texts.forEach((text) => JSON.stringify(JSON.parse(text)))),
    )
    return [
      rowOf(
        { name: `administrator, ${CONSTRAINTS} constraints an instance`, value: first, unit: 'transactions/s' },
        { name: 'JSON.parse and JSON.stringify of the bundles', value: second, unit: 'transactions/s' },
        { of: 'value', atLeast: 20_000 },
      ),
    ]
  },
}

const game = hostGame(specker)

/** Plays the match as a worker does. Every action counts as a transaction, so all of them must have been applied. */
async function play(bundles: readonly (readonly Bundle[])[]): Promise<void> {
  const config = game.config({
    challenge: maxCsp,
    challengeConfig: { maxVars: VARIABLES, maxConstraints: CONSTRAINTS },
    // Nobody runs dry, however unevenly the instances lie.
    init: 100_000 * ENERGY,
    maxTurns: TURNS,
    offersMax: OFFERS,
  })
  if (!config.ok) throw new Error(config.error)
  const asked = bundles.map(() => 0)
  let kept = 0
  const removed: boolean[] = []
  await playMatch({
    setup: {
      contest: 'bench-1',
      contestHash: hashOf('bench'),
      configHash: hashOf(config.value),
      game: game.id,
      config: config.value,
      limits: limits.parse({ moveMs: 60_000 }),
      isolation: 'none',
      clock: 'frozen',
      lanes: 1,
    },
    job: {
      run: 1,
      match: 0,
      attempt: 1,
      seed: SEED,
      nonce: SEED,
      entrants: bundles.map((_, seat) => ({ name: `player ${seat}`, agent: hashOf(seat) })),
    },
    game,
    seatPlayer: (_seat, { seat }, _seed, emit) =>
      inProcessPlayer((message) => {
        const starting = typeof message === 'object' && message !== null && 'challenge' in message
        return starting ? { actions: [] } : bundles[seat]![asked[seat]!++]!
      }, emit),
    report(report) {
      if (report.type === 'lines') kept += report.text.length
      if (report.type === 'finished') removed.push(...report.outcome.places.map((place) => place.removed))
    },
  })
  const turns = bundles.map(({ length }) => length)
  if (removed.join() !== 'false,false' || asked.join() !== turns.join() || kept === 0) {
    throw new Error('the bundles were not all applied and written')
  }
}

/**
 * What a player does in each of his turns: solve what was delivered, deliver what was sold, buy all that is offered, offer
 * anew. Challenges are numbered as they are offered, so everything is known beforehand.
 */
function bundlesOf(seat: 0 | 1): readonly Bundle[] {
  const relations = Array.from({ length: OFFERS }, (_, n) => 20 + 10 * seat + n)
  const instances = relations.map((relation) => instanceOf(relation, VARIABLES, CONSTRAINTS))
  const price = ENERGY / 2
  const solution = { values: Array.from({ length: VARIABLES }, (_, n) => n % 2) }
  /** The numbers of what a seat offers in its turn of a round; none where it has no such turn. */
  const offeredBy = (who: number, round: number): readonly number[] =>
    round < 1 || round > TURNS ? [] : relations.map((_, n) => (2 * (round - 1) + who) * OFFERS + n)

  return Array.from({ length: TURNS + 1 }, (_, turn) => {
    const round = turn + 1
    const trading = round <= TURNS
    /** The round whose offers of the other seat are the newest; seat 0 comes first in each round. */
    const newest = seat === 0 ? round - 1 : round
    // What seat 1 offers in the last round is for nobody to buy.
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
