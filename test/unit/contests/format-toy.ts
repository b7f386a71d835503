import * as z from 'zod'
import { contestDescription, type ContestDescription } from '../../../main/contract/contests/contests.ts'
import type { ContestFormat, Pairing } from '../../../main/contract/contests/contest-format.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { ErasedGame, Game, Rules } from '../../../main/contract/game/game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { WorkerProcess } from '../../../main/services/machine/worker-process.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { conductMatch } from '../../../main/worker/conduct-match.ts'
import type { AgentCode, ContestSetup, WorkerReport } from '../../../main/worker/protocol.ts'
import { inProcessPlayer } from '../../in-process-player.ts'

/**
 * A toy with a format of its own, after the pods of Cops & Robbers: entrants are dealt into pods, all of a pod meet each other,
 * and the best of each pod meet each other in a second stage. A match: each says a number, the higher wins.
 */
const podsSettings = z.strictObject({ pods: z.int().min(2).max(100).default(2) })
type Pods = z.infer<typeof podsSettings>

const pairsOf = (players: readonly number[]): readonly Pairing[] =>
  players.flatMap((one, at) => players.slice(at + 1).map((other) => ({ entrants: [one, other] })))

const podsIn = ({ pods }: Pods, entrants: number): readonly (readonly number[])[] =>
  Array.from({ length: pods }, (_, pod) =>
    Array.from({ length: entrants }, (__, at) => at).filter((at) => at % pods === pod),
  )

const pods: ContestFormat<Pods> = {
  id: 'pods',
  settings: podsSettings,
  tableSize: () => 2,
  fault: (settings, entrants) =>
    entrants % settings.pods === 0 ? null : `${entrants} entrants cannot be dealt into ${settings.pods} equal pods.`,
  stages: (settings, entrants) => [
    podsIn(settings, entrants).flatMap(pairsOf).length,
    (settings.pods * (settings.pods - 1)) / 2,
  ],
  next({ settings, entrants }, [first]) {
    const dealt = podsIn(settings, entrants)
    if (first === undefined) return dealt.flatMap(pairsOf)
    return pairsOf(dealt.map((pod) => pod.reduce((best, at) => (first[at]!.points > first[best]!.points ? at : best))))
  },
}

const said = z.strictObject({ seat: z.int(), number: z.int() })
interface State {
  readonly said: (number | null)[]
}
const rules: Rules<object, State, z.infer<typeof said>, Json> = {
  initial: () => ({ said: [null, null] }),
  apply(state, { seat, number }) {
    state.said[seat] = number
    return null
  },
  view: ({ said: numbers }) => numbers,
  save: ({ said: numbers }) => numbers,
  load: (saved) => ({ said: saved as (number | null)[] }),
  outcome({ said: [one, other] }) {
    if (typeof one !== 'number' || typeof other !== 'number') return null
    const places = [one, other].map((score, seat) => {
      return { seat, score, rank: score < Math.max(one, other) ? 2 : 1, removed: false }
    })
    return { places, high: one + other > 10 }
  },
}

const game: Game<object, State, z.infer<typeof said>, Json, number, Json> = {
  id: 'toy-pods',
  title: 'Toy with pods',
  version: 1,
  config: z.strictObject({}),
  input: said,
  answer: z.int(),
  seats: () => [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 })),
  rules,
  async referee(table, _config, { moveMs }) {
    for (const { id } of table.seats) table.ask({ post: { seat: id, body: 0 }, message: 'number?', limitMs: moveMs })
    while (rules.outcome(table.state) === null) {
      const arrival = await table.next(moveMs)
      if (arrival === 'time' || arrival.type !== 'answer') throw new Error('a player of the toy has failed')
      table.commit({ seat: arrival.post.seat, number: arrival.value }, 'public')
    }
  },
  script: { adapter: '' },
  contests: {
    formats: [pods],
    points: ({ places }) => places.map(({ rank }) => (rank === 1 ? 3 : 0)),
    counts: [{ id: 'highs', label: 'High', of: ({ high }) => (high === true ? 1 : 0) }],
  },
}
export const toy = eraseGame(game)

/** A contest of the toy whose entrants say these numbers, in their order. */
export function toyContest(numbers: readonly number[], settings: Json = {}) {
  const agents = new Map(numbers.map((number) => [sha256(String(number)), String(number)]))
  const description: ContestDescription = contestDescription.parse({
    title: 'Pods',
    game: toy.id,
    format: { type: 'game', name: 'pods', settings },
    seed: 'toy',
    sample: 0,
    entrants: numbers.map((number) => ({ name: `says ${number}`, agent: sha256(String(number)) })),
  })
  return { description, agents }
}

/** A worker that plays the toy in this process. */
export const toyWorker = (): WorkerProcess => workerIn(toy, (code) => Number(code))

/**
 * A worker that plays a game in this process: a referee at a real table, recorded as matches are. `answer`: what an agent with
 * this code says whenever it is asked.
 */
export function workerIn(game: ErasedGame, answer: (code: AgentCode | undefined) => Json): WorkerProcess {
  let setup: ContestSetup | null = null
  let killed = false
  const codes = new Map<string, AgentCode>()
  const listeners = { report: (_: WorkerReport): void => undefined, exit: (_: string): void => undefined }
  const report = (told: WorkerReport): void => {
    setImmediate(() => {
      if (!killed) listeners.report(told)
    })
  }
  return {
    pid: undefined,
    send(command) {
      if (command.type === 'contest') {
        setup = command.setup
        report({ type: 'ready' })
      } else if (command.type === 'agent') codes.set(command.agent, command.code)
      else if (command.type === 'play') {
        void conductMatch({
          setup: setup!,
          job: command.job,
          game,
          seatPlayer: ({ agent }, _seedOf, emit) => inProcessPlayer(() => answer(codes.get(agent)), emit),
          report,
        })
      }
    },
    onReport(listener) {
      listeners.report = listener
    },
    onExit(listener) {
      listeners.exit = (how) => listener(how, '')
    },
    kill() {
      killed = true
      setImmediate(() => listeners.exit('signal SIGKILL'))
    },
  }
}
