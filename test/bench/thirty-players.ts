import type { Json } from '../../main/contract/json.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { ENERGY, type Action, type StartMessage, type TurnMessage } from '../../main/referees/specker/messages.ts'
import { instanceOf } from './max-csp.ts'
import { rowOf, type Bench } from './row.ts'
import { configOf, playTable } from './traders.ts'

const PLAYERS = 30
const ROUNDS = 50
const SIZE = { turns: ROUNDS, offers: 2, constraints: 30, variables: 10 } as const
const MEGABYTE = 1_000_000

/**
 * A whole class at one table: 30 players, 50 rounds. Each does what it owes, buys the cheapest challenge and offers a new one;
 * their own work is next to nothing, so what is measured is the administrator: views, rules, history.
 */
export const thirtyPlayers: Bench = {
  name: 'thirty-players',
  async measure() {
    globalThis.gc?.()
    const before = process.memoryUsage().heapUsed
    let most = 0
    let bytes = 0
    const texts: string[] = []
    const began = performance.now()
    const removed = await playTable(
      Array.from({ length: PLAYERS }, trader),
      configOf(SIZE),
      hashOf('bench'),
      (lines) => {
        bytes += Buffer.byteLength(lines)
        texts.push(lines)
        most = Math.max(most, process.memoryUsage().heapUsed - before)
      },
    )
    const seconds = (performance.now() - began) / 1_000
    if (removed.length !== PLAYERS || removed.some(Boolean)) throw new Error('a player was removed')
    const read = performance.now()
    for (const text of texts) for (const line of text.trimEnd().split('\n')) JSON.stringify(JSON.parse(line))
    const readSeconds = (performance.now() - read) / 1_000
    const size = { name: 'its history', value: bytes / MEGABYTE, unit: 'MB' }
    const match = `match of ${PLAYERS} players and ${ROUNDS} rounds`
    return [
      rowOf(
        { name: `${match}: time`, value: seconds, unit: 's' },
        { name: 'JSON.parse and JSON.stringify of its history', value: readSeconds, unit: 's' },
      ),
      rowOf({ name: `${match}: memory at most`, value: most / MEGABYTE, unit: 'MB' }, size),
      rowOf(
        { ...size, name: `${match}: history` },
        { name: 'a turn', value: bytes / MEGABYTE / PLAYERS / ROUNDS, unit: 'MB' },
      ),
    ]
  },
}

function trader(_: unknown, seat: number): (message: Json) => Json {
  let offered = 0
  return (message) => {
    const view = message as StartMessage | TurnMessage
    if (view.type === 'start') return { ready: true }
    const actions: Action[] = []
    for (const { challenge, predicate } of view.toDeliver) {
      const [relation] = (predicate as { readonly relations: readonly number[] }).relations
      actions.push({ type: 'deliver', challenge, instance: instanceOf(relation!, SIZE.variables, SIZE.constraints) })
    }
    const solution = { values: Array.from({ length: SIZE.variables }, (_, at) => at % 2) }
    for (const { challenge } of view.toSolve) actions.push({ type: 'solve', challenge, solution })
    if (!view.trading) return { actions }
    const others = view.store.filter(({ seller }) => seller !== seat)
    const cheapest = others.reduce<TurnMessage['store'][number] | null>(
      (a, b) => (a === null || b.price < a.price ? b : a),
      null,
    )
    if (cheapest !== null) actions.push({ type: 'accept', challenge: cheapest.challenge })
    // Two relations that nobody else names, and of those that are for sale each one cheaper than before.
    const predicate = { relations: [22, 30 + seat] }
    actions.push({ type: 'offer', predicate, price: ENERGY / 2 - offered++ })
    return { actions }
  }
}
