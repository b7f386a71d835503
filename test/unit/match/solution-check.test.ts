import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bestKnownText, checkSolution, testCase, valueText } from '../../../renderer/games/specker/solution-check.ts'
import { exchangeOf } from '../../../grammars/challenges/formats/index.ts'
import type { Json } from '../../../grammars/json.ts'
import { foldStretch } from '../../../renderer/games/fold.ts'
import { delayOf, markAt, nextMark, positionOf } from '../../../renderer/screens/match/playback.ts'
import type { Happening } from '../../../main/referees/specker/narration/happenings.ts'
import { reader, type Digest } from '../../../renderer/games/specker/digests.ts'
import { rules } from '../../../renderer/games/specker/rules.ts'
import { visible } from '../../../renderer/parts/lists/visible.ts'
import { sentenceOf, type Telling } from '../../../main/referees/specker/narration/sentences.ts'
import { lineOf, linesIn, noteOf } from '../../../renderer/games/specker/sentences.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { challengeOf, sourceOf } from '../challenges/shipped.ts'
import { myciel3 } from '../challenges/well-known.ts'
import { saying } from '../../refusal.ts'
import { run } from '../cli/environment.ts'
import { allOf, beginning, events, material, offer, sale, turn } from './played.ts'

const csp = challengeOf(sourceOf('max-csp'))
const config = { maxVars: 20, maxConstraints: 200, maxWeight: 10 }
const telling: Telling = {
  name: (seat) => ['Anna', 'Ben'][seat]!,
  energy: (amount) => `${amount / 1e9}`,
  text: visible,
}
const digestsOf = (inputs = events(sale)) => allOf(foldStretch(rules, beginning(2), 'public', reader, 0, null, inputs))

describe('what lies behind an event', () => {
  const digests = digestsOf()
  const evidence = (index: number, part: number) => digests[index]!.happenings[part]!.evidence

  test('an offer shows its predicate; a purchase the one that it bought; before a delivery there is no raw material', () => {
    expect(evidence(0, 0)).toEqual({ predicate: { relations: [22] }, instance: null, solution: null })
    expect(evidence(1, 0)).toEqual({ predicate: { relations: [22] }, instance: null, solution: null })
  })
  test('a solution shows predicate and raw material, which came in other events', () => {
    expect(evidence(2, 0)).toEqual({ predicate: { relations: [22] }, instance: material, solution: null })
    expect(evidence(3, 0)).toEqual({
      predicate: { relations: [22] },
      instance: material,
      solution: { values: [0, 1, 0] },
    })
  })
  test('a reoffer goes back to the predicate that was first offered', () => {
    expect(evidence(3, 1)).toEqual({ predicate: { relations: [2] }, instance: null, solution: null })
  })

  test('a violation shows what broke the rule', () => {
    const bad = { variables: 3, constraints: [] }
    const broken = events([...sale.slice(0, 2), turn(0, { type: 'deliver', challenge: 0, instance: bad })])
    const removed = digestsOf(broken)[2]!.happenings[0]!
    expect(removed).toMatchObject({ event: { type: 'removed', rule: 'illegal-material' }, action: 0 })
    const shown = removed.evidence
    expect(shown).toEqual({ predicate: { relations: [22] }, instance: bad, solution: null })
    expect(checkSolution(csp, config, shown).wrong).toBe('The number of constraints must be 1 to 200, not 0.')
  })
})

test('well-known raw material shows the best known measure beside that of a solution, and other raw material nothing', () => {
  const colouring = challengeOf(sourceOf('graph-colouring'))
  const read = exchangeOf(colouring)!.read(myciel3)
  if (!read.ok) throw new Error(read.problem.message)
  const { instance } = read.material
  const settings = { maxVertices: 20, maxEdges: 30, colours: 4 }
  const shown = (solution: Json, colours = 4) =>
    bestKnownText(colouring, { ...settings, colours }, { predicate: null, instance, solution })
  expect(shown(null)).toEqual(saying('myciel3', 20))
  // All edges of one colour are bad, and those of the last vertex are good.
  expect(shown({ colours: [...Array<number>(10).fill(1), 2] })).toEqual(saying('myciel3', 20, 5))
  expect(shown({ colours: [9] })).toBe(shown(null))
  expect(shown(null, 3)).toBeNull()
  expect(bestKnownText(csp, config, { predicate: null, instance: material, solution: null })).toBeNull()
  expect(bestKnownText(colouring, settings, { predicate: null, instance: { vertices: 11 }, solution: 'x' })).toBeNull()
})

