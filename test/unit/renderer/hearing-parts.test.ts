import { cleanup, render, screen, within } from '@testing-library/svelte'
import { afterEach, expect, test, vi } from 'vitest'
import type { CaseView } from '../../../main/contract/cases/case-procedures.ts'
import { defaultSettings, type Stage } from '../../../main/contract/cases/cases.ts'
import { inSentence, personName } from '../../../renderer/screens/hearings/case-words.ts'
import { clockText, partClocks, leftOf } from '../../../renderer/screens/hearings/hearing-parts.ts'
import PartClocks from '../../../renderer/screens/hearings/part-clocks.svelte'
import Present from '../../../renderer/screens/hearings/present.svelte'

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

const BEGIN = Date.parse('2026-11-29T10:00:00.000Z')
const at = (seconds: number): string => new Date(BEGIN + seconds * 1_000).toISOString()
type Case = Parameters<typeof partClocks>[0]

/** A live case whose stages began at these seconds; the deadline is that of the last one, `more` seconds later. */
function live(stages: readonly (readonly [Stage, number])[], more = 0, chair: 'drawn' | 'elected' = 'drawn'): Case {
  const settings = { ...defaultSettings.live, chair }
  const [stage, begun] = stages.at(-1)!
  const times: Partial<Record<Stage, number>> = settings.times
  const time = times[stage]
  return {
    ...{ settings, stage, instance: 1, filer: 'Red', other: null },
    stages: stages.map(([name, from]): CaseView['stages'][number] => ({ stage: name, instance: 1, at: at(from) })),
    deadline: time === undefined ? null : at(begun + time + more),
  }
}
const told = (of: Case, seconds: number): readonly string[] =>
  partClocks(of, BEGIN + seconds * 1_000).map(({ name, is, ms }) => `${name}, ${is}, ${clockText(ms)}`)

test('a live hearing takes fifteen minutes, and each part of it has a clock', () => {
  const filed = live([['filed', 0]], 0, 'elected')
  const parts = partClocks(filed, BEGIN)
  expect(parts.map(({ is }) => is)).toEqual(parts.map(() => 'to come'))
  expect(leftOf(parts)).toBe(15 * 60_000)
  expect(told(filed, 0)).toContain('Red speaks, to come, 2:00')

  const hearing = live([
    ['filed', 0],
    ['answer', 10],
    ['draw', 100],
    ['hearing', 100],
  ])
  expect(told(hearing, 100 + 130)).toEqual([
    'Answer, over, 1:30',
    'Red speaks, over, 2:00',
    'The educator speaks, now, 1:50',
    'Questions and replies, to come, 2:00',
    'Vote, to come, 2:00',
    'Opening of the votes, to come, 1:00',
    'Ruling, to come, 2:00',
  ])
  // After the time of the stage the last part stands at zero until the server says that the stage is over.
  expect(told(hearing, 100 + 400).slice(3, 4)).toEqual(['Questions and replies, now, 0:00'])
})

test('a deadline that is moved gives each third of the hearing more time, and one that ends early takes none of the others', () => {
  const moved = live(
    [
      ['answer', 0],
      ['hearing', 60],
    ],
    180,
  )
  expect(told(moved, 60)[1]).toBe('Red speaks, now, 3:00')
  const early = live([
    ['answer', 0],
    ['hearing', 60],
    ['voting', 60 + 150],
  ])
  expect(told(early, 60 + 160).slice(1, 5)).toEqual([
    'Red speaks, over, 2:00',
    'The educator speaks, over, 0:30',
    'Questions and replies, over, 0:00',
    'Vote, now, 1:50',
  ])
})

test('a vote that is repeated has its clock again, and so has the opening after it', () => {
  const repeated = live([
    ['hearing', 0],
    ['voting', 300],
    ['opening', 400],
    ['voting', 460],
  ])
  expect(told(repeated, 470).slice(-3)).toEqual([
    'Vote, now, 1:50',
    'Opening of the votes, to come, 1:00',
    'Ruling, to come, 2:00',
  ])
  const over = live([
    ['hearing', 0],
    ['voting', 300],
    ['opening', 400],
    ['ruling', 430],
    ['appeal', 500],
  ])
  expect(leftOf(partClocks(over, BEGIN + 600_000))).toBe(0)
  expect(told(over, 600).at(-1)).toBe('Ruling, over, 1:10')
})

test('a clock counts a part of a second as a second, and has hours', () => {
  expect([0, 1, 59_001, 3_600_000, 3_725_000].map(clockText)).toEqual(['0:00', '0:01', '1:00', '1:00:00', '1:02:05'])
})

/** A live case in its hearing, with a panel of two. */
function inHearing(): CaseView {
  const people = [
    { id: '1', role: 'student', side: 'filer', name: 'Ada' },
    { id: '2', role: 'student', side: null, name: 'Cem' },
    { id: '3', role: 'student', side: null, name: null },
  ]
  return {
    ...live([
      ['answer', 0],
      ['hearing', 60],
    ]),
    ...{ people, panel: ['2', '3'], chair: '2', now: at(70) },
  } as unknown as CaseView
}

test('the room shows the clock of the part that is heard now, and runs it down', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  render(PartClocks, { detail: inHearing() })
  const now = (): HTMLElement =>
    screen.getAllByRole('listitem').find((each) => each.getAttribute('aria-current') === 'step')!
  expect(within(now()).getByRole('timer').textContent).toBe('1:50')
  expect(now().textContent).toContain('Red speaks')
  await vi.advanceTimersByTimeAsync(111_000)
  expect(now().textContent).toContain('The educator speaks')
  expect(within(now()).getByRole('timer').textContent).toBe('1:59')
})

test('the room says who is here and whose turn it is, counts hidden members, and names the parts that are missing', () => {
  const here = [
    { part: 'filer', person: '1' },
    { part: 'panel', person: null },
    { part: 'class', person: null },
  ] as const
  render(Present, { detail: inHearing(), room: { here, members: 2 } })
  const told = screen.getAllByRole('term').map((term) => {
    const [name, is] = [term.textContent, term.nextElementSibling?.textContent ?? '']
    return `${name}: ${is}`.replaceAll(/\s+/g, ' ').trim()
  })
  expect(told).toEqual([
    'Red, whose turn it is: Ada',
    'The educator, whose turn it is: nobody',
    'Chair, whose turn it is: nobody',
    'Panel, whose turn it is: 1 person (1 of 1)',
    'Others of the class: 1 person',
  ])
})

test('people whose names the viewer does not know are called as in transcripts, also on the panel', () => {
  const person = (id: string, role: 'educator' | 'student', name: string | null = null) => ({
    id,
    role,
    side: null,
    name,
  })
  const people = [
    person('a', 'student'),
    person('b', 'educator'),
    person('c', 'student', 'Ada'),
    person('d', 'student'),
  ]
  const of = { people, filer: 'Red', other: null }
  const names = [...'abcde'].map((id) => personName(of, id))
  expect(names).toEqual(['Student 1', 'Educator 1', 'Ada', 'Student 3', 'Somebody'])
  expect(['The program', 'The educator', 'The educators'].map(inSentence)).toEqual([
    'the program',
    'the educator',
    'The educators',
  ])
})
