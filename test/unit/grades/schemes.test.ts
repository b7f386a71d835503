import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { explained, factsLine } from '../../../main/contract/grades/grade-words.ts'
import { readScheme } from '../../../main/services/grades/schemes/scheme.ts'
import { contestWith, gradesBy, student, valuesBy } from './made-facts.ts'

// Three students, each a team of one, in three contests; cleo missed the last one.
const students = [student('ann'), student('bob'), student('cleo')]
const contests = [
  contestWith('w1', {
    ann: {
      rank: 1,
      place: 100,
      tied: 75,
      tiedWith: 2,
      points: 30,
      share: 100,
      against: { baby: { better: 4, met: 4 } },
    },
    bob: {
      rank: 2,
      place: 50,
      tied: 75,
      tiedWith: 2,
      points: 24,
      share: 80,
      late: 2,
      against: { baby: { better: 3, met: 4 } },
    },
    cleo: { rank: 3, place: 0, tied: 0, points: 6, share: 20, against: { baby: { better: 1.5, met: 4 } } },
  }),
  contestWith(
    'w2',
    {
      ann: { rank: 2, place: 50, points: 8, share: 40 },
      bob: { rank: 1, place: 100, points: 20, share: 100, late: 1 },
      cleo: { rank: 3, place: 0, points: 2, share: 10 },
    },
    { firstPhase: 'w1' },
  ),
  contestWith(
    'w3',
    { ann: { rank: 2, place: 0, points: 1, share: 10 }, bob: { rank: 1, place: 100, points: 10, share: 100 } },
    { game: 'punter' },
  ),
]
const graded = (text: string) => valuesBy(text, contests, students)

describe('worked examples', () => {
  test.each([
    // (100 + 50 + 0) / 3, (50 + 100 + 100) / 3, 0
    ['by place', 'grade = mean(place(contests))', [50, 83.3333333333, 0]],
    // ann drops the 0: (100 + 50) / 2; bob the 50; cleo a 0.
    ['the lowest dropped', 'grade = mean(drop(1, place(contests)))', [75, 100, 0]],
    ['the best two', 'grade = sum(best(2, place(contests)))', [150, 200, 0]],
    ['by rating: overlapping intervals get the same', 'grade = tied("w1")', [75, 75, 0]],
    // 4 of 4, 3 of 4, 1.5 of 4 matches before baby; from half on it is a pass.
    ['against a shipped agent', 'grade = against("w1", "baby")', [100, 75, 37.5]],
    ['beating baby is a pass', 'grade = step(against("w1", "baby"), 50, 60, 100, 100)', [100, 60, 0]],
    // (100 + 40 + 10) / 3, (80 + 100 + 100) / 3, (20 + 10) / 3
    ['share of the best', 'grade = mean(share(contests))', [50, 93.3333333333, 10]],
    ['points as in the standings', 'grade = sum(points(["w1", "Title of w2"]))', [38, 44, 8]],
    // 5 for each late day: 50 - 10 and 100 - 5 for bob.
    ['late days in each contest', 'grade = sum(place(contests) - 5 * late(contests))', [150, 235, 0]],
    // bob has 3 late days, of which 2 are free: 83.33 - 10.
    [
      'free late days',
      'charged = max(0, sum(late(contests)) - 2)\ngrade = mean(place(contests)) - 10 * charged',
      [50, 73.3333333333, 0],
    ],
    ['a cap', 'grade = cap(sum(place(contests)), 180)', [150, 180, 0]],
    // 60 % of w1 and 40 % of w2: 60 + 20, 30 + 40, 0.
    ['weights', 'grade = weighted(60, place("w1"), 40, place("w2"))', [80, 70, 0]],
    // w2 is the second phase of w1.
    ['phases as one column', 'grade = mean(place(phases("w2"))) + place("w3")', [75, 175, 0]],
    ['a contest of its own has itself as its only phase', 'grade = sum(place(phases("w3")))', [0, 100, 0]],
    ['contests of one game', 'grade = sum(place(contests("punter")))', [0, 100, 0]],
    ['a condition', 'grade = if sum(late(contests)) > 2 then 0 else place("w1")', [100, 0, 0]],
    ['attendance', 'grade = 10 * sum(played(contests))', [30, 30, 20]],
    ['rounding', 'grade = round(mean(place(contests)), 0)', [50, 83, 0]],
    ['arithmetic', 'grade = -(1 + 2 * 3) / 2 + 0.25', [-3.25, -3.25, -3.25]],
    ['division by nothing', 'grade = 1 / late("w1")', [0, 0.5, 0]],
  ])('%s', (_, text, [ann, bob, cleo]) => {
    const values = graded(text)
    expect(values['ann']).toBeCloseTo(ann!, 9)
    expect(values['bob']).toBeCloseTo(bob!, 9)
    expect(values['cleo']).toBeCloseTo(cleo!, 9)
  })

  test('a curve: 100, 50 and 0 have mean 50 and deviation 40.825, and become 70 and 70 ± 12.247', () => {
    const { ann, bob, cleo } = graded('grade = curve(place("w1"), 70, 10)')
    expect(ann).toBeCloseTo(70 + 10 * (50 / Math.sqrt(5_000 / 3)), 9)
    expect(bob).toBeCloseTo(70, 9)
    expect(cleo).toBeCloseTo(70 - 10 * (50 / Math.sqrt(5_000 / 3)), 9)
    // All are equal: nothing can be stretched.
    expect(graded('grade = curve(5, 70, 10)')).toEqual({ ann: 70, bob: 70, cleo: 70 })
  })

  test('bands: the first one that is reached', () => {
    const bands = 'bands 90 "A", 50 "B", else "C"'
    const labels = (text: string) => gradesBy(text, contests, students).map(({ band }) => band)
    expect(labels(`grade = place("w1") ${bands}`)).toEqual(['A', 'B', 'C'])
    expect(labels('grade = place("w1") bands 90 "A"')).toEqual(['A', null, null])
    expect(labels('grade = place("w1")')).toEqual([null, null, null])
  })

  test('hearings, components and hand-ins are columns; somebody without a team has none of the contests', () => {
    const busy = student('ann', 'ann', { panels: 2, published: 3, filed: 4, upheld: 1 })
    const handed = [{ ...contests[0]!, handed: { ann: 7 } }]
    const text = 'grade = panels + 10 * published + 1000 * upheld + 10000 * filed + 100000 * handed("w1")'
    expect(valuesBy(text, handed, [busy, student('dan', null)])).toEqual({ ann: 741_032, dan: 0 })
    expect(valuesBy('grade = sum(place(contests)) + handed("w1")', handed, [student('dan', null)])).toEqual({ dan: 0 })
  })
})

