import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hashOf } from '../../main/histories/canonical.ts'
import { passingKey } from '../../main/histories/keys.ts'
import { createRecorder } from '../../main/histories/recorder.ts'
import { openSegments } from '../../main/histories/segments/writer.ts'
import type { MatchFacts } from '../../main/contract/histories/history.ts'
import type { Json } from '../../main/contract/json.ts'
import { config } from '../../main/referees/haggle/config.ts'
import { createContestRecords } from '../../main/services/record/contest-record.ts'
import { games } from '../../main/referees/games.ts'
import { withFolder } from './folder.ts'
import { rowOf, type Bench, type Row } from './row.ts'

/** Demands of a session, the most that the game permits but for the acceptance at the end. */
const TURNS = 19
/** A million events. */
const SESSIONS = 50_000
/** Sessions whose lines are written at a time, alternating. */
const AT_A_TIME = 50

/** A million events become a database: in how many seconds, and with how much memory. */
export const mine: Bench = {
  name: 'mine',
  onlyByName: true,
  measure: () =>
    withFolder(async (folder) => {
      const key = passingKey()
      const contest = 'bench-1'
      const dir = join(folder, contest)
      await recordSessions(dir, contest, key)
      const parsed = await parseLines(dir)
      const records = createContestRecords()
      try {
        const place = { contest, game: 'haggle', folder: dir, key: key.publicKey, store: dir }
        const peak = watchMemory()
        const start = performance.now()
        const { added } = await records.refresh(place, true)
        const seconds = (performance.now() - start) / 1_000
        const megabytes = peak()
        const ask = async (sql: string): Promise<number> => {
          const asked = performance.now()
          await records.ask(place, { sql }, { offset: 0, rowsMax: 1_000, cellMax: null })
          return performance.now() - asked
        }
        const answered = await ask('SELECT agent, own_turn, avg(own) FROM demands GROUP BY agent, own_turn')
        const counted = await ask('SELECT count(*) FROM demands')
        return rows(added.events, { seconds, megabytes, answered, counted, parsed })
      } finally {
        records.close()
      }
    }),
}

interface Measured {
  readonly seconds: number
  readonly megabytes: number
  /** ms of a query that groups all demands, and of one that counts them. */
  readonly answered: number
  readonly counted: number
  readonly parsed: Parsed
}

function rows(events: number, { seconds, megabytes, answered, counted, parsed }: Measured): readonly Row[] {
  const amount = events.toLocaleString('en')
  return [
    rowOf(
      { name: `mine, ${amount} events into a database`, value: seconds, unit: 's' },
      { name: 'parsing all lines as JSON', value: parsed.seconds, unit: 's' },
      { of: 'value', below: 30 },
    ),
    rowOf(
      { name: 'mine, memory of that process', value: megabytes, unit: 'MB' },
      { name: 'the histories', value: parsed.megabytes, unit: 'MB' },
      { of: 'value', below: 300 },
    ),
    rowOf(
      { name: 'mine, a query that groups all demands', value: answered, unit: 'ms' },
      { name: 'one that counts them', value: counted, unit: 'ms' },
    ),
  ]
}

interface Parsed {
  readonly seconds: number
  readonly megabytes: number
}

/** Parses each line of a contest's histories, as the least that reading them costs. */
async function parseLines(dir: string): Promise<Parsed> {
  const start = performance.now()
  let bytes = 0
  for (const name of readdirSync(dir).filter((each) => each.endsWith('.jsonl'))) {
    for await (const line of createInterface({ input: createReadStream(join(dir, name)) })) {
      JSON.parse(line)
      bytes += line.length + 1
    }
  }
  return { seconds: (performance.now() - start) / 1_000, megabytes: bytes / 1_000_000 }
}

async function recordSessions(dir: string, contest: string, key: ReturnType<typeof passingKey>): Promise<void> {
  const game = games.get('haggle')!
  const settings = config.parse({ maxRounds: 10 })
  const description = { title: 'A million events', game: 'haggle' }
  const opened = await openSegments({ dir, contest, key, blobs: [description, { ...settings }] })
  if (!opened.ok) throw new Error(opened.damage.message)
  const seats = game.seats({ ...settings }, 2)
  if (typeof seats === 'string') throw new Error(seats)
  const facts: MatchFacts = {
    ...{ contest, match: 0, attempt: 1, game: 'haggle', version: game.version },
    ...{ config: hashOf(settings), description: hashOf(description) },
    seats: seats.map((seat) => ({ ...seat, name: `player ${seat.id}`, agent: hashOf(seat.id) })),
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
    ...{ isolation: 'none', clock: 'frozen', host: { node: process.version, platform: 'linux', cores: 2 } },
  }
  for (let first = 0; first < SESSIONS; first += AT_A_TIME) {
    const texts = Array.from({ length: AT_A_TIME }, (_, at) => sessionText(game, settings, seats, facts, first + at))
    const lines = texts.map((text) => text.split(/(?<=\n)/))
    for (let at = 0; at < lines[0]!.length; at++) for (const each of lines) opened.writer.append(each[at] ?? '')
    await opened.writer.commit()
  }
  await opened.writer.close()
}

function sessionText(
  game: NonNullable<ReturnType<typeof games.get>>,
  settings: object,
  seats: Exclude<ReturnType<typeof game.seats>, string>,
  facts: MatchFacts,
  match: number,
): string {
  const seed = hashOf(match)
  const recorder = createRecorder({ run: match + 1, facts: { ...facts, match }, seed, nonce: hashOf('nonce') })
  const replayer = game.fold({ ...settings } as Json, seats, seed)
  const apply = (at: number, input: Json): void => {
    const refusal = replayer.apply(input)
    if (refusal !== null) throw new Error(refusal)
    recorder.input(at, 'sealed', input)
  }
  for (let turn = 0; turn < TURNS; turn++)
    apply(turn * 2.5, { type: 'answer', seat: turn % 2, value: [turn % 2, 0, 0] })
  apply(TURNS * 2.5, { type: 'answer', seat: TURNS % 2, value: null })
  recorder.finish(TURNS * 2.5, replayer.outcome()!, replayer.save())
  return recorder.lines()
}

/** Watches the resident memory of the processes that this one starts; returns how to learn its peak in MB. */
function watchMemory(): () => number {
  let peak = 0
  const timer = setInterval(() => {
    for (const child of childrenOf(process.pid)) peak = Math.max(peak, residentOf(child))
  }, 100)
  return () => {
    clearInterval(timer)
    return peak
  }
}

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number)
}

/** In MB; 0: it has ended. */
function residentOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024
  } catch {
    return 0
  }
}
