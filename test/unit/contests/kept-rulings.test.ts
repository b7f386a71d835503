import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openClassFolder, type ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import type { Remedy } from '../../../main/contract/contests/rulings.ts'
import { HUMAN } from '../../../main/contract/players/agents.ts'
import { openContests, type Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { createResults } from '../../../main/services/contests/reports/contest-results.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { run } from '../cli/environment.ts'
import { addMatch } from './kept-match.ts'

let data = ''
let home: ClassFolder
let contests: Contests
const open = async (): Promise<void> => {
  home = await openClassFolder(data)
  contests = openContests(home)
}
beforeEach(async () => {
  data = temporaryFolder('rulings')
  await open()
})
afterEach(() => home.close())

/** A contest that is over, in which anna beat bea, bea beat carl, and anna beat carl. */
async function played(annas = 'a'.repeat(64)): Promise<string> {
  const entrants = ['anna', 'bea', 'carl'].map((name) => ({ name, agent: name === 'anna' ? annas : 'a'.repeat(64) }))
  const format = { type: 'round-robin' }
  const description = contestDescription.parse({ title: 'Week 1', game: 'haggle', format, seed: 'x', entrants })
  const { id } = await contests.add(description)
  const schedule = (await contests.record(id)).stage(0)!
  for (const { match, entrants: seats } of [...schedule]) {
    const names = seats.toSorted((a, b) => a - b).map((at) => entrants[at]!.name)
    await addMatch(home, contests.folder(id), { contest: id, match, names, game: 'haggle' })
  }
  await contests.settle(id, 'ended')
  // The record of a contest is read once; these matches were written beside it.
  await home.close()
  await open()
  return id
}
let made = 0
const ruling = (remedies: readonly Remedy[], reverses?: number) => ({
  ...{ case: 'case-1', entry: (made += 1).toString(16).padStart(64, '0'), at: '2026-11-28T01:00:00.000Z' },
  remedies: [...remedies],
  ...(reverses === undefined ? {} : { reverses }),
})
const ranked = async (id: string): Promise<readonly string[]> =>
  (await contests.record(id)).standings().map(({ rank, agent, points }) => `${rank} ${agent} ${points}`)
const segments = (id: string): ReadonlyMap<string, string> =>
  new Map(
    readdirSync(contests.folder(id)).map((name) => [name, readFileSync(join(contests.folder(id), name), 'latin1')]),
  )

test('a ruling counts at once, in lists too, changes no line that was written, and an appeal reverses it', async () => {
  const id = await played()
  const results = createResults(contests)
  const before = await ranked(id)
  expect((await results.of(id)).leaders).toEqual(['anna'])
  const written = segments(id)
  expect((await contests.countRuling(id, ruling([{ type: 'removal', entrant: 'anna' }]))).number).toBe(1)
  expect((await ranked(id)).map((row) => row.split(' ')[1])).toEqual(['bea', 'carl', 'anna'])
  expect((await results.of(id)).leaders).toEqual(['bea'])
  for (const [name, text] of written) expect(segments(id).get(name)).toBe(text)
  expect((await contests.countRuling(id, ruling([], 1))).number).toBe(2)
  expect(await ranked(id)).toEqual(before)
  const { rulings } = await contests.record(id)
  expect(rulings.map(({ number, reversedBy }) => [number, reversedBy])).toEqual([
    [1, 2],
    [2, undefined],
  ])
})

test('a ruling that is told twice, as after a crash, counts once', async () => {
  const id = await played()
  const once = ruling([{ type: 'points', entrant: 'carl', points: 4 }])
  await contests.countRuling(id, once)
  const rows = await ranked(id)
  expect((await contests.countRuling(id, once)).number).toBe(1)
  expect(await ranked(id)).toEqual(rows)
})

test('a ruling that the class kept when it was killed is written to the signed files when it is told again', async () => {
  const id = await played()
  const before = segments(id)
  const once = ruling([{ type: 'removal', entrant: 'anna' }])
  await contests.countRuling(id, once)
  const rows = await ranked(id)
  await home.close()
  rmSync(contests.folder(id), { recursive: true })
  mkdirSync(contests.folder(id))
  for (const [name, text] of before) writeFileSync(join(contests.folder(id), name), text, 'latin1')
  await open()
  const signed = async () =>
    JSON.parse((await run('contest', 'standings', id, '--data', data, '--json')).stdout) as { readonly ruled?: unknown }
  expect((await signed()).ruled).toBeUndefined()
  expect((await contests.countRuling(id, once)).number).toBe(1)
  expect((await signed()).ruled).toMatchObject({ after: 1 })
  expect(await ranked(id)).toEqual(rows)
  expect([...before.values()].join('')).not.toContain(once.entry)
  expect([...segments(id).values()].join('')).toContain(once.entry)
  const written = segments(id)
  await contests.countRuling(id, once)
  expect(segments(id)).toEqual(written)
})

test.each<[Remedy[], number | undefined, ErrorCode]>([
  [[{ type: 'warning', entrant: 'dora' }], undefined, 'entrant-unknown'],
  [[{ type: 'annul', match: 9, playAgain: false }], undefined, 'decision-refused'],
  [[{ type: 'forfeit', entrant: 'anna', matches: [0, 1, 2] }], undefined, 'decision-refused'],
  [[], 1, 'decision-refused'],
  // Haggling has no energy.
  [[{ type: 'energy', entrant: 'anna', match: 0, energy: -1 }], undefined, 'decision-refused'],
])('%j that reverses %s is refused, and nothing is kept', async (remedies, reverses, code) => {
  const id = await played()
  const before = segments(id)
  await expect(contests.countRuling(id, ruling(remedies, reverses))).rejects.toMatchObject({ code })
  expect(segments(id)).toEqual(before)
  expect(contests.entry(id).decisions).toBeUndefined()
})

test('a match of a contest in which a person plays can be annulled, and not played again', async () => {
  const id = await played(HUMAN)
  const annul = (playAgain: boolean): Remedy[] => [{ type: 'annul', match: 0, playAgain }]
  await expect(contests.countRuling(id, ruling(annul(true)))).rejects.toMatchObject({ code: 'decision-refused' })
  expect((await contests.countRuling(id, ruling(annul(false)))).number).toBe(1)
})

test('a ruling can be reversed once', async () => {
  const id = await played()
  await contests.countRuling(id, ruling([{ type: 'annul', match: 0, playAgain: true }]))
  expect((await contests.record(id)).toPlayAgain).toEqual([0])
  await contests.countRuling(id, ruling([], 1))
  await expect(contests.countRuling(id, ruling([], 1))).rejects.toMatchObject({ code: 'decision-refused' })
  expect((await contests.record(id)).toPlayAgain).toEqual([])
})

test('the command line has both results from the files alone, and says after which ruling', async () => {
  const id = await played()
  await contests.countRuling(
    id,
    ruling([
      { type: 'removal', entrant: 'anna' },
      { type: 'award', entrant: 'carl', amount: 7 },
    ]),
  )
  // The class is open meanwhile: nothing is locked or written.
  const { code, stdout } = await run('contest', 'standings', id, '--data', data, '--json')
  const found = JSON.parse(stdout) as {
    readonly standings: readonly { readonly agent: string; readonly asPlayed: object }[]
    readonly ruled: { readonly after: number; readonly asPlayed: readonly { readonly agent: string }[] }
  }
  expect(code).toBe(0)
  expect(found.standings.map(({ agent }) => agent)).toEqual(['bea', 'carl', 'anna'])
  expect(found.standings.at(-1)).toMatchObject({ rank: 3, removedBy: 1, asPlayed: { rank: 1 } })
  expect([found.ruled.after, found.ruled.asPlayed.map(({ agent }) => agent)]).toEqual([1, ['anna', 'bea', 'carl']])
  const words = await run('contest', 'standings', id, '--data', data)
  expect(words.stdout.split('\n')[0]).toContain('after ruling 1')
  expect((await run('contest', 'standings', id, '--data', data, '--as-played')).stdout).toContain('as played')
  const { contests: listed } = JSON.parse((await run('contest', 'list', '--data', data, '--json')).stdout) as {
    readonly contests: readonly { readonly awards: unknown }[]
  }
  expect(listed[0]!.awards).toEqual([{ agent: 'carl', amount: 7, by: 'ruling', ruling: 1, case: 'case-1' }])
})

test('whoever has the files of the contest and the key alone counts the same, and finds a ruling that was changed', async () => {
  const id = await played()
  await contests.countRuling(id, ruling([{ type: 'forfeit', entrant: 'anna', matches: 'all' }]))
  const outsider = temporaryFolder('outsider')
  const folder = join(outsider, 'contests', id)
  cpSync(contests.folder(id), folder, { recursive: true })
  cpSync(join(data, 'keys'), join(outsider, 'keys'), { recursive: true })
  const counted = async () =>
    JSON.parse((await run('contest', 'standings', id, '--data', outsider, '--json')).stdout) as unknown
  expect(await counted()).toMatchObject({
    ruled: { after: 1 },
    standings: (await contests.record(id)).standings().map(({ agent, rank, points }) => ({ agent, rank, points })),
  })

  const last = join(folder, readdirSync(folder).sort().at(-1)!)
  const text = readFileSync(last, 'utf8')
  expect(text).toContain('"type":"forfeit"')
  writeFileSync(last, text.replace('"matches":"all","type":"forfeit"', '"matches":[0],"type":"forfeit"'))
  expect(readFileSync(last, 'utf8')).not.toBe(text)
  expect(await counted()).toMatchObject({ code: 'history-damaged' })
})