describe('a solution held against its raw material', () => {
  const predicate = { relations: [22] }
  const two = { ...material, constraints: [...material.constraints, { weight: 3, relation: 22, variables: [3, 2, 1] }] }

  test('parts are told in the challenge’s own syntax, each satisfied or not', () => {
    const { quality, parts, label } = checkSolution(csp, config, {
      predicate,
      instance: two,
      solution: { values: [0, 0, 0] },
    })
    expect({ quality, label }).toEqual({ quality: '0/1', label: 'constraints' })
    expect(parts).toEqual([
      { text: '1:22(1 2 3)', verdict: 'unmet' },
      { text: '3:22(3 2 1)', verdict: 'unmet' },
    ])
    expect(checkSolution(csp, config, { predicate, instance: two, solution: { values: [1, 0, 0] } }).quality).toBe(
      '1/1',
    )
  })
  test('an invalid solution says why', () => {
    const { wrong, parts } = checkSolution(csp, config, { predicate, instance: two, solution: { values: [1] } })
    expect(wrong).toBe('A solution must have 3 values, not 1.')
    expect(parts).toEqual([])
  })
  test('without a solution there is nothing to tell', () => {
    expect(checkSolution(csp, config, { predicate, instance: two, solution: null })).toEqual({
      wrong: null,
      quality: null,
      label: null,
      parts: [],
    })
  })

  const of = { challenge: csp, source: sourceOf('max-csp'), challengeConfig: config }
  test('a test case is five files that read back', () => {
    const { files } = testCase(of, { predicate, instance: two, solution: { values: [1, 0, 0] } }, 'case')!
    const endings = ['-predicate.txt', '-instance.txt', '-solution.txt', '-settings.json', '.challenge']
    expect(files.map(({ name }) => name)).toEqual(endings.map((ending) => `case${ending}`))
    const types = ['Predicate', 'Instance', 'Solution']
    const values = types.map((type, i) => csp.values.parse(files[i]!.content, type))
    expect(values).toEqual([predicate, two, { values: [1, 0, 0] }].map((value) => ({ ok: true, value })))
    expect(JSON.parse(files[3]!.content)).toEqual(config)
    expect(files[4]!.content).toBe(sourceOf('max-csp'))
    expect(testCase(of, { predicate, instance: null, solution: null }, 'case')).toBeNull()
  })
  test('its command reads those files, settings that the challenge itself would refuse included', async () => {
    const large = { ...of, challengeConfig: { maxVars: 30, maxConstraints: 200, maxWeight: 10 } }
    const wide = { variables: 25, constraints: [{ weight: 1, relation: 22, variables: [23, 24, 25] }] }
    const solution = { values: Array.from({ length: 25 }, (_, at) => (at === 24 ? 1 : 0)) }
    const { files, command } = testCase(large, { predicate, instance: wide, solution }, 'case')!
    const folder = temporaryFolder('case')
    for (const { name, content } of files) writeFileSync(join(folder, name), content)
    const [program, ...words] = command.split(' ')
    expect(program).toBe('tartaglia')
    const args = words.map((word) => (files.some(({ name }) => name === word) ? join(folder, word) : word))
    const { code, stdout } = await run(...args, '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { legal: true, quality: '1/1' }])
  })
  test('an invalid value is kept as JSON', () => {
    expect(valueText(csp, 'rubbish', 'Solution')).toBe('"rubbish"')
    const { files } = testCase(of, { predicate, instance: two, solution: 'rubbish' }, 'case')!
    expect(files[2]).toMatchObject({ name: 'case-solution.json', content: '"rubbish"\n' })
  })
})

describe('a match in sentences', () => {
  const tellAll = (digest: Digest, told: Telling) =>
    Array.from({ length: linesIn(digest) }, (_, part) => lineOf(digest, part, told).text)
  const digests = digestsOf()
  test('name everybody', () => {
    expect(digests.flatMap((digest) => tellAll(digest, telling))).toEqual([
      'Anna offers challenge 0 for 0.5.',
      'Ben buys challenge 0 from Anna for 0.5.',
      'Anna delivers the raw material for challenge 0.',
      'Anna offers challenge 1 for 0.4.',
      'Ben solves challenge 0 with quality 1/1. Anna pays 1.',
      'Ben undercuts challenge 1: it is challenge 2 now, for 0.3.',
      expect.stringMatching(/^Anna is removed: .*must be lowered by at least 0.01 or to 0/),
    ])
  })
  test('tell who gets what back when a sale ends unfinished', () => {
    const lost = { type: 'fault', seat: 0, fault: { kind: 'crash', text: 'It fell over.' } }
    const ended = digestsOf(events([...sale.slice(0, 2), lost]))
    expect(tellAll(ended[2]!, telling)).toEqual([
      'Anna is removed: It fell over.',
      'Challenge 0 ends early: The seller was removed before this challenge was finished. Ben receives 0.5.',
    ])
  })
  test('show what is unseen in the words of others', () => {
    const event: Happening['event'] = { type: 'removed', round: 1, seat: 0, rule: 'crash', text: 'a\u202eb\u001b[31m' }
    const told = sentenceOf({ event, seller: null }, telling)
    expect(told).toMatch(/^Anna is removed: a.*202E.*b.*\[31m$/)
    expect(Array.from(told).every((sign) => sign >= ' ' && sign !== '\u202e')).toBe(true)
  })
  test('an event without a trace has a sentence too', () => {
    const quiet = digestsOf(events([turn(0, offer([22], 1)), turn(1, { type: 'accept', challenge: 0 })]))[0]!
    expect(noteOf({ ...quiet, happenings: [] }, telling)).toBe('Anna does nothing in this turn.')
    expect(tellAll({ ...quiet, happenings: [] }, telling)).toEqual(['Anna does nothing in this turn.'])
  })
  test('with the rule that applied, and loud where one was broken', () => {
    const told = digests.map((digest) => lineOf(digest, 0, telling))
    expect(told.map(({ rule, tone }) => [rule.name, tone])).toEqual([
      ['Rule 3', 'plain'],
      ['Rule 2', 'plain'],
      ['Rule 4', 'plain'],
      ['Rule 4', 'plain'],
      ['Rule 5', 'bad'],
    ])
  })
})

describe('playing', () => {
  const outlineOf = (times: readonly number[], seat: (event: number) => number) => ({
    length: times.length,
    at: (event: number) => times[event]!,
    seat,
  })
  test('is as fast as chosen, or as it was, without long waits', () => {
    expect(delayOf(10, 7_000)).toBe(100)
    expect([0, 500, 9_999].map((gap) => delayOf('recorded', gap))).toEqual([16, 500, 3_000])
  })
  test('marks are found on either side', () => {
    const marks = [{ row: 3 }, { row: 8 }]
    expect([nextMark(marks, 3, 1), nextMark(marks, 8, 1), nextMark(marks, 3, -1), nextMark(marks, 9, -1)]).toEqual([
      8,
      null,
      null,
      8,
    ])
  })
  test('a moment is the first event from then on of the seat that it is about', () => {
    const digests = outlineOf([0, 10, 20, 20], (event) => event % 2)
    expect(positionOf(digests, 10, null)).toBe(2)
    expect(positionOf(digests, 15, 1)).toBe(4)
    expect(positionOf(digests, 15, 7)).toBe(3)
    expect(positionOf(digests, 99, 0)).toBe(4)
  })

  test('a mark is found by its moment and its seat', () => {
    const digests = outlineOf([0, 10, 10, 10], () => 1)
    const marks = [{ position: 3, seat: 1 }]
    expect(markAt(digests, marks, 10, 1)).toBe(marks[0])
    expect(markAt(digests, marks, 10, 0)).toBeUndefined()
    expect(markAt(digests, [...marks, { position: 4, seat: 1 }, { position: 4, seat: 0 }], Infinity, 1)).toEqual({
      position: 4,
      seat: 1,
    })
    expect(markAt(digests, [{ position: 1, seat: 1 }], 10, 1)).toBeUndefined()
  })
})
