import * as z from 'zod'
import type { Game, ErasedGame } from '../../../main/contract/game/game.ts'
import type { Seat } from '../../../main/contract/game/table.ts'
import type { MatchFacts } from '../../../main/contract/histories/history.ts'
import type { ToolchainVersions } from '../../../main/contract/players/toolchains.ts'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { Outcome } from '../../../main/contract/game/outcome.ts'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { generateKey, signingKey, type SigningKey } from '../../../main/histories/keys.ts'
import { openSegments, type OpenSegments } from '../../../main/histories/segments/writer.ts'
import { createRecorder, type Recorder } from '../../../main/histories/recorder.ts'

/** Seats add numbers in turn to a sum that starts from the seed; whoever reaches `goal` first wins. */
interface Sum {
  goal: number
  start: number
  sums: number[]
}

const game: Game<{ goal: number }, Sum, { seat: number; add: number; note?: string | undefined }, Json, number, Json> =
  {
    id: 'toy',
    title: 'Toy',
    version: 3,
    config: z.strictObject({ goal: z.int().default(10) }),
    input: z.strictObject({ seat: z.int(), add: z.int().min(1), note: z.string().optional() }),
    answer: z.int(),
    seats: (_config, entrants) =>
      Array.from({ length: entrants }, (_, id) => ({ id, entrant: id, role: 'adder', bodies: 1 })),
    rules: {
      initial: ({ goal }, seats, seed) => {
        const start = parseInt(seed.slice(0, 2), 16) % 3
        return { goal, start, sums: seats.map(() => start) }
      },
      apply(state, { seat, add }) {
        const sum = state.sums[seat]
        if (sum === undefined) return `there is no seat ${seat}`
        if (state.sums.some((each) => each >= state.goal)) return 'the match is over'
        state.sums[seat] = sum + add
        return null
      },
      view: (state) => ({ sums: state.sums }),
      save: (state) => ({ ...state }),
      load: (saved) => structuredClone(saved) as unknown as Sum,
      outcome: ({ goal, sums }) =>
        sums.some((sum) => sum >= goal)
          ? {
              places: sums.map((score, seat) => ({ seat, rank: score >= goal ? 1 : 2, score, removed: false })),
            }
          : null,
    },
    referee: () => Promise.reject(new Error('the toy is never conducted')),
    script: { adapter: '() => () => undefined' },
  }

const toy: ErasedGame = eraseGame(game)
export const games = (id: string): ErasedGame | undefined => (id === 'toy' ? toy : undefined)

export const config = { goal: 10 }
const description = { title: 'A toy contest', game: 'toy', entrants: ['alice', 'bob'] }
export const blobs: readonly Json[] = [description, config]
const seed = sha256('seed')
export const nonce = sha256('nonce')
const seats: readonly Seat[] = [0, 1].map((id) => ({ id, entrant: id, role: 'adder', bodies: 1 }))

function facts(match: number, attempt = 1, toolchains?: ToolchainVersions): MatchFacts {
  return {
    contest: 'toy-1',
    match,
    attempt,
    game: 'toy',
    version: 3,
    config: hashOf(config),
    description: hashOf(description),
    seats: seats.map((seat, id) => ({ ...seat, name: ['alice', 'bob'][id]!, agent: sha256(`agent ${id}`) })),
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
    isolation: 'none',
    clock: 'frozen',
    host: { node: 'v26.10.0', platform: 'linux', cores: 2, ...(toolchains && { toolchains }) },
  }
}

export function recorderOf(match: number, run: number, attempt = 1, toolchains?: ToolchainVersions): Recorder {
  return createRecorder({ run, facts: facts(match, attempt, toolchains), seed, nonce, secret: `secret ${run}` })
}

/** Plays a match of `turns` inputs before the winning one; returns its text. */
export function playToy(
  match: number,
  run: number,
  options: { turns?: number; attempt?: number; toolchains?: ToolchainVersions } = {},
): string {
  const recorder = recorderOf(match, run, options.attempt, options.toolchains)
  const fold = toy.fold(config, seats, seed)
  const enter = (at: number, audience: 'public' | 'sealed' | number[], input: Json): void => {
    const refusal = fold.apply(input)
    if (refusal !== null) throw new Error(refusal)
    recorder.input(at, audience, input)
  }
  enter(1, 'public', { seat: 0, add: 1 })
  enter(2.0004, [1], { seat: 1, add: 2, note: 'hidden \u001b[31m é 😀' })
  recorder.console(2.5, { seat: 1, body: 0 }, 'alice must not read this')
  for (let turn = 0; turn < (options.turns ?? 1); turn++) enter(3, 'sealed', { seat: turn % 2, add: 1 })
  recorder.checkpoint(() => fold.save())
  const fault = { kind: 'crash' as const, text: 'The agent stopped.', tookMs: 4, stderr: 'Error: at secret.js:1' }
  recorder.fault(4, { seat: 1, body: 0 }, 7, fault)
  enter(5, 'public', { seat: 0, add: 10 })
  recorder.finish(6, outcomeOf(fold.outcome()), fold.save())
  return recorder.lines()
}

function outcomeOf(outcome: Outcome | null): Outcome {
  if (outcome === null) throw new Error('the toy match is not over')
  return outcome
}

const pem = generateKey()

export function testKey(): SigningKey {
  const key = signingKey(pem)
  if (key === null) throw new Error('no key')
  return key
}

export function otherKey(): SigningKey {
  const key = signingKey(generateKey())
  if (key === null) throw new Error('no key')
  return key
}

export async function openToy(dir: string, key: SigningKey, segmentBytes?: number): Promise<OpenSegments> {
  const opened = await openSegments({
    dir,
    contest: 'toy-1',
    key,
    blobs,
    ...(segmentBytes === undefined ? {} : { segmentBytes }),
  })
  if (!opened.ok) throw new Error(opened.damage.message)
  return opened
}
