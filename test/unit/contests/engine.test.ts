import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { playMatches } from '../../../main/services/contests/engine/engine.ts'
import type { RunsInPlay } from '../../../main/contract/game/live-match.ts'
import type { Ticket, Tickets } from '../../../main/services/contests/engine/ticket.ts'
import { launchWorker } from '../../../main/services/machine/worker-process.ts'
import type { FinishedMatch } from '../../../main/contract/contests/finished-match.ts'
import type { Json } from '../../../main/contract/json.ts'
import { limits } from '../../../main/contract/limits.ts'
import type { ByteTransport, SeatTransport } from '../../../main/contract/players/seat-transport.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { refusal } from '../../refusal.ts'

const WORKER = join(import.meta.dirname, 'fixtures', 'toy-worker.mjs')
let marks: string

beforeEach(() => {
  marks = temporaryFolder('engine')
})

interface Played {
  readonly finished: FinishedMatch[]
  readonly voids: string[]
  readonly lines: string[]
  /** Runs that were reported finished before their lines were on disk. */
  readonly early: number[]
}

interface Interference {
  /** Matches after which the contest is stopped. */
  readonly stopAfter?: number
  /** Workers that are killed as soon as they have been started. */
  readonly killed?: number
  /** Matches that are played once, whatever comes of it. */
  readonly once?: readonly number[]
  readonly seatTransport?: SeatTransport
  readonly byteTransport?: ByteTransport
  readonly runsInPlay?: RunsInPlay
  onFinished?(match: number): void
  /** By match: who can be in one match at a time only. */
  readonly engaged?: (match: number) => readonly string[] | undefined
  /** Absent: the list is complete from the start. */
  readonly growing?: NonNullable<Tickets['growing']> & { length(): number }
}

/** Plays matches 0 to count - 1 on real child processes that follow `script`. */
async function play(
  count: number,
  script: { [key: string]: Json },
  { stopAfter = Infinity, killed = 0, once = [], ...more }: Interference = {},
): Promise<Played> {
  const { seatTransport, byteTransport, runsInPlay, engaged, onFinished, growing } = more
  const played: Played = { finished: [], voids: [], lines: [], early: [] }
  const abort = new AbortController()
  let run = 0
  let onDisk = 0
  let launched = 0
  const all = Array.from({ length: count }, (_, match): Ticket => ({
    match,
    attempt: 1,
    seed: 'a'.repeat(64),
    entrants: [],
    ...(once.includes(match) ? { noRetry: true } : {}),
    ...(engaged?.(match) === undefined ? {} : { engaged: engaged(match)! }),
  }))
  const list = {
    get length() {
      return growing?.length() ?? all.length
    },
    at: (index: number) => all[index],
    ...(growing === undefined ? {} : { growing }),
  }
  await playMatches({
    setup: {
      contest: 'toy-1',
      contestHash: '0'.repeat(64),
      configHash: '0'.repeat(64),
      game: 'toy',
      config: { ...script, marks },
      limits: limits.parse({}),
      isolation: 'none',
      clock: 'frozen',
      seeds: 'hmac',
      lanes: 1,
    },
    tickets: list,
    workers: 2,
    agents: new Map(),
    launch() {
      const worker = launchWorker(process.execPath, WORKER)
      if (launched++ < killed) worker.kill()
      return worker
    },
    openRun: () => ({ run: run++, nonce: 'b'.repeat(64) }),
    append: (text) => void played.lines.push(text.trim()),
    async commit() {
      const upTo = played.lines.length
      await new Promise((resolve) => setImmediate(resolve))
      onDisk = Math.max(onDisk, upTo)
    },
    onFinished(match) {
      const end = played.lines.lastIndexOf(`end ${String(match.match)} ${String(match.attempt)}`)
      if (end < 0 || end >= onDisk) played.early.push(match.run)
      played.finished.push(match)
      onFinished?.(match.match)
      if (played.finished.length === stopAfter) abort.abort()
    },
    onVoid: (ticket, reason) => void played.voids.push(`${String(ticket.match)} ${String(ticket.attempt)} ${reason}`),
    ...(seatTransport === undefined ? {} : { seatTransport }),
    ...(byteTransport === undefined ? {} : { byteTransport }),
    ...(runsInPlay === undefined ? {} : { runsInPlay }),
    signal: abort.signal,
  })
  return played
}

const matchesOf = ({ finished }: Played): number[] => finished.map(({ match }) => match).sort((a, b) => a - b)
const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

test('every match is finished once, and only when its lines are on disk', async () => {
  const played = await play(40, {})
  expect(matchesOf(played)).toEqual(upTo(40))
  expect(played.early).toEqual([])
  expect(new Set(played.finished.map(({ run }) => run)).size).toBe(40)
})

