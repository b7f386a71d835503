import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { tartaglia, type Running } from './process.ts'

interface Watched {
  readonly running: Running
  readonly origin: string
}

async function serve(data: string): Promise<Watched> {
  const operator = ['--metrics-port', '0', '--log', `${data}.log`]
  const running = tartaglia('serve', '--data', relative('', data), '--port', '0', ...operator)
  const address = /Health and metrics: (http:\/\/127\.0\.0\.1:\d+)\/health/
  const [, origin = ''] = address.exec(await running.said(address)) ?? []
  return { running, origin }
}

/** The metrics, as soon as they satisfy a condition. */
async function metricsWhen(
  origin: string,
  when: (value: (name: string) => number) => boolean,
): Promise<(name: string) => number> {
  for (;;) {
    const text = await fetch(`${origin}/metrics`).then((answer) => answer.text())
    const values = new Map(text.split('\n').map((line) => line.split(' ') as [string, string]))
    const value = (name: string): number => Number(values.get(name) ?? Number.NaN)
    if (when(value)) return value
    await sleep(20)
  }
}

const eventsIn = (data: string): readonly Record<string, unknown>[] =>
  readFileSync(`${data}.log`, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

/** A class that was told to end while its sample contest ran; gives the matches that its metrics told last. */
async function stoppedInContest(): Promise<{ readonly data: string; readonly done: number }> {
  for (;;) {
    const data = join(temporaryFolder('operator'), 'class')
    const { running, origin } = await serve(data)
    const value = await metricsWhen(origin, (of) => of('tartaglia_matches_finished_total') > 0)
    const done = value('tartaglia_matches_finished_total')
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    const last = eventsIn(data).findLast(({ event }) => event === 'contest')
    // On a busy machine it may have been over before the signal came.
    if (last?.['state'] !== 'ended') return { data, done }
  }
}

test(
  'told to end, a served class stops its contest and ends well; the next start goes on with it, which metrics and log tell',
  { timeout: 300_000 },
  async () => {
    const { data, done } = await stoppedInContest()
    const first = eventsIn(data)
    expect(first.map(({ event }) => event).filter((event) => event !== 'contest')).toEqual([
      ...['starting', 'open', 'stopping', 'stopped'],
    ])
    // However the folder was named.
    expect(first).toContainEqual(expect.objectContaining({ event: 'open', data }))
    expect(first).toContainEqual(
      expect.objectContaining({ event: 'contest', level: 'info', contest: 'sample-contest-1', state: 'running' }),
    )

    const { running, origin } = await serve(data)
    const value = await metricsWhen(origin, (of) => of('tartaglia_contests{state="ended"}') === 1)
    const rest = value('tartaglia_matches_finished_total')
    expect(rest).toBeGreaterThan(0)
    expect(done + rest).toBeLessThanOrEqual(70)
    expect(value('tartaglia_matches_left')).toBe(0)
    expect(value('tartaglia_contests_failed_total')).toBe(0)
    expect(value('tartaglia_data_free_bytes')).toBeGreaterThan(0)
    const health = await fetch(`${origin}/health`)
    expect([health.status, await health.json()]).toEqual([200, { status: 'ok', problems: [] }])
    running.child.kill('SIGTERM')
    expect((await running.ended).code).toBe(0)
    expect(eventsIn(data).at(-1)).toMatchObject({ event: 'stopped', level: 'info' })
  },
)