test('every figure explains itself', () => {
  const ruled = contestWith('w3', {
    ann: {
      ...{ rank: 4, of: 27, place: 84, late: 2, asPlayed: { rank: 2, points: 9 } },
      rulings: [{ ruling: 2, remedy: 'points', points: -5 }],
    },
  })
  const text = 'places = place("w3")\ngrade = mean([places, 60, 10]) - 5 * late("w3")'
  const [grade] = gradesBy(text, [ruled], [student('ann')])
  expect(factsLine(explained(grade!.term))).toBe(
    'place 4 of 27 in “Title of w3”: 84 of 100; ruling 2: -5, as played place 2; 2 late days for “Title of w3”',
  )
  const { text: top, parts } = explained(grade!.term)
  expect(top).toBe('51.33 - 10 = 41.33')
  expect(parts.map((each) => each.text)).toEqual(['mean of 84, 60, 10: 51.33', '5 * 2 = 10'])
  expect(parts[0]!.parts[0]).toMatchObject({ text: 'places: 84', parts: [{ value: 84 }] })
  const [dropping] = gradesBy('grade = mean(drop(1, [3, 1, 2]))', [], [student('ann')])
  expect(explained(dropping!.term)).toMatchObject({
    text: 'mean of 3, 2 (dropped: 1): 2.5',
    parts: [{ isDropped: false }, { isDropped: false }, { value: 1, isDropped: true }],
  })
})

test('the explanation of a curve tells nothing of the others', () => {
  const explanationWith = (bob: number) => {
    const week = contestWith('w1', { ann: { place: 50 }, bob: { place: bob } })
    const [ann] = gradesBy('grade = curve(place("w1"), 70, 10)', [week], [student('ann'), student('bob')])
    return explained(ann!.term)
  }
  expect(explanationWith(40)).toEqual(explanationWith(10))
})

