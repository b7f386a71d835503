import { expect, test } from 'vitest'
import type { StoredAgentVersion } from '../../../main/contract/procedures/classroom.ts'
import type { SignedEntry } from '../../../main/contract/contests/entries.ts'
import { adaptedEntrants } from '../../../main/services/contests/kept/contest-edits.ts'
import { withStatements } from '../../../main/services/entries/stated-entrants.ts'
import { given, newKey, script } from './school.ts'

const key = newKey()
const [first, second] = ['first', 'second'].map((text) => given(key, script(text)).entry) as [SignedEntry, SignedEntry]

function version(name: string, hash: string, entry?: SignedEntry): StoredAgentVersion {
  const manifest = { name, game: 'specker', kind: 'script' } as const
  return {
    hash,
    manifest,
    submitted: '2026-11-21T00:00:00.000Z',
    smoke: null,
    ...(entry === undefined ? {} : { entry }),
  }
}

const foreign = version('anna', first.statement.package, first)
const own = version('carl', first.statement.package)
const contest = (...entrants: readonly { name: string; agent: string; entry?: SignedEntry }[]) => ({
  game: 'specker',
  entrants: [...entrants],
})

test('an entrant that is an entry of a school gets its statement, and the others none', () => {
  const agent = first.statement.package
  const entrants = [
    { name: 'anna', agent },
    { name: 'anna · Liceo Padova', agent },
    { name: 'carl', agent },
    { name: 'zoe', agent },
    { name: 'anna', agent: '0'.repeat(64) },
  ]
  const stated = withStatements([foreign, own], contest(...entrants)).entrants
  expect(stated.map(({ entry }) => entry)).toEqual([first, first, undefined, undefined, undefined])
  expect(stated.map(({ name, agent: played }) => ({ name, agent: played }))).toEqual(entrants)
})

test('a statement that came with a description and is not of the class is dropped', () => {
  const agent = second.statement.package
  expect(withStatements([foreign], contest({ name: 'anna', agent, entry: second })).entrants).toEqual([
    { name: 'anna', agent },
  ])
})

test('when entries are adapted the statement is that of the version that plays then', () => {
  const agents = [foreign, version('anna', second.statement.package, second)]
  const before = withStatements(agents, { ...contest({ name: 'anna', agent: first.statement.package }) })
  expect(before.entrants[0]?.entry).toEqual(first)
  const description = { ...before, policy: undefined } as unknown as Parameters<typeof adaptedEntrants>[1]
  const adapted = { ...before, entrants: adaptedEntrants(agents, description) }
  expect(withStatements(agents, adapted).entrants).toEqual([
    { name: 'anna', agent: second.statement.package, entry: second },
  ])
})
