import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { openHaggleArenas, openSessions } from '../../../main/services/games/haggle/arena.ts'
import { defaultBounds } from '../../../main/services/contests/engine/open-ended-recordings.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { entries, play, type Played } from './client.ts'
import { half, hard, soft } from './scripts.ts'

let data: string
beforeEach(() => {
  data = temporaryFolder('recordings')
})

const onUnexpected = (error: unknown): void => {
  throw error
}
const md5 = (id: string): string => hash('md5', id)

interface Listed {
  readonly histories: readonly { readonly contest: string; readonly matches: number }[]
}
interface ListedMatches {
  readonly matches: readonly {
    readonly match: number
    readonly entrants: readonly string[]
    readonly outcome: { readonly agreed: boolean; readonly places: readonly { readonly score: number }[] }
  }[]
}

async function json<T>(...args: readonly string[]): Promise<T> {
  const { code, stdout, stderr } = await run(...args, '--data', data, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

test('a session that was played is a match in a signed history, with what its clients were told', async () => {
  const arenas = await openHaggleArenas({ host: '127.0.0.1', port: 0, proofBits: 0, data, onUnexpected })
  const meet = (name: string, [a, b]: readonly (typeof half)[]): Promise<Played[]> => {
    const url = `ws://${arenas.address}/${name}`
    return Promise.all([play({ url, id: 'ann:1', script: a! }), play({ url, id: 'bob:2', script: b! })])
  }
  const sessions = [await meet('standard_1s', [half, soft]), await meet('standard_1s', [hard, hard])]
  await meet('large', [half, half])
  // Recorded by the time that a client is closed.
  const { matches } = await json<ListedMatches>('history', 'list', 'haggle-standard-1s-1')
  await arenas.close()

  expect((await json<Listed>('history', 'list')).histories).toMatchObject([
    { contest: 'haggle-large-1', matches: 1 },
    { contest: 'haggle-standard-1s-1', matches: 2 },
  ])
  for (const [at, { match, entrants, outcome }] of matches.entries()) {
    expect(match).toBe(at)
    const told = sessions[at]!
    const ann = told[0]!.start!.me
    expect(entrants[ann]).toBe(md5('ann:1'))
    expect(entrants[1 - ann]).toBe(md5('bob:2'))
    expect(entries(told[0]!, 'score')).toEqual(outcome.places.map(({ score }, seat) => ['score', seat, score]))
    expect(entries(told[0]!, 'done')).toEqual([['done', outcome.agreed]])
  }

  const to = join(data, 'exported')
  await json('history', 'export', 'haggle-standard-1s-1', '--to', to)
  const files = readdirSync(to).filter((name) => name.endsWith('.jsonl'))
  const { code, stdout } = await run(
    ...['history', 'verify', ...files.map((name) => join(to, name))],
    ...['--key', join(data, 'keys', 'class.pub')],
  )
  expect(stdout).toMatch(/genuine, match 0 of haggle-standard-1s-1, 2 inputs replayed\n.*1 of .*, 10 inputs replayed\n/)
  expect(code).toBe(0)
  const shown = await run('history', 'show', join(to, files[0]!))
  expect(shown.stdout).not.toMatch(/ann:1|bob:2/)
})

test('recordings are bounded: a new one begins after a number of matches, and the newest are kept', async () => {
  const sessions = openSessions({
    name: 'test',
    settings: {},
    turnMs: null,
    data,
    bounds: { ...defaultBounds, recordings: 2, matches: 2 },
    onUnexpected,
  })
  // Nobody is there: both have lost their connections.
  const meet = (): ReturnType<typeof sessions.play> =>
    sessions.play([md5('a'), md5('b')], (_place, call, hear) => {
      if (call.type === 'open') hear({ type: 'down', link: 1, text: 'has not connected.' })
    })
  for (let n = 0; n < 7; n++) expect((await meet())!.places.map(({ removed }) => removed)).toContain(true)
  const kept = async (): Promise<unknown> => {
    const { histories } = await json<Listed>('history', 'list')
    return histories.map(({ contest, matches }) => [contest, matches])
  }
  await vi.waitFor(async () =>
    expect(await kept()).toEqual([
      ['haggle-test-3', 2],
      ['haggle-test-4', 1],
    ]),
  )
  await sessions.close()
  expect(await sessions.play([md5('a'), md5('b')], () => undefined)).toBeNull()
})

test('no more recordings stay open than are kept: the sessions that idle in the oldest one do not count', async () => {
  const bounds = { ...defaultBounds, recordings: 2, matches: 1 }
  const sessions = openSessions({ name: 'idle', settings: {}, turnMs: null, data, bounds, onUnexpected })
  const idle = async () => {
    const begun = Promise.withResolvers<undefined>()
    const over = sessions.play([md5('a'), md5('b')], () => begun.resolve(undefined))
    await begun.promise
    return { over }
  }
  const first = await idle()
  const second = await idle()
  // The first recording ends for the second one.
  expect(await first.over).toBeNull()
  await sessions.close()
  expect(await second.over).toBeNull()
})

test('a session whose worker is killed does not count, which is reported; the next one is played', async () => {
  const reported: string[] = []
  const sessions = openSessions({
    name: 'test',
    settings: {},
    turnMs: null,
    data,
    onUnexpected: (error, doing) => reported.push(`${doing}: ${String(error)}`),
  })
  const pids = workers()
  const killed = sessions.play([md5('a'), md5('b')], (_place, call) => {
    if (call.type !== 'open') return
    for (const pid of workers()) if (!pids.includes(pid)) process.kill(pid, 'SIGKILL')
  })
  expect(await killed).toBeNull()
  expect(reported).toEqual([expect.stringContaining('A match of Arena test, which does not count')])
  const next = await sessions.play([md5('a'), md5('b')], (_place, call, hear) => {
    if (call.type === 'open') hear({ type: 'down', link: 1, text: 'has not connected.' })
  })
  expect(next).not.toBeNull()
  await sessions.close()
})

/** Children of this process. */
function workers(): readonly number[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    return Number.isInteger(pid) && parentOf(pid) === process.pid ? [pid] : []
  })
}

function parentOf(pid: number): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}
