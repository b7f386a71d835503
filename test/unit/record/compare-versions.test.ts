import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { games } from '../../../main/referees/games.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { compareVersions } from '../../../main/services/record/compare-versions.ts'
import { questionsOf } from '../../../main/services/record/questions.ts'
import { tableStatements } from '../../../main/services/record/schema.ts'
import { expectRows, type Row } from '../../property/record/plain.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice, haggle, haggleMatch } from './haggle-matches.ts'
import { askedOf, build, record, type Played } from './stage.ts'

const version = (name: string): string => sha256(`version ${name}`)
const [old, fresh] = [version('old'), version('new')]
const whole = { rowsMax: 1_000, cellMax: null }

/** A session of two agents, each of which is a version with the name that it has in this contest. */
function session(match: number, next: (below: number) => number, ...players: readonly [string, string][]): Played {
  return {
    ...haggleMatch(match, next).played,
    names: players.map(([name]) => name),
    agents: players.map(([, each]) => version(each)),
  }
}

test('the answers about two versions are those over a contest of their matches against the same opponents', async () => {
  const folder = temporaryFolder('compare')
  const next = dice(11)
  const contests = [
    [
      session(0, next, ['anna', 'old'], ['otto', 'o']),
      session(1, next, ['lea', 'l'], ['anna', 'old']),
      // Nobody of the others has met this one.
      session(2, next, ['anna', 'old'], ['zoe', 'z']),
    ],
    [
      session(10, next, ['oskar', 'o'], ['anna-2', 'old']),
      session(11, next, ['bea', 'new'], ['oskar', 'o']),
      session(12, next, ['anna-2', 'old'], ['bea', 'new']),
      session(13, next, ['lea', 'l'], ['oskar', 'o']),
    ],
    [session(20, next, ['ben', 'new'], ['lea', 'l'])],
  ]
  for (const [at, matches] of contests.entries()) {
    await record(join(folder, String(at)), haggle, matches)
    await build(join(folder, String(at)), haggle)
  }
  // The same matches in one contest each, with the names of the first contest.
  const renamed = (all: readonly (Played | undefined)[]): readonly Played[] =>
    all.map((each) => ({
      ...each!,
      names: each!.agents!.map((agent) => (agent === version('o') ? 'otto' : agent === version('l') ? 'lea' : 'anna')),
    }))
  const [one, two, three] = contests
  await record(join(folder, 'old'), haggle, renamed([one![0], one![1], two![0]]))
  await record(join(folder, 'new'), haggle, renamed([two![1], three![0]]))
  await build(join(folder, 'old'), haggle)
  await build(join(folder, 'new'), haggle)

  const files = contests.map((_, at) => join(folder, String(at), 'events.db'))
  for (const name of [
    'first-offers',
    'concession-curves',
    'missed-agreements',
    'faults',
    'time-used',
    'worst-losses',
  ]) {
    const { sql } = questionsOf('haggle')[name]!
    const order = { game: 'haggle', files, sql, parameters: { agent: null }, ...whole }
    const { opponents, first, second } = compareVersions({ ...order, versions: [old, fresh] })
    expect(opponents).toEqual(['lea', 'otto'])
    expect([first.matches, first.contests, second.matches, second.contests]).toEqual([3, 2, 2, 2])
    for (const [answer, contest] of [
      [first, 'old'],
      [second, 'new'],
    ] as const) {
      const rows = answer.rows.map((row) => Object.fromEntries(answer.columns.map((column, at) => [column, row[at]!])))
      expectRows(rows as readonly Row[], askedOf(join(folder, contest), haggle, name, { agent: 'anna' }))
    }
  }
})

test('a match with anybody else does not count, and neither does an opponent that was met in such matches alone', () => {
  const folder = temporaryFolder('compare')
  const one = seated(join(folder, 'one.db'), [
    [old, version('x'), version('y')],
    [old, version('x')],
    [old, old],
  ])
  const two = seated(join(folder, 'two.db'), [
    [fresh, version('y'), version('z')],
    [fresh, version('x')],
    [fresh, old],
  ])
  const sql = 'SELECT entrant FROM seats WHERE :agent IS NULL OR entrant = :agent'
  const order = { game: 'punter', files: [one, two], sql, parameters: { agent: null }, ...whole }
  const compared = compareVersions({ ...order, versions: [old, fresh] })
  expect(compared.opponents).toEqual([nameOf(version('x'))])
  expect(compared.first).toMatchObject({ matches: 1, rows: [[nameOf(old)]] })
  expect(compared.second).toMatchObject({ matches: 1, rows: [[nameOf(old)]] })
  expect(compareVersions({ ...order, versions: [old, version('nobody')] })).toMatchObject({
    ...{ opponents: [], first: { matches: 0, rows: [] }, second: { matches: 0, rows: [] } },
  })
  for (const forbidden of ['SELECT * FROM sqlite_schema', 'DROP TABLE seats', `ATTACH '${one}' AS one`])
    expect(() => compareVersions({ ...order, sql: forbidden, versions: [old, fresh] })).toThrow(
      refusal('query-forbidden'),
    )
})

test('opponents of the same name are told apart', () => {
  const folder = temporaryFolder('compare')
  const names = new Map([
    [version('x'), 'sam'],
    [version('y'), 'sam'],
  ])
  const file = seated(
    join(folder, 'one.db'),
    [old, fresh].flatMap((own) => [...names.keys()].map((each) => [own, each])),
    names,
  )
  const order = { game: 'punter', files: [file], sql: 'SELECT :agent', parameters: {}, ...whole }
  expect(compareVersions({ ...order, versions: [old, fresh] }).opponents).toEqual(
    [...names.keys()].map((each) => `sam (${each.slice(0, 8)})`).sort(),
  )
})

const nameOf = (agent: string): string => `agent ${agent.slice(0, 4)}`

/** A database with seats alone: a list of versions for each match. */
function seated(file: string, matches: readonly (readonly string[])[], names = new Map<string, string>()): string {
  const database = new DatabaseSync(file)
  for (const statement of tableStatements(games.get('punter')!.tables)) database.exec(statement)
  const add = database.prepare('INSERT INTO seats (match, entrant, entrant_seat, agent) VALUES (?, ?, ?, ?)')
  for (const [match, agents] of matches.entries())
    for (const [seat, agent] of agents.entries()) add.run(match, names.get(agent) ?? nameOf(agent), seat, agent)
  database.close()
  return file
}
