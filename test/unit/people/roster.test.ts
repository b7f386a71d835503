import { describe, expect, test } from 'vitest'
import type { Person } from '../../../main/contract/people/people.ts'
import { planRoster, type RosterRow } from '../../../main/services/people/roster.ts'

let ids = 0
const person = (name: string, rest: Partial<Person> = {}): Person => ({
  id: (ids++).toString(16).padStart(16, '0'),
  name,
  ids: {},
  role: 'student',
  added: '2026-09-01T08:00:00.000Z',
  ...rest,
})
const rows = (...given: readonly Partial<RosterRow>[]): readonly RosterRow[] =>
  given.map((row, index) => ({ line: index + 2, name: 'Ada', ids: {}, ...row }))

describe('a roster', () => {
  test('finds a person by an identifier or an address, in any case, whatever their name has become', () => {
    const ada = person('Ada Byron', { ids: { school: '007' }, email: 'Ada@School.example' })
    const row = { name: 'Ada Lovelace', ids: { login: 'ada' }, email: 'ada@school.example', section: 'A' }
    expect(planRoster([ada], rows(row)).changed).toEqual([
      {
        person: ada,
        to: {
          name: 'Ada Lovelace',
          ids: { school: '007', login: 'ada' },
          email: 'ada@school.example',
          section: 'A',
          role: 'student',
        },
        returns: false,
      },
    ])
  })

  test('makes nobody a guest who judges a case, and says in which line it would', () => {
    const [judge, other] = [person('Bert'), person('Cleo')]
    const judged = (id: string): string | null => (id === judge.id ? 'case-4' : null)
    const guests = rows({ name: 'Cleo', role: 'guest' }, { name: 'Bert', role: 'guest' })
    expect(planRoster([judge, other], guests, judged)).toMatchObject({
      changed: [{ person: other, to: { role: 'guest' } }],
      problems: [{ line: 3, problem: expect.stringContaining('case-4') as unknown }],
    })
    // Other changes of them are made, and somebody who is a guest stays one.
    const renamed = rows({ name: 'Bert', role: 'student', section: 'A' })
    expect(planRoster([judge], renamed, judged)).toMatchObject({ changed: [{ to: { section: 'A' } }], problems: [] })
    const guest = { ...judge, role: 'guest' as const }
    expect(planRoster([guest], rows({ name: 'Bert', role: 'guest' }), judged).problems).toEqual([])
  })

  test('finds a person by a former name, twice and as a column of other names, and never a stranger who has chosen it', () => {
    const bert = person('Nameless person bbbb')
    const row = { name: 'Bert Miller', formerName: 'Nameless person bbbb' }
    expect(planRoster([bert], rows(row))).toMatchObject({ changed: [{ person: bert, to: { name: 'Bert Miller' } }] })
    const named = { ...bert, name: 'Bert Miller' }
    expect(planRoster([named], rows(row))).toMatchObject({ unchanged: [named], problems: [] })
    expect(planRoster([], rows({ name: 'Ada King', formerName: 'Byron' }))).toMatchObject({
      added: [{ name: 'Ada King' }],
      problems: [],
    })
    const strangers: readonly [Person, Partial<RosterRow>][] = [
      [{ ...bert, joined: true }, row],
      [bert, { ...row, role: 'assistant' }],
    ]
    for (const [stranger, asked] of strangers)
      expect(planRoster([stranger], rows(asked))).toMatchObject({ changed: [], problems: [{ line: 2 }] })
    // An identifier in common says that they are the same.
    const known = { ...bert, joined: true, email: 'bert@school.example' } as const
    expect(planRoster([known], rows({ ...row, email: known.email })).problems).toEqual([])
  })

  test('keeps two people of one name apart', () => {
    const first = person('Ana Kim', { ids: { school: '1' } })
    const plan = planRoster(
      [first],
      rows({ name: 'Ana Kim', ids: { school: '1' } }, { name: 'Ana Kim', ids: { school: '2' } }),
    )
    expect(plan).toMatchObject({ unchanged: [first], added: [{ ids: { school: '2' } }], changed: [], problems: [] })
  })

  test('finds a person by name alone only if one side has nothing else', () => {
    const plain = person('Ana Kim')
    expect(planRoster([plain], rows({ name: 'ana kim', ids: { school: '1' } })).changed).toMatchObject([
      { person: plain },
    ])
    const known = person('Ana Kim', { email: 'ana@school.example' })
    expect(planRoster([known], rows({ name: 'Ana Kim' })).unchanged).toEqual([known])
    expect(planRoster([known], rows({ name: 'Ana Kim', ids: { school: '1' } }))).toMatchObject({
      added: [],
      problems: [{ line: 2 }],
    })
  })

  test.each([
    ['one person twice', rows({ ids: { school: '1' } }, { ids: { school: '1' } }), [3]],
    ['one name twice without anything else', rows({ name: 'Eva' }, { name: 'EVA' }), [2, 3]],
    ['identifiers of two people', rows({ ids: { school: '1', login: 'bert' } }), [2]],
    ['one person by two identifiers', rows({ ids: { school: '1' } }, { email: 'ada@school.example' }), [3]],
    ['a name of two people without anything else', rows({ name: 'Zoe' }), [2]],
  ] as const)('does not guess: %s', (_, given, lines) => {
    const people = [
      person('Ada', { ids: { school: '1' }, email: 'ada@school.example' }),
      person('Bert', { ids: { login: 'bert' } }),
      person('Zoe', { ids: { school: '8' } }),
      person('Zoe', { ids: { school: '9' } }),
    ]
    expect(planRoster(people, given).problems.map(({ line }) => line)).toEqual(lines)
  })

  test('removes nobody, names the students whom it does not have, and takes back those who left', () => {
    const [gone, back, helper, left] = [
      person('Gone', { ids: { school: '1' } }),
      person('Back', { ids: { school: '2' }, removed: '2026-10-01T08:00:00.000Z' }),
      person('Helper', { role: 'assistant' }),
      person('Left', { removed: '2026-10-01T08:00:00.000Z' }),
    ]
    const plan = planRoster([gone, back, helper, left], rows({ name: 'Back', ids: { school: '2' } }))
    expect(plan.gone).toEqual([gone])
    expect(plan.changed).toMatchObject([{ person: back, returns: true }])
  })

  test('changes a role only if it says one', () => {
    const helper = person('Helper', { role: 'assistant', ids: { school: '1' } })
    expect(planRoster([helper], rows({ name: 'Helper', ids: { school: '1' } })).unchanged).toEqual([helper])
    const plan = planRoster([helper], rows({ name: 'Helper', ids: { school: '1' }, role: 'student' }))
    expect(plan.changed).toMatchObject([{ to: { role: 'student' } }])
  })

  test('raises nobody by their name alone, and knows nobody by it who joined with the code of the class', () => {
    const people = [person('Ada'), person('Bert', { role: 'assistant' }), person('Zoe', { joined: true })]
    const given = rows(
      { role: 'assistant' },
      { name: 'Bert', role: 'student' },
      { name: 'Zoe', ids: { school: '1' } },
      { name: 'zoe' },
    )
    const plan = planRoster(people, given)
    expect(plan.problems.map(({ line }) => line)).toEqual([2, 4, 5])
    expect(plan.changed).toMatchObject([{ to: { name: 'Bert', role: 'student' } }])
  })
})