test.each([
  ['', 1, 1, 'grade-missing'],
  ['a = 1\n\n', 3, 1, 'grade-missing'],
  ['grade = ', 1, 9, 'syntax'],
  ['grade = 5 ?', 1, 11, 'character'],
  ['x = 1\r\ngrade = plase(contests)', 2, 9, 'function-unknown'],
  ['grade = places', 1, 9, 'name-unknown'],
  ['grade = later later = 1', 1, 9, 'name-unknown'],
  ['grade = place("w9")', 1, 15, 'contest-unknown'],
  ['grade = place(contests)', 1, 9, 'type-mismatch'],
  ['grade = 1 + place(contests)', 1, 11, 'type-mismatch'],
  ['grade = mean(contests)', 1, 14, 'type-mismatch'],
  ['grade = sum(place(contests) + late(["w1"]))', 1, 29, 'type-mismatch'],
  ['grade = weighted(60, 1, 30, 2)', 1, 9, 'weights-sum'],
  ['grade = weighted(110, 1, -10, 2)', 1, 26, 'weights-sum'],
  ['grade = weighted(60, 1, 40)', 1, 9, 'argument-count'],
  ['grade = mean(drop(0.5, [1]))', 1, 19, 'argument-kind'],
  ['n = 1 grade = mean(drop(n, [1]))', 1, 25, 'argument-kind'],
  ['grade = step(5, 50, 1, 50, 2)', 1, 24, 'thresholds-order'],
  ['grade = curve(5, 70)', 1, 9, 'argument-count'],
  ['grade = against("w1")', 1, 9, 'argument-count'],
  ['grade = against("w1", "bbay")', 1, 23, 'name-unknown'],
  ['grade = max(against(contests, "bbay"))', 1, 31, 'name-unknown'],
  ['grade = mean(place(contests("hagle")))', 1, 29, 'name-unknown'],
  ['grade = sum(place(phases("w9")))', 1, 26, 'contest-unknown'],
  ['grade = sum(place(phases(contests)))', 1, 19, 'argument-count'],
  ['grade = phases', 1, 9, 'argument-count'],
  ['grade = true', 1, 9, 'form-unknown'],
  ['grade = [x for x in contests]', 1, 9, 'form-unknown'],
  ['grade = 1 grade = 2', 1, 11, 'name-twice'],
  ['late = 1 grade = 2', 1, 1, 'name-twice'],
  ['grade = 1 bands 50 "B", 60 "A"', 1, 25, 'thresholds-order'],
  ['grade = 1 bands else "C", 50 "B"', 1, 27, 'thresholds-order'],
])('%j has a problem at line %i, column %i: %s', (text, line, column, code) => {
  const read = readScheme(text, contests)
  expect('problems' in read && read.problems.map((each) => [each.line, each.column, each.code])).toEqual([
    [line, column, code],
  ])
})

test('a contest with too many entrants for results against one of them is refused, alone and among others', () => {
  const large = { ...contests[1]!, opponents: null }
  for (const [text, column] of [
    ['grade = against("w2", "baby")', 17],
    ['grade = max(against(contests, "baby"))', 21],
  ] as const) {
    const read = readScheme(text, [contests[0]!, large])
    expect('problems' in read && read.problems.map((each) => [each.column, each.code])).toEqual([
      [column, 'contest-large'],
    ])
  }
  expect('scheme' in readScheme('grade = against("w1", "baby")', [contests[0]!, large])).toBe(true)
})

test('the lowest of a single contest is not dropped, and of no contest nothing is', () => {
  const text = 'grade = mean(drop(1, place(contests)))'
  expect(valuesBy(text, contests.slice(0, 1), students)).toEqual({ ann: 100, bob: 50, cleo: 0 })
  expect(valuesBy(text, [], students)).toEqual({ ann: 0, bob: 0, cleo: 0 })
})

test('a number beside a list is computed once, and lists and parts of any number are refused', () => {
  const nested = 'mean(place(["w1", "w1", "w1", "w1"]) + '.repeat(40)
  expect(graded(`grade = ${nested}0${')'.repeat(40)}`)).toEqual({ ann: 4_000, bob: 2_000, cleo: 0 })
  const doubled = (first: string) =>
    [
      `a0 = ${first}`,
      ...Array.from({ length: 30 }, (_, at) => `a${at + 1} = a${at} + a${at}`),
      'grade = sum(a30)',
    ].join('\n')
  const read = readScheme(doubled('best(1, [2, 1])'), [])
  expect('problems' in read && read.problems.map(({ code }) => code)).toEqual(['scheme-large'])
  expect(valuesBy(doubled('[2, 1]'), [], [student('ann')])['ann']).toBe(3 * 2 ** 30)
  expect(readScheme(`a = [${'1,'.repeat(4_000)}1]\nb = a + a\ngrade = sum(b)`, [])).toMatchObject({
    problems: [{ line: 1, code: 'scheme-large' }],
  })
})

