import { describe, expect, test } from 'vitest'
import type { ErasedGame } from '../../../main/contract/game/game.ts'
import type { Arrival, RawTable } from '../../../main/contract/game/table.ts'
import type { Wire, WireEffect } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Match } from './harness.ts'
import {
  councilFaultsScenario,
  councilScenario,
  marketScenario,
  teamsScenario,
  type Message,
  type Scenario,
} from './scenarios.ts'
import { offlineScenario, reconnectScenario } from './wire-scenarios.ts'

/*
 * The toys are worth something only if a wrong implementation fails them. Each mutant is a table, a player, a wire or a
 * recorder with one plausible mistake, and must be found by the scenario that is named.
 */

const withGame = (match: Match, change: Partial<ErasedGame>): Match => ({
  ...match,
  game: { ...match.game, ...change },
})

const withTable = (match: Match, bend: (table: RawTable) => Partial<RawTable>): Match =>
  withGame(match, {
    conduct: (table, config, seed, limits) => match.game.conduct({ ...table, ...bend(table) }, config, seed, limits),
  })

const withDialogue = (match: Match, bent: Partial<ErasedGame['dialogue']>): Match =>
  withGame(match, { dialogue: { ...match.game.dialogue, ...bent } })

const withWire = (match: Match, bend: (wire: Wire<Json, Json>) => Partial<Wire<Json, Json>>): Match =>
  withDialogue(match, {
    wire(config, post, seats, host) {
      const wire = match.game.dialogue.wire!(config, post, seats, host)
      return { ...wire, ...bend(wire) }
    },
  })

const withMoveWire = (match: Match, bend: (wire: Wire<Json, Json>) => Partial<Wire<Json, Json>>): Match =>
  withDialogue(match, {
    moveWire(config, post, seats, host) {
      const wire = match.game.dialogue.moveWire!(config, post, seats, host)
      return { ...wire, ...bend(wire) }
    },
  })

/** The market rings early: a mutant may leave goods on the table for ever. */
const ringsEarly = (match: Match): Match => ({ ...match, config: { goods: 8, bellMs: 200 } })

interface Mutant {
  readonly mistake: string
  readonly found: Scenario
  bend(match: Match): Match
}

const answers: readonly Mutant[] = [
  {
    mistake: 'a player gives a late answer the number of the question that is open now',
    found: teamsScenario,
    bend: (match) => ({
      ...match,
      seatPlayer(seat, post, emit, game) {
        let open = 0
        const renumbered: typeof emit = (event) => emit(event.type === 'answer' ? { ...event, to: open } : event)
        const player = match.seatPlayer(seat, post, renumbered, game)
        return {
          ...player,
          ask(question, message, limitMs) {
            open = question
            player.ask(question, message, limitMs)
          },
        }
      },
    }),
  },
  {
    mistake: 'the table hands an answer to a withdrawn question to the next one',
    found: councilScenario,
    bend: (match) =>
      withTable(match, (table) => {
        const open = new Map<number, number>()
        return {
          ask(question) {
            const number = table.ask(question)
            open.set(question.post.seat, number)
            return number
          },
          async next(until) {
            const arrival = await table.next(until)
            if (arrival === 'time' || arrival.type !== 'answer' || !arrival.late) return arrival
            return { ...arrival, to: open.get(arrival.post.seat)!, late: false }
          },
        }
      }),
  },
  {
    mistake: 'the wire forgets the numbers of the answers',
    found: reconnectScenario,
    bend: (match) =>
      withWire(match, (wire) => ({
        receive: (chunk, at) =>
          wire
            .receive(chunk, at)
            .map((effect): WireEffect<Json> => (effect.type === 'answer' ? { ...effect, to: null } : effect)),
      })),
  },
  {
    mistake: 'answers that the schema refuses leave no fault in the history',
    found: teamsScenario,
    bend: (match) => withTable(match, () => ({ fault: () => undefined })),
  },
]

const secrets: readonly Mutant[] = [
  {
    mistake: 'a message for one post goes to its neighbour',
    found: teamsScenario,
    bend: (match) =>
      withTable(match, (table) => {
        let card: Json = 0
        return {
          ask(question) {
            const message = { ...(question.message as Message), card }
            card = (question.message as Message)['card']!
            return table.ask({ ...question, message })
          },
        }
      }),
  },
  {
    mistake: 'what is told to one is told to all',
    found: marketScenario,
    bend: (match) =>
      withTable(ringsEarly(match), (table) => ({
        tell: (_to, message) =>
          table.tell(
            table.seats.map(({ id }) => ({ seat: id, body: 0 })),
            message,
          ),
      })),
  },
  {
    mistake: 'every input is public while the match runs',
    found: councilScenario,
    bend: (match) =>
      withTable(match, (table) => ({
        input: (at, _audience, input, save, found) => table.input(at, 'public', input, save, found),
      })),
  },
  {
    mistake: 'a view shows the whole state to everybody',
    found: teamsScenario,
    bend: (match) => {
      const fold: ErasedGame['fold'] = (config, seats, seed) => {
        const real = match.game.fold(config, seats, seed)
        return { ...real, view: () => real.view('panel') }
      }
      return withGame(match, { fold })
    },
  },
]

