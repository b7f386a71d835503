import { describe, expect, test } from 'vitest'
import {
  candidateAt,
  closingTime,
  lateDaysLeft,
  membersInTime,
  type CandidateVersion,
  type Extension,
} from '../../../main/contract/people/closing-time.ts'
import { verdictOnHandIn, verdictSentence } from '../../../main/contract/people/time-verdict.ts'

const [anna, bruno, team, otherTeam] = ['a', 'b', '1', '2'].map((digit) => digit.repeat(16)) as [
  string,
  string,
  string,
  string,
]
const closes = '2026-11-29T22:00:00.000Z'
const contest = 'week-1'
const deadline = { contest, closes, late: 'late-days' } as const
const pair = { id: team, members: [anna, bruno] }

const granted = (of: Extension['of'], until: string, more: Partial<Extension> = {}): Extension => ({
  ...{ of, contest, until, reason: 'ill', by: null, at: '2026-11-28T08:00:00.000Z' },
  ...more,
})
const person = (id: string) => ({ who: 'person', person: id }) as const

describe('the closing time of a team', () => {
  test('is the deadline without extensions, and ignores those of other contests, people and teams', () => {
    const foreign = [
      granted(person(anna), '2026-12-05T00:00:00.000Z', { contest: 'week-2' }),
      granted(person('c'.repeat(16)), '2026-12-05T00:00:00.000Z'),
      granted({ who: 'team', team: otherTeam }, '2026-12-05T00:00:00.000Z'),
    ]
    expect(closingTime(deadline, pair, foreign)).toEqual({
      at: closes,
      because: 'This is the deadline of the contest.',
    })
  })

  test('is the latest extension of any member or of the team, and its sentence tells neither the member nor the reason', () => {
    const extensions = [
      granted(person(anna), '2026-11-30T22:00:00.000Z'),
      granted(person(bruno), '2026-12-02T22:00:00.000Z'),
      granted({ who: 'team', team }, '2026-12-01T22:00:00.000Z'),
    ]
    const closing = closingTime(deadline, pair, extensions)
    expect(closing.at).toBe('2026-12-02T22:00:00.000Z')
    expect(closing.because).not.toMatch(/ill|[ab]{16}/)
    expect(closingTime(deadline, { id: team, members: [anna] }, extensions).at).toBe('2026-12-01T22:00:00.000Z')
  })

  test('never comes before the deadline; of several extensions for one person the last one counts', () => {
    const before = [granted(person(anna), '2026-11-20T00:00:00.000Z')]
    expect(closingTime(deadline, pair, before).at).toBe(closes)
    const shortened = [
      granted(person(anna), '2026-12-05T00:00:00.000Z'),
      granted(person(anna), '2026-11-30T00:00:00.000Z', { at: '2026-11-28T09:00:00.000Z' }),
    ]
    expect(closingTime(deadline, pair, shortened).at).toBe('2026-11-30T00:00:00.000Z')
  })
})

describe('an extension of a person', () => {
  const after = '2026-12-01T08:00:00.000Z'
  const before = '2026-11-20T08:00:00.000Z'
  const until = '2026-12-05T00:00:00.000Z'
  const blue = (joined: string, formed = before) => ({
    ...{ id: otherTeam, members: [anna, bruno], formed },
    joined: { [anna]: joined },
  })
  const at = (team: Parameters<typeof closingTime>[1], granting = granted(person(anna), until)): string =>
    closingTime(deadline, team, [granting]).at

  test('goes along to the team that they join before the deadline, and lends nothing to one that they join after it', () => {
    expect(at(blue('2026-11-29T08:00:00.000Z'))).toBe(until)
    expect(at(blue(closes))).toBe(until)
    expect(at(blue(after))).toBe(closes)
    // Those who have always been in a team have joined it when it was formed.
    expect(at({ id: otherTeam, members: [anna], formed: after })).toBe(closes)
    expect(at({ id: otherTeam, members: [anna], formed: before })).toBe(until)
    // The team that they have left does not keep it.
    expect(at({ id: team, members: [bruno], formed: before })).toBe(closes)
  })

  test('and late days are not lent to a team by joining it after its closing time', () => {
    expect(membersInTime(blue(closes), closes)).toEqual([anna, bruno])
    expect(membersInTime(blue(after), closes)).toEqual([bruno])
    // A team that is formed late has the days of those who formed it.
    expect(membersInTime({ id: otherTeam, members: [anna], formed: after }, closes)).toEqual([anna])
  })

  test('that is granted after the deadline counts for their team at that moment', () => {
    expect(at(blue(after), granted(person(anna), until, { at: '2026-12-02T08:00:00.000Z' }))).toBe(until)
    expect(at(blue('2026-12-03T08:00:00.000Z'), granted(person(anna), until, { at: '2026-12-02T08:00:00.000Z' }))).toBe(
      closes,
    )
  })

  test('of a team stays with the team, whoever joins it', () => {
    expect(at({ ...blue(after), id: team }, granted({ who: 'team', team }, until))).toBe(until)
  })
})