test('each part with a problem is told once, also if others use it; titles that two contests have need an id', () => {
  const twice = [contests[0]!, { ...contests[1]!, title: contests[0]!.title }]
  const read = readScheme('a = place("Title of w1")\nb = a + foo\ngrade = a + oops(1)', twice)
  expect('problems' in read && read.problems.map(({ line, code }) => [line, code])).toEqual([[1, 'contest-unknown']])
  expect('problems' in readScheme('x'.repeat(20_001), [])).toBe(true)
})

test('the bands know where their numbers stand, for a handle that moves them', () => {
  const text = 'grade = 1\nbands 90 "A", 75.5 "B"'
  const read = readScheme(text, [])
  const bands = 'scheme' in read ? read.scheme.bands : []
  expect(bands.map(({ written }) => written && text.slice(written.start, written.end))).toEqual(['90', '75.5'])
})

test('every scheme of the manual is one', () => {
  const manual = readFileSync(join(import.meta.dirname, '../../../docs/grades.md'), 'utf8')
  const [block = ''] = manual.split('```\n').filter((text) => text.startsWith('// Three quarters'))
  const inline = [...manual.matchAll(/`(grade\s[^`]+)`/g)].map(([, text]) => text!)
  const known = [contestWith('week-1', { ann: {} }), contestWith('week-2', { ann: {} })]
  expect(inline.length).toBeGreaterThan(5)
  for (const text of [block, ...inline]) expect(gradesBy(text, known, [student('ann')])).toHaveLength(1)
  expect(gradesBy(block, known, [student('ann')])[0]!.band).toBe('D')
})

describe('contests to come', () => {
  const term = [contests[0]!, contestWith('final', {}, { isToCome: true, opponents: [], handed: { ann: 2 } })]

  test.each([
    // Only "w1" counts: 60 % of its places, in step with the weights.
    ['weights of a list', 'grade = sum(place(["w1", "final"]) * [0.6, 0.4])', [60, 30, 0]],
    ['lists in step', 'grade = sum(place(["w1", "final"]) - handed(["w1", "final"]))', [100, 50, 0]],
    ['a list in step that is to come', 'grade = sum([1, 1] * 2 * place(["final", "w1"]))', [200, 100, 0]],
    ['the best of those that count', 'grade = sum(best(1, place(["w1", "final"]) * [0.5, 0.5]))', [50, 25, 0]],
    ['one dropped of those that count', 'grade = mean(drop(1, place(["w1", "final"]) + 1))', [101, 51, 1]],
    ['one with an agent who may still enter', 'grade = mean(against(["w1", "final"], "dragon"))', [0, 0, 0]],
  ])('%s', (_, text, expected) => {
    expect(Object.values(valuesBy(text, term, students))).toEqual(expected)
    const [ann] = gradesBy(text, term, students)
    expect(factsLine(explained(ann!.term))).toContain('“Title of final” has not ended')
  })

  test('lists of another length are refused as ever', () => {
    const read = readScheme('grade = sum(place(["w1", "final"]) * [1, 2, 3])', term)
    expect('problems' in read && read.problems.map(({ code }) => code)).toEqual(['type-mismatch'])
  })

  test('of contests with one title, the one that has ended is meant; with none or two it is asked', () => {
    const cup = (id: string, isToCome: boolean) => ({ ...contests[0]!, contest: id, title: 'Cup', isToCome })
    const named = (...all: readonly ReturnType<typeof cup>[]) => {
      const read = readScheme('grade = place("Cup")', all)
      return 'scheme' in read ? read.scheme.named : read.problems.map(({ code }) => code)
    }
    expect(named(cup('cup-1', false), cup('cup-2', true))).toEqual({ Cup: 'cup-1' })
    expect(named(cup('cup-1', false), cup('cup-2', false))).toEqual(['contest-unknown'])
    expect(named(cup('cup-1', true), cup('cup-2', true))).toEqual(['contest-unknown'])
    // A name of a release stays with its contest, also when that is deleted.
    const again = readScheme('grade = place("Cup")', [cup('cup-2', false)], { Cup: 'cup-1' })
    expect('problems' in again && again.problems.map(({ code }) => code)).toEqual(['contest-unknown'])
  })

  test('those that are named are known, as phases too', () => {
    const phases = [contests[0]!, contestWith('w1-final', {}, { isToCome: true, firstPhase: 'w1' }), term[1]!]
    const toCome = (text: string) => {
      const read = readScheme(text, phases)
      return 'scheme' in read && [...read.scheme.toCome]
    }
    expect(toCome('grade = sum(place(phases("w1")))')).toEqual(['w1-final'])
    expect(toCome('grade = place("final") + mean(place(contests))')).toEqual(['final'])
  })
})
