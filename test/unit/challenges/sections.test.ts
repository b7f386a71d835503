import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { fraction, toText } from '../../../grammars/formulas/index.ts'
import { accepted, challengeOf } from './shipped.ts'
import { saying } from '../../refusal.ts'

/** Guess a number from 1 to 9 that is near the one of the instance. */
const GUESS = `challenge guess "Guess"
config {
  largest = 9 in 1..99
}
dictionary {{
  Predicate = "any" <any> List(int).
  Instance = "number" <number> int.
  Solution = "guess" <guess> int.
}}
set Predicate.any
legal predicate {
  require length(predicate.any) > 0 else "Empty."
}
legal instance {
  require instance.number in 1..config.largest else "Numbers end at {config.largest}, and {instance.number} is not one of them."
  require instance.number in predicate.any else "{instance.number} is not in the predicate."
}
feasible solution {
  require solution.guess in 1..instance.number else "The guess is 1 to {instance.number}."
}
measure = solution.guess
goal = max
bound = instance.number
league one "One number" {
  require length(predicate.any) = 1 else "One, not {length(predicate.any)}."
}
league few-of-k "At most k" secret (k = 2 in 1..5) {
  require length(predicate.any) <= k else "At most {k}."
}
example "half" {
  predicate {{ any 8 }}
  instance {{ number 8 }}
  solution {{ guess 4 }}
  quality = 1/2
}
`

function problemsOf(source: string): string[] {
  const { challenge, problems } = readChallenge(source)
  expect(challenge === null).toBe(problems.length > 0)
  return problems.map(({ at, message }) => `${at.line}:${at.column}: ${message}`)
}

const config = { largest: 9 }

describe('belief', () => {
  const claim = (source: string, guess: number, f: number): boolean | string =>
    challengeOf(source).supports(config, { number: 8 }, { guess }, fraction(f, 8))

  test('without one a claim stands while the quality is below f: strictly', () => {
    expect([claim(GUESS, 3, 4), claim(GUESS, 4, 4), claim(GUESS, 5, 4)]).toEqual([true, false, false])
  })

  test('a file may have its own, of instance, solution, quality and f', () => {
    const own = GUESS.replace('goal =', 'belief = quality <= f or solution.guess mod 2 = 1\ngoal =')
    expect([claim(own, 3, 4), claim(own, 4, 4), claim(own, 6, 4), claim(own, 7, 4)]).toEqual([true, true, false, true])
  })

  test('one without a value blames the challenge', () => {
    const own = GUESS.replace('goal =', 'belief = 1 / (solution.guess - 4) > 0\ngoal =')
    expect(claim(own, 4, 4)).toEqual(saying('belief', 'Division', 0, 'Line 22, column'))
  })

  test('it must be true or false, and knows no predicate', () => {
    expect(problemsOf(GUESS.replace('goal =', 'belief = quality\ngoal ='))[0]).toContain('must be of type boolean')
    expect(problemsOf(GUESS.replace('goal =', 'belief = predicate.any = []\ngoal ='))[0]).toContain(
      'no "predicate" here',
    )
  })
})

describe('leagues', () => {
  const guess = challengeOf(GUESS)
  const predicate = (...any: number[]) => accepted(guess.predicate(config, { any })).value

  test('are listed as the file has them', () => {
    expect(guess.leagues.map(({ admits: _, ...facts }) => facts)).toEqual([
      { name: 'one', title: 'One number', secret: false },
      {
        name: 'few-of-k',
        title: 'At most k',
        secret: true,
        parameter: { name: 'k', standard: 2, low: 1, high: 5 },
      },
    ])
  })

  test('admit a predicate or say why not', () => {
    const [one, few] = guess.leagues
    expect(one?.admits(config, predicate(3))).toBeNull()
    expect(one?.admits(config, predicate(3, 4))).toBe('One, not 2.')
    expect(few?.admits(config, predicate(3, 4, 5))).toBe('At most 2.')
    expect(few?.admits(config, predicate(3, 4, 5), 3)).toBeNull()
  })

  test.each([0, 6, 1.5, NaN])('a parameter of %s is refused', (k) => {
    expect(guess.leagues[1]?.admits(config, predicate(3), k)).toContain('must be a whole number from 1 to 5')
  })

  test.each([
    ['league one "One', 'league few-of-k "One', 'There is already a league few-of-k above.'],
    ['k = 2 in 1..5', 'k = 7 in 1..5', 'The default of k is 7, which is not from 1 to 5.'],
    ['k = 2 in 1..5', 'k = 2 in 0.5..5', 'The parameter of a league must be a whole number, but k is not.'],
    ['(k = 2', '(config = 2', '"config" already has a meaning here; choose another name.'],
    ['<= k else "At', '<= instance.number else "At', 'There is no "instance" here.'],
  ])('%s -> %s: %s', (from, to, message) => {
    expect(problemsOf(GUESS.replace(from, to)).join('\n')).toContain(message)
  })
})