test('a worker that is killed loses nothing and doubles nothing', async () => {
  const played = await play(30, { die: { 0: 1, 3: 3, 17: 2, 29: 1 } })
  expect(matchesOf(played)).toEqual(upTo(30))
  expect(played.lines.filter((line) => line === 'start 3 1').length).toBeGreaterThanOrEqual(4)
  expect(played.lines.filter((line) => line.startsWith('end'))).toHaveLength(30)
})

test('an interrupted match is played again as the same attempt', async () => {
  const played = await play(5, { interrupt: { 2: 2 } })
  expect(matchesOf(played)).toEqual(upTo(5))
  expect(played.finished.find(({ match }) => match === 2)?.attempt).toBe(1)
})

test('a void match is played again as the next attempt, three times at most', async () => {
  const played = await play(4, { void: { 1: 1, 2: 3 } })
  expect(matchesOf(played)).toEqual([0, 1, 3])
  expect(played.finished.find(({ match }) => match === 1)?.attempt).toBe(2)
  expect(played.voids.filter((line) => line.startsWith('2 '))).toEqual([
    '2 1 The machine stood still.',
    '2 2 The machine stood still.',
    '2 3 The machine stood still.',
  ])
})

test('a match that is never left alone is void, and the others go on', async () => {
  const played = await play(40, { interrupt: { 1: 99 } })
  expect(matchesOf(played)).toEqual(upTo(40).filter((match) => match !== 1))
  expect(played.voids).toEqual(['1 3 it was interrupted 30 times. A player was killed.'])
  expect(played.lines.filter((line) => line.startsWith('void'))).toEqual(['void 1 3'])
})

test('an agent whose process is killed in every run crashes, and the contest goes on', async () => {
  const all = Object.fromEntries(upTo(20).map((match) => [match, 99]))
  const played = await play(20, { kill: all })
  // Far more interruptions in a row than end a contest.
  expect(matchesOf(played)).toEqual(upTo(20))
  expect(played.voids).toEqual([])
  for (const match of upTo(20)) expect(played.lines.filter((line) => line === `start ${match} 1`)).toHaveLength(9)
})

test('a match that is played once is void after one attempt, whatever has spoilt it', async () => {
  const script = { void: { 0: 1 }, interrupt: { 1: 1 }, die: { 2: 1 } }
  const played = await play(5, script, { once: [0, 1, 2, 3] })
  expect(matchesOf(played)).toEqual([3, 4])
  expect(played.voids.sort()).toEqual([
    '0 1 The machine stood still.',
    '1 1 it was interrupted. A player was killed.',
    expect.stringMatching(/^2 1 it was interrupted\. A match worker ended/) as string,
  ])
})

test('what is said to a remote player is carried, and its answer comes back to the same match', async () => {
  const called: unknown[] = []
  const played = await play(
    4,
    { remote: [1, 3] },
    {
      seatTransport(call, hear) {
        called.push(call)
        hear({ type: 'said', value: 'go on' })
      },
    },
  )
  expect(matchesOf(played)).toEqual(upTo(4))
  expect(called).toEqual([{ type: 'seat' }, { type: 'seat' }])
  expect(played.lines.filter((line) => line.startsWith('heard')).sort()).toEqual([
    'heard 1 {"seat":0,"body":0} {"type":"said","value":"go on"}',
    'heard 3 {"seat":0,"body":0} {"type":"said","value":"go on"}',
  ])
})

test('a watcher is told of every run when it begins and once when it ends, after its match is on disk', async () => {
  const begun = new Map<number, number>()
  const ended: number[] = []
  const finished = new Set<number>()
  /** Runs that ended while no run of their match was finished. */
  const unfinished: number[] = []
  const frames: number[] = []
  let hearing = (): void => undefined
  const byNumber = (a: number, b: number): number => a - b
  const script = { watchable: true, die: { 3: 2 }, interrupt: { 5: 2 }, void: { 7: 1 }, remote: [9] }
  const played = await play(12, script, {
    onFinished: (match) => finished.add(match),
    // The match is played on until a frame of it has come.
    seatTransport(_call, hear) {
      hearing = () => hear({ type: 'joined' })
    },
    runsInPlay: {
      begun({ run, match, game, config }, watch) {
        expect([game, config]).toMatchObject(['toy', { watchable: true }])
        begun.set(run, match)
        if (match === 9) watch(true)
      },
      frame(run) {
        frames.push(run)
        hearing()
      },
      ended(run) {
        if (!finished.has(begun.get(run)!)) unfinished.push(run)
        ended.push(run)
      },
    },
  })
  expect(matchesOf(played)).toEqual(upTo(12))
  expect(ended.toSorted(byNumber)).toEqual([...begun.keys()].toSorted(byNumber))
  // A run that ends unfinished was interrupted, or its worker died: its match was finished by another run.
  const counted = played.finished.map(({ run }) => run)
  expect(unfinished.filter((run) => counted.includes(run))).toEqual([])
  // Each run that was interrupted, died or was void has begun as well.
  for (const [match, runs] of [
    [3, 3],
    [5, 3],
    [7, 2],
  ] as const)
    expect([...begun.values()].filter((each) => each === match).length).toBeGreaterThanOrEqual(runs)
  // A worker that dies over match 3 can take match 9 with it, which is then watched again.
  expect(new Set(frames.map((run) => begun.get(run)))).toEqual(new Set([9]))
  expect(frames.filter((run) => counted.includes(run))).toHaveLength(1)
})