describe('the verdict on the time of a hand-in', () => {
  const closing = Date.parse(closes)
  const after = (hours: number): number => closing + hours * 3_600_000
  const left = (a: number, b: number) =>
    new Map([
      [anna, a],
      [bruno, b],
    ])

  test('is on time up to the very millisecond', () => {
    expect(verdictOnHandIn(closing, closing, deadline, left(0, 0), 0).is).toBe('on-time')
    expect(verdictOnHandIn(closing + 1, closing, deadline, left(0, 0), 0).is).toBe('kept')
  })

  test('uses the days of the member who has most left, a begun day as one', () => {
    expect(verdictOnHandIn(after(24), closing, deadline, left(1, 3), 0)).toEqual({
      ...{ is: 'late', days: 1 },
      uses: { contest, days: 1, of: bruno },
    })
    expect(verdictOnHandIn(after(24) + 1, closing, deadline, left(1, 3), 0)).toMatchObject({ uses: { days: 2 } })
    // Days of two members do not add up.
    expect(verdictOnHandIn(after(71), closing, deadline, left(2, 2), 0).is).toBe('kept')
  })

  test('counts days once that the team has used for this contest already', () => {
    expect(verdictOnHandIn(after(20), closing, deadline, left(0, 0), 1)).toEqual({ is: 'late', days: 1, uses: null })
    expect(verdictOnHandIn(after(40), closing, deadline, left(1, 0), 1)).toMatchObject({ uses: { days: 1, of: anna } })
  })

  test('keeps what comes after a closed deadline, and says so', () => {
    const verdict = verdictOnHandIn(after(1), closing, { contest, late: 'closed' }, left(9, 9), 0)
    expect(verdict.is).toBe('kept')
    expect(verdictSentence(verdict)).toMatch(/kept and does not count/)
  })

  test('is computed with the extended closing time, so that an extension costs no late days', () => {
    const extended = closingTime(deadline, pair, [granted(person(bruno), '2026-11-30T22:00:00.000Z')])
    const at = Date.parse(extended.at)
    expect(verdictOnHandIn(after(20), at, deadline, left(0, 0), 0).is).toBe('on-time')
    expect(verdictOnHandIn(after(30), at, deadline, left(1, 0), 0)).toMatchObject({ uses: { days: 1 } })
  })

  test('leaves each person the days that others bore', () => {
    const used = [
      { contest, days: 1, of: anna },
      { contest: 'week-2', days: 2, of: bruno },
    ]
    expect([lateDaysLeft(3, anna, used), lateDaysLeft(3, bruno, used), lateDaysLeft(1, bruno, used)]).toEqual([2, 1, 0])
  })
})

describe('the candidate at a closing time', () => {
  const version = (handedIn: number, trial: CandidateVersion['trial'], counts = true) => ({ handedIn, trial, counts })
  const active = version(0, 'passed')

  test('is the newest that passed, was in time and counts', () => {
    const good = version(2, 'passed')
    expect(
      candidateAt(
        [version(1, 'passed'), good, version(3, 'failed'), version(4, 'none'), version(9, 'passed')],
        5,
        active,
      ),
    ).toBe(good)
    expect(candidateAt([good, version(3, 'passed', false)], 5, active)).toBe(good)
    expect(candidateAt([good], 2, active)).toBe(good)
  })

  test('is the last active one if none is fit', () => {
    expect(candidateAt([version(1, 'failed'), version(6, 'passed')], 5, active)).toBe(active)
    expect(candidateAt([], 5, null)).toBeNull()
  })
})
