import { afterAll, expect, test } from 'vitest'
import { play, type Played, type Script } from '../arenas/client.ts'
import { half, hard, soft } from '../arenas/scripts.ts'
import { openPlace, shipped } from './contest.ts'

const place = openPlace()
afterAll(() => place.remove())

const native = { host: '127.0.0.1', port: 0 }

/** Starts a client of 2018 again and again, as people did, until the arena is closed: until its port refuses connections. */
async function loop(url: string, id: string, script: Script, sessions: Played[]): Promise<void> {
  for (;;) {
    try {
      sessions.push(await play({ url, id, script }))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return
    }
  }
}

test('clients of 2018 play a contest: sessions by the referee, in histories that verify', async () => {
  const sessions: Record<string, Played[]> = { anna: [], bob: [] }
  const scripts: Record<string, Script> = { anna: half, bob: soft }
  const loops: Promise<void>[] = []
  const ran = await place.run(
    'haggle',
    { anna: null, bob: null, hard: shipped('haggle', 'hard') },
    {
      contest: { format: { type: 'ordered-pairs', seeds: 2, finalists: 0 } },
      arena: { native },
      come({ native: where, credentials }) {
        for (const { entrant, credential } of credentials)
          loops.push(loop(where!.address, credential, scripts[entrant]!, sessions[entrant]!))
      },
    },
  )
  await Promise.all(loops)
  // Every history has been verified by now.
  expect(ran.report.matches).toEqual({ total: 12, played: 12, void: 0 })
  expect(ran.matches.map(({ faults }) => faults)).toEqual(ran.matches.map(() => []))
  expect(ran.matches.some(({ outcome }) => (outcome as { agreed?: boolean }).agreed)).toBe(true)
  for (const { header } of ran.matches)
    for (const { name, elsewhere } of header.seats) expect(elsewhere).toBe(name === 'hard' ? undefined : true)

  // The client's messages agree with its history.
  for (const [name, played] of Object.entries(sessions)) {
    const full = played.filter(({ start }) => start !== null)
    const histories = ran.matches.filter(({ header }) => header.seats.some((seat) => seat.name === name))
    expect(full).toHaveLength(8)
    const told = full.map(({ start, log, code, crash }) => {
      const of = (kind: string): unknown => log.filter(([each]) => each === kind).map(([, ...rest]) => rest)
      return JSON.stringify({ me: start!.me, scores: of('score'), done: of('done'), code, crash })
    })
    const recorded = histories.map(({ header, outcome }) => {
      const { places, agreed } = outcome as unknown as { places: { seat: number; score: number }[]; agreed: boolean }
      const me = header.seats.findIndex((seat) => seat.name === name)
      const scores = places.map(({ seat, score }) => [seat, score])
      return JSON.stringify({ me, scores, done: [[agreed]], code: 1000, crash: null })
    })
    expect(told.sort()).toEqual(recorded.sort())
  }
})

test('whoever comes with no credential, or with the wrong one, is closed with words, and plays nothing', async () => {
  const refused: string[] = []
  const loops: Promise<void>[] = []
  const ran = await place.run(
    'haggle',
    { anna: null, hard: shipped('haggle', 'hard') },
    {
      arena: { native },
      async come({ native: where, credentials }) {
        const url = where!.address
        for (const id of ['somebody', '']) refused.push((await play({ url, id, script: hard })).reason)
        loops.push(loop(url, credentials[0]!.credential, half, []))
      },
    },
  )
  await Promise.all(loops)
  expect(refused).toEqual([
    'This is not a credential of this contest.',
    'An id is needed: the header X-Hola-Challenge-ID (option --id).',
  ])
  expect(ran.report.matches).toEqual({ total: 1, played: 1, void: 0 })
})
