import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import type { Game, Rules } from '../../../main/contract/game/game.ts'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent } from '../../../main/contract/procedures/procedures.ts'
import { readMatch } from '../../../main/worker/read-match.ts'
import type { ReadReport } from '../../../main/worker/protocol.ts'
import { foldStretch, type Reader } from '../../../renderer/games/fold.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** Two walk on a map, which is in the config and nowhere else: what is saved of a state is where they are. */
const config = z.strictObject({ map: z.array(z.string()) })
const input = z.strictObject({ seat: z.int().min(0).max(1), to: z.int().min(0) })
type Config = z.infer<typeof config>
type Input = z.infer<typeof input>
interface State {
  readonly map: readonly string[]
  readonly places: number[]
}
const rules: Rules<Config, State, Input, Json> = {
  initial: ({ map }, seats) => ({ map, places: seats.map(() => 0) }),
  apply(state, { seat, to }) {
    if (to >= state.map.length) return 'there is no such place'
    state.places[seat] = to
    return null
  },
  view: ({ map, places }) => places.map((place) => map[place]!),
  save: ({ places }) => ({ places: [...places] }),
  load: (saved, { map }, seats) => {
    const { places } = saved as { readonly places: readonly number[] }
    return { map, places: seats.map(({ id }) => places[id]!) }
  },
  outcome: () => null,
}
const walk = eraseGame({
  id: 'walk',
  title: 'A walk',
  version: 1,
  config,
  input,
  answer: z.json(),
  seats: () => [],
  rules,
  referee: () => Promise.resolve(),
  script: { adapter: '' },
} satisfies Game<Config, State, Input, Json, Json, Json>)

const folder = temporaryFolder('read')

const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'walker', bodies: 1 }))
const start = { config: { map: Array.from({ length: 50 }, (_, at) => `place ${at}`) }, seats, seed: '0'.repeat(64) }

/** The worker's report on a history with these events' bodies. */
async function read(bodies: readonly object[]): Promise<ReadReport[]> {
  const path = join(folder, 'history.jsonl')
  const text = bodies.map((b, n) => `${JSON.stringify({ b: { at: n, ...b, n, r: 1 }, h: '0'.repeat(64) })}\n`).join('')
  writeFileSync(path, text)
  const reports: ReadReport[] = []
  const place = { run: null, stretches: [{ path, from: 0, to: Buffer.byteLength(text) }] }
  await readMatch(walk, { place, grows: false, game: 'walk', version: 1, ...start }, (report) => {
    reports.push(report)
    return Promise.resolve()
  })
  expect(reports.at(-1)).toEqual({ type: 'end', broken: null })
  return reports
}

test('a saved state without its map is loaded with the map of the config, by the window that goes on from there', async () => {
  const inputs = Array.from({ length: 600 }, (_, at) => ({ seat: at % 2, to: (at * 7) % 50 }))
  const reports = await read(inputs.map((each) => ({ k: 'input', audience: 'public', input: each })))
  const saved = reports.flatMap((report) => (report.type === 'state' ? [report] : []))
  expect(saved.map(({ position }) => position)).toEqual([256, 512])
  expect(saved.map(({ text }) => text)).not.toContainEqual(expect.stringContaining('place 1'))

  const events = inputs.map((each, n): MatchEvent => ({ n, at: n, kind: 'input', input: each }))
  const reader: Reader<State, string, null> = { before: () => null, after: ({ map, places }) => map[places[0]!]! }
  const whole = foldStretch(rules, start, 'public', reader, 0, null, events)
  for (const { position, text } of saved) {
    const state = JSON.parse(text) as Json
    const later = foldStretch(rules, start, 'public', reader, position, state, events.slice(position))
    expect(later.broken).toBeNull()
    expect(later.digests).toEqual(whole.digests.slice(position))
    for (const at of [position, 599, 600]) expect(later.viewAt(at)).toEqual(whole.viewAt(at))
  }
})

test('events that not everybody could read are reported with who could; a console line and a fault are their own team’s', async () => {
  const step = { k: 'input', input: { seat: 0, to: 1 } }
  const post = { seat: 1, body: 0 }
  const reports = await read([
    { ...step, audience: 'public' },
    { ...step, audience: [0] },
    { k: 'console', post, stream: 'console', text: 'here' },
    { ...step, audience: 'sealed' },
    { k: 'fault', post, question: null, fault: { kind: 'timeout', text: 'late' } },
  ])
  expect(reports.flatMap((report) => (report.type === 'events' ? report.restricted : []))).toEqual([
    { event: 1, audience: [0] },
    { event: 2, audience: [1] },
    { event: 3, audience: 'sealed' },
    { event: 4, audience: [1] },
  ])
})
