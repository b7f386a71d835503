import { fork } from 'node:child_process'
import { open } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { generateKey, signingKey, type SigningKey } from '../../main/histories/keys.ts'
import { openSegments, type SegmentWriter } from '../../main/histories/segments/writer.ts'
import { withFolder } from './folder.ts'
import { inputOf, matchText, recorderOf } from './match-text.ts'
import { mediansOf, rate } from './measure.ts'
import { rowOf, type Bench, type Row } from './row.ts'

const ROUNDS = 15
/** Events a measurement, and how many of them share a sync. */
const EVENTS = 50_000
const EVENTS_A_GROUP = 5_000
/** Trivial matches a measurement, and how many a worker sends at once. As many share a sync as end while one is under way. */
const MATCHES = 20_000
const MATCHES_AT_ONCE = 100
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

/** Many short matches, recorded by a worker on each core and written here, each waiting for its group; against a file and a sync for each. */
async function matches(folder: string): Promise<Row> {
  const cores = availableParallelism()
  const workers = Array.from({ length: cores }, startRecording)
  const playAll = async (writer: SegmentWriter): Promise<void> => {
    let next = 1
    const ended: Promise<void>[] = []
    const keepBusy = async (record: Recording): Promise<void> => {
      while (next <= MATCHES) {
        const from = next
        next += MATCHES_AT_ONCE
        for (const text of await record(from, next)) {
          writer.append(text)
          ended.push(writer.commit())
        }
      }
    }
    // A worker has its next matches ahead, and waits for no sync.
    await Promise.all([...workers, ...workers].map(({ record }) => keepBusy(record)))
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
  for (const { end } of workers) end()
  return rowOf(
    { name: `histories, trivial matches, synced in groups, ${cores} cores`, value: first, unit: 'matches/s' },
    { name: 'a file and a sync a match', value: second, unit: 'matches/s' },
    { of: 'value', atLeast: 50_000 },
  )
}

/** Resolves to the histories of the matches `from` to `to`, without the last. Asked twice, a worker answers in that order. */
type Recording = (from: number, to: number) => Promise<readonly string[]>

function startRecording(): { readonly record: Recording; end(): void } {
  const worker = fork(new URL('./recording-worker.ts', import.meta.url), { serialization: 'advanced' })
  const asked: ((texts: readonly string[]) => void)[] = []
  worker.on('message', (texts) => asked.shift()?.(texts as readonly string[]))
  return {
    record(from, to) {
      worker.send({ from, to })
      return new Promise((resolve) => asked.push(resolve))
    },
    end: () => worker.disconnect(),
  }
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
