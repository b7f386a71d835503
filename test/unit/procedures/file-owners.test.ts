import { expect, test } from 'vitest'
import { createFileOwners } from '../../../main/administrator/procedures/reach.ts'
import { hostCaller, type Caller } from '../../../main/contract/people/caller.ts'

const anna: Caller = { role: 'student', person: 'p-anna', team: null, session: 's', isTerminal: false }
const guest: Caller = { role: 'guest', person: null, team: null, session: null, isTerminal: false }

test('a download is for whoever began it, a guest too; nobody else fetches it', () => {
  const owners = createFileOwners()
  for (const [caller, handle] of [
    [hostCaller, 'host'],
    [anna, 'anna'],
    [guest, 'guest'],
  ] as const)
    owners.add(caller, handle)
  const ownedBy = (caller: Caller): readonly string[] =>
    ['host', 'anna', 'guest', 'none'].filter((handle) => owners.owns(caller, handle))
  expect([hostCaller, anna, guest, { ...anna, person: 'p-bert' }].map(ownedBy)).toEqual([
    ['host', 'none'],
    ['anna'],
    ['guest'],
    [],
  ])
})