test('an entrant that has one connection is in one match at a time; others do not wait for it', async () => {
  // A match of anna's or bob's ends a while after others have gone by.
  const waiting: (() => void)[] = []
  let most = 0
  const playing = new Map<string, number>()
  const by = (match: number): string | undefined => [undefined, 'anna', 'bob', 'anna'][match % 4]
  const played = await play(
    40,
    { lines: upTo(40).filter((match) => by(match) !== undefined) },
    {
      engaged: (match) => (by(match) === undefined ? undefined : [by(match)!]),
      byteTransport({ entrant }, call, hear) {
        const now = (playing.get(entrant) ?? 0) + 1
        playing.set(entrant, now)
        most = Math.max(most, now)
        expect(call).toEqual({ type: 'open' })
        waiting.push(() => {
          playing.set(entrant, playing.get(entrant)! - 1)
          hear({ type: 'up', link: 1 })
        })
        setTimeout(() => waiting.shift()?.(), 5)
      },
    },
  )
  expect(matchesOf(played)).toEqual(upTo(40))
  expect(most).toBe(1)
  expect(playing.size).toBe(2)
})

test('when somebody is free again, all workers that have waited for that go on', async () => {
  // Match 0 ends when 4 and 5 have shown that both workers are there, one of which has nothing to do then.
  const names: Record<number, readonly string[]> = {
    0: ['anna', 'bob', 'carla'],
    1: ['anna'],
    2: ['bob'],
    3: ['carla'],
  }
  // By run: match 0 is handed out first.
  const open = new Map<number, () => void>()
  const end = (runs: readonly number[]): void => runs.forEach((run) => open.get(run)!())
  const over = new Set<number>()
  const played = await play(
    6,
    { lines: upTo(6) },
    {
      engaged: (match) => names[match],
      byteTransport({ run }, _call, hear) {
        open.set(run, () => hear({ type: 'up', link: 1 }))
        if (open.size === 3) end([1, 2])
        // One worker takes two of the three that follow match 0; none of them ends without the others.
        if (open.size === 6) end([3, 4, 5])
      },
      onFinished(match) {
        over.add(match)
        if (over.size === 2) end([0])
      },
    },
  )
  expect(matchesOf(played)).toEqual(upTo(6))
  expect([...over].slice(0, 3).sort()).toEqual([0, 4, 5])
})

test('an entrant that is engaged in a match whose worker dies is free for the next', async () => {
  const engaged = (): readonly string[] => ['anna']
  const played = await play(6, { die: { 0: 1, 3: 1 } }, { engaged, once: upTo(6) })
  expect(matchesOf(played)).toEqual([1, 2, 4, 5])
})

test('matches that are added while others are played are played too, until nothing more can come', async () => {
  let length = 0
  let open = true
  let listener = (): void => undefined
  const add = (more: number): void => {
    length += more
    listener()
  }
  const played = await play(
    7,
    { die: { 4: 1 } },
    {
      growing: {
        length: () => length,
        open: () => open,
        onChange(hear) {
          listener = hear
          // Nothing waits yet, and nobody has been started for it.
          setImmediate(() => add(3))
        },
      },
      onFinished() {
        const now = length
        setImmediate(() => {
          if (now < 7) add(now < 6 ? 3 : 1)
          else if (open) {
            open = false
            listener()
          }
        })
      },
    },
  )
  expect(matchesOf(played)).toEqual(upTo(7))
})

test('a machine on which no match can be finished ends the contest in words', async () => {
  const all = Object.fromEntries(upTo(8).map((match) => [match, 99]))
  await expect(play(8, { interrupt: all })).rejects.toThrow(refusal('match-failed', 'A player was killed.'))
})

test('workers that cannot start are told of, with what they said', async () => {
  await expect(play(3, { mute: true })).rejects.toThrow(
    'A match worker ended (exit code 1). Its error output: no room at the inn',
  )
})

test('workers that somebody kills before they are ready are started again, but not for ever', async () => {
  expect(matchesOf(await play(3, {}, { killed: 10 }))).toEqual(upTo(3))
  await expect(play(3, {}, { killed: Infinity })).rejects.toThrow(refusal('match-failed', 'SIGKILL'))
})

test('the signal stops it soon, with what was finished kept', async () => {
  const played = await play(1_000, {}, { stopAfter: 7 })
  expect(played.finished).toHaveLength(7)
})
