import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { MatchFacts } from '../../main/contract/history.ts'
import type { Outcome } from '../../main/contract/outcome.ts'
import { hashOf } from '../../main/histories/canonical.ts'
import { generateKey, signingKey, type SigningKey } from '../../main/histories/keys.ts'
import { openSegments } from '../../main/histories/open.ts'
import { newNonce } from '../../main/histories/nonce.ts'
import { createRecorder } from '../../main/histories/recorder.ts'
import type { SegmentWriter } from '../../main/histories/writer.ts'
import { withFolder } from './folder.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 7
/** Events a measurement, and how many of them share a sync. */
const EVENTS = 50_000
const EVENTS_A_GROUP = 5_000
/** Trivial matches a measurement: a header, an input, an outcome. As many share a sync as end while one is under way. */
const MATCHES = 20_000
const MATCHES_A_TURN = 100
/** Matches with a file and a sync of their own; few, as they are slow. */
const LONE_MATCHES = 300

export const histories: Bench = {
  name: 'histories',
  measure: () => withFolder(async (folder) => [await events(folder), await matches(folder)]),
}

/** One long match: its events recorded, chained, sealed and synced; against the very same bytes, appended and synced. */
async function events(folder: string): Promise<Row> {
  const record = async (writer: SegmentWriter): Promise<readonly string[]> => {
    const recorder = recorderOf(1)
    const groups: string[] = []
    for (let event = 1; event <= EVENTS; event++) {
      recorder.input(event / 8, 'public', inputOf(event))
      if (event % EVENTS_A_GROUP !== 0) continue
      const text = recorder.lines()
      groups.push(text)
      writer.append(text)
      await writer.commit()
    }
    return groups
  }
  const groups = await withWriter(folder, record)
  const { first, second } = await mediansOf(
    ROUNDS,
    () => withWriter(folder, (writer) => rate(EVENTS, () => record(writer))),
    () => withFile(folder, (append) => rate(EVENTS, () => inOrder(groups, append))),
  )
  return rowOf(
    {
      name: `histories, events written, ${EVENTS_A_GROUP.toLocaleString('en')} a sync`,
      value: first,
      unit: 'events/s',
    },
    { name: 'the same text appended and synced alike', value: second, unit: 'events/s' },
  )
}

/** Many short matches at once, each waiting for its group; against a file and a sync for each. */
async function matches(folder: string): Promise<Row> {
  const playAll = async (writer: SegmentWriter): Promise<void> => {
    const ended: Promise<void>[] = []
    for (let match = 1; match <= MATCHES; match++) {
      writer.append(matchText(match))
      ended.push(writer.commit())
      // Matches end in different turns of the event loop, in which the writer has its say.
      if (match % MATCHES_A_TURN === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(ended)
  }
  const playLone = async (): Promise<void> => {
    for (let match = 1; match <= LONE_MATCHES; match++) {
      await withFile(folder, (append) => append(matchText(match)))
    }
  }
  const { first, second } = await mediansOf(
    ROUNDS,
    () => withWriter(folder, (writer) => rate(MATCHES, () => playAll(writer))),
    () => rate(LONE_MATCHES, playLone),
  )
  return rowOf(
    { name: 'histories, trivial matches, synced in groups', value: first, unit: 'matches/s' },
    { name: 'a file and a sync a match', value: second, unit: 'matches/s' },
    { of: 'value', atLeast: 50_000 },
  )
}

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

const recorderOf = (run: number) => createRecorder({ run, facts: { ...facts, match: run }, seed, nonce: newNonce() })

/** A turn of the kind that histories are full of. */
const inputOf = (event: number) => ({
  type: 'turn',
  seat: event % 2,
  actions: [{ type: 'accept', challenge: event }],
})

function matchText(match: number): string {
  const recorder = recorderOf(match)
  recorder.input(1.5, 'public', inputOf(match))
  recorder.finish(2.25, outcome, { sum: match })
  return recorder.lines()
}

const key = newKey()

function newKey(): SigningKey {
  const made = signingKey(generateKey())
  if (made === null) throw new Error('no key could be made')
  return made
}

let folders = 0

async function withWriter<T>(folder: string, work: (writer: SegmentWriter) => Promise<T>): Promise<T> {
  const dir = join(folder, `contest-${++folders}`)
  const opened = await openSegments({ dir, contest: 'bench-1', key, blobs: ['description', 'config'] })
  if (!opened.ok) throw new Error(opened.damage.message)
  try {
    return await work(opened.writer)
  } finally {
    await opened.writer.close()
  }
}

async function withFile<T>(folder: string, work: (append: (text: string) => Promise<void>) => Promise<T>): Promise<T> {
  const file = await open(join(folder, `plain-${++folders}`), 'wx')
  try {
    return await work(async (text) => {
      await file.write(text)
      await file.datasync()
    })
  } finally {
    await file.close()
  }
}

async function inOrder(texts: readonly string[], append: (text: string) => Promise<void>): Promise<void> {
  for (const text of texts) await append(text)
}
