import { expect, test } from 'vitest'
import { procedureAccess, type Row } from '../../../main/contract/procedures/access.ts'
import { deedKinds, deedText, objectText } from '../../../renderer/screens/audit/audit-words.ts'

const rows: Readonly<Record<string, unknown>> = procedureAccess
const audited = Object.entries(rows).flatMap(([name, row]) => {
  const { audited: mark = false } = row as Row<unknown, unknown>
  return mark === false || name === 'people.slips' ? [] : [name]
})

test('every deed of the log has words, and a kind by which it is found', () => {
  expect(audited.length).toBeGreaterThan(50)
  const events = ['sign-in', 'sign-in.refused', 'sign-out', 'names.unlock.refused', 'join', 'audit.prune']
  const kinds: ReadonlySet<string> = new Set(Object.values(deedKinds).flatMap(({ deeds }) => [...deeds]))
  for (const did of [...audited, ...events]) {
    expect.soft(deedText(did), did).not.toBe(did)
    expect.soft(kinds, did).toContain(did.split('.', 1)[0])
  }
  expect(deedText('constructor')).toBe('constructor')
})

test('an object is named in words, people and teams by their names', () => {
  const names = new Map([['a'.repeat(16), 'Ada']])
  const what = { person: 'a'.repeat(16), isWithdrawn: true, contest: null, agent: 'f'.repeat(64), of: { who: 'team' } }
  expect(objectText(what, names)).toBe('person: Ada · is withdrawn: yes · agent: ffffffff… · of: who: team')
  expect(objectText({ attemptsADay: 3, members: ['a'.repeat(16)] }, names)).toBe('attempts a day: 3 · members: Ada')
  expect(objectText({}, names)).toBe('')
})
