import type { MatchFacts } from '../../main/contract/histories/history.ts'
import type { Outcome } from '../../main/contract/game/outcome.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { newNonce } from '../../main/histories/nonce.ts'
import { createRecorder, type Recorder } from '../../main/histories/recorder.ts'

const facts: MatchFacts = {
  contest: 'bench-1',
  match: 0,
  attempt: 1,
  game: 'specker',
  version: 1,
  config: hashOf('config'),
  description: hashOf('description'),
  seats: [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1, name: `player ${id}`, agent: hashOf(id) })),
  limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
  isolation: 'bubblewrap',
  clock: 'frozen',
  host: { node: process.version, platform: 'linux x64', cores: 2 },
}
const outcome: Outcome = {
  places: [0, 1].map((seat) => ({ seat, rank: seat + 1, score: 1 - seat, removed: false })),
}
const seed = hashOf('seed')

export const recorderOf = (run: number): Recorder =>
  createRecorder({ run, facts: { ...facts, match: run }, seed, nonce: newNonce() })

/** A turn of the kind that histories are full of. */
export const inputOf = (event: number) => ({
  type: 'turn',
  seat: event % 2,
  actions: [{ type: 'accept', challenge: event }],
})

/** The history of a trivial match: a header, an input, an outcome. */
export function matchText(match: number): string {
  const recorder = recorderOf(match)
  recorder.input(1.5, 'public', inputOf(match))
  recorder.finish(2.25, outcome, { sum: match })
  return recorder.lines()
}