const order: readonly Mutant[] = [
  {
    mistake: 'unasked speech is read newest first',
    found: marketScenario,
    bend: (match) =>
      withTable(ringsEarly(match), (table) => {
        const stack: Arrival<Json>[] = []
        return {
          async next(until) {
            for (;;) {
              const arrival = await table.next(stack.length > 0 ? 0 : until)
              if (arrival === 'time') return stack.pop() ?? arrival
              stack.push(arrival)
            }
          },
        }
      }),
  },
  {
    mistake: 'a player that has been dismissed is still heard',
    found: marketScenario,
    bend: (match) => withTable(ringsEarly(match), () => ({ dismiss: () => undefined })),
  },
  {
    mistake: 'nobody says that an agent has dropped or come back',
    found: reconnectScenario,
    bend: (match) => ({
      ...match,
      seatPlayer: (seat, post, emit, game) =>
        match.seatPlayer(
          seat,
          post,
          (event) => (event.type === 'joined' || event.type === 'left' ? undefined : emit(event)),
          game,
        ),
    }),
  },
  {
    mistake: 'who comes back is not told of the start again',
    found: reconnectScenario,
    bend: (match) => withWire(match, () => ({ joined: () => [{ type: 'ready' }] })),
  },
]

const processes: readonly Mutant[] = [
  {
    mistake: 'the next question goes to the process of the one before',
    found: offlineScenario,
    bend: (match) =>
      withMoveWire(match, (wire) => ({
        receive: (chunk, at) => wire.receive(chunk, at).filter(({ type }) => type !== 'close'),
      })),
  },
  {
    mistake: 'the state is lost on the way',
    found: offlineScenario,
    bend: (match) =>
      withDialogue(match, {
        moveWire: (config, post, seats, host) =>
          match.game.dialogue.moveWire!(config, post, seats, { ...host, state: { value: null, keep: () => null } }),
      }),
  },
]

const records: readonly Mutant[] = [
  {
    mistake: 'an input that the rules refused is recorded',
    found: councilFaultsScenario,
    bend: (match) =>
      withTable(match, (table) => ({
        input(at, audience, input, save, found) {
          const { type, seat } = input as Message
          // Seat 2 has just voted for a place that nobody had proposed.
          if (type === 'out' && seat === 2) table.input(at, [1, 2, 3], { type: 'vote', seat, place: 3 }, save, null)
          table.input(at, audience, input, save, found)
        },
      })),
  },
  {
    mistake: 'an input that the rules accepted is not recorded',
    found: councilScenario,
    bend: (match) => {
      let n = 0
      return withTable(match, (table) => ({
        input: (at, audience, input, save, found) =>
          ++n === 3 ? undefined : table.input(at, audience, input, save, found),
      }))
    },
  },
  {
    mistake: 'an input is recorded twice',
    found: teamsScenario,
    bend: (match) =>
      withTable(match, (table) => ({
        input(at, audience, input, save, found) {
          table.input(at, audience, input, save, found)
          table.input(at, audience, input, save, found)
        },
      })),
  },
  {
    mistake: 'the referee changes the state behind the rules',
    found: teamsScenario,
    bend: (match) =>
      withGame(match, {
        async conduct(table, config, seed, limits) {
          const end = await match.game.conduct(table, config, seed, limits)
          return { ...end, save: () => ({ ...(end.save() as Message), scores: [99, 0] }) }
        },
      }),
  },
  {
    mistake: 'the match is played from another seed than the one that it commits to',
    found: teamsScenario,
    bend: (match) =>
      withGame(match, {
        conduct: (table, config, _seed, limits) => match.game.conduct(table, config, '0'.repeat(64), limits),
      }),
  },
]

/** A match that never ends is found too. */
const ends = (run: Promise<void>): Promise<void> =>
  Promise.race([
    run,
    new Promise<void>((_resolve, reject) => setTimeout(() => reject(new Error('it hangs')), 30_000).unref()),
  ])

describe.each([
  ['answers', answers],
  ['secrets', secrets],
  ['order', order],
  ['processes', processes],
  ['records', records],
])('the toys find mistakes with %s', (_kind, mutants) => {
  test.each(mutants)('$mistake', async ({ found, bend }) => {
    await expect(ends(found(bend))).rejects.toThrow()
  })
})