describe('examples that are refused', () => {
  const withExample = (text: string): string => `${GUESS}example "refused" refused {\n${text}\n}\n`

  test.each([
    ['config { largest = 100 } because "1 to 99, not 100"'],
    ['predicate {{ any }} because "Empty"'],
    ['predicate {{ any x }} because "whole number"'],
    ['predicate {{ any 1 2 }} league one because "One, not 2."'],
    ['predicate {{ any 1 2 3 }} league one league few-of-k (1) because ""'],
    ['predicate {{ any 1 }} instance {{ number 2 }} because "2 is not in the predicate"'],
    ['predicate {{ any 1 }} instance {{ number 1 }} solution {{ guess 2 }} because "1 to 1"'],
  ])('%s', (text) => {
    expect(problemsOf(withExample(text))).toEqual([])
  })

  test.each([
    ['predicate {{ any 1 }} because "Empty"', '36:1: The predicate of this example should be refused, but is not.'],
    ['predicate {{ any }} because "Too many"', '37:21: The predicate is refused for another reason. Empty.'],
    [
      'predicate {{ any }} instance {{ number 1 }} because "Empty"',
      '37:13: The instance should be refused here, but the predicate already is. Empty.',
    ],
    [
      'predicate {{ any 1 2 3 }} league one league few-of-k (5) because "One"',
      '36:1: The league of this example should be refused, but is not.',
    ],
    ['predicate {{ any }}', '36:1: An example that is refused must say why: because "...".'],
    ['predicate {{ any 1 }} league two because "x"', '37:30: This file has no league two.'],
    ['predicate {{ any 1 }} league one (3) because "x"', '37:30: The league one has no parameter.'],
    ['because "x"', '36:1: This example contains nothing to refuse.'],
    ['instance {{ number 1 }} because "x"', '37:12: An instance needs a predicate before it.'],
  ])('%s: %s', (text, problem) => {
    expect(problemsOf(withExample(text))).toContain(problem)
  })

  test('an example that is not refused may stop at a predicate and its leagues', () => {
    expect(problemsOf(`${GUESS}example "p" { predicate {{ any 1 }} league one }`)).toEqual([])
    expect(problemsOf(`${GUESS}example "p" { predicate {{ any 1 2 }} league one }`)[0]).toContain(
      'This league does not admit the predicate. One, not 2.',
    )
    expect(
      problemsOf(`${GUESS}example "p" { predicate {{ any 1 }} instance {{ number 1 }} quality = 1 }`)[0],
    ).toContain('A solution and its quality must be given together.')
  })
})

describe('what is wrong in several sections is found together', () => {
  test('syntax: each broken section has its own place, and the others are still checked', () => {
    const source = GUESS.replace('largest = 9', 'largest = ')
      .replace('require solution.guess in', 'require solution.guess in in')
      .replace('goal = max', 'goal = most')
      .replace('{{ guess 4 }}', '{{ guess x }}')
    expect(problemsOf(source).map((problem) => problem.split(':')[0])).toEqual(['3', '19', '22', '33'])
  })

  test('a broken section does not make the rest of the file wrong', () => {
    expect(problemsOf(GUESS.replace('measure = ', 'measure = 1 + + '))).toHaveLength(1)
    expect(problemsOf(GUESS.replace('"any" <any>', '"any" <any'))).toHaveLength(1)
    expect(problemsOf(GUESS.replace('feasible solution', 'feasible'))).toHaveLength(1)
  })

  test('meaning: settings, sets, formulas and leagues', () => {
    const source = GUESS.replace('9 in 1..99', '0 in 1..99')
      .replace('set Predicate.any', 'set Predicate.many')
      .replace('measure = solution.guess', 'measure = solution.guss')
      .replace('<= k else', '<= q else')
    expect(problemsOf(source).map((problem) => problem.split(':')[0])).toEqual(['3', '10', '21', '28'])
  })

  test('problems are in the order of the file', () => {
    const { problems } = readChallenge(GUESS.replace('9 in 1..99', '0 in 1..99').replace('= max', '= best'))
    const places = problems.map(({ at }) => at.offset)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(places.length).toBeGreaterThan(1)
  })
})

test('raw material may be wrong whatever the predicate', () => {
  const guess = challengeOf(GUESS)
  expect(guess.legalAtAll(config, { number: 10 })).toBe('Numbers end at 9, and 10 is not one of them.')
  expect(guess.legalAtAll(config, { number: 'x' })).toContain('malformed')
  expect(guess.legalAtAll(config, { number: 8 })).toBeNull()
})

test('a quality with what it was made of', () => {
  const rating = challengeOf(GUESS).rating(config, { number: 8 }, { guess: 6 })
  if (typeof rating === 'string') throw new Error(rating)
  expect([toText(rating.measure), toText(rating.bound), toText(rating.quality)]).toEqual(['6/1', '8/1', '3/4'])
})

describe('samples', () => {
  const random = (): (() => number) => {
    let state = 1
    return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  }

  test('without properties by the dictionary alone, which mostly finds nothing and says so', () => {
    const { sampler } = challengeOf(GUESS)
    expect(sampler.predicate(config, random())).toMatchObject({ ok: true })
    const found = sampler.instance(config, { any: [] }, random())
    expect(found).toMatchObject({ ok: false })
    expect(found.ok ? '' : found.error).toMatch(
      /^No legal instance was found by random sampling\. The file has no section "property instance"/,
    )
  })

  test('with properties', () => {
    const source = `${GUESS}
property instance { Instance.number: in predicate.any }
property solution { Solution.guess: range 1 instance.number }
`
    const { sampler } = challengeOf(source)
    expect(sampler.instance(config, { any: [5] }, random())).toEqual({ ok: true, value: { number: 5 } })
    for (let n = 1; n < 20; n++) expect(sampler.solution(config, { number: 3 }, random())).toMatchObject({ ok: true })
  })

  test('what is wrong with a property has its place', () => {
    const source = `${GUESS}property instance {\n  Instance.numbr: range 1 2\n}\n`
    expect(problemsOf(source)).toEqual(['37:12: Instance has no field "numbr".'])
  })
})
