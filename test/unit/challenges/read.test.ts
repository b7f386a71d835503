import { describe, expect, test } from 'vitest'
import { readChallenge, readNewChallenge, surveyChallenge } from '../../../grammars/challenges/index.ts'
import { toText } from '../../../grammars/formulas/index.ts'
import { accepted, challengeOf } from './shipped.ts'
import { saying } from '../../refusal.ts'

const COVER = `challenge cover "Smallest number"
config {
  largest = 0.5 in -1..99.5
}
dictionary {{
  Predicate = <names> List(ident) <groups> List(Group).
  Group = "[" <members> List(int) "]".
  Instance = <least> number.
  Solution = <given> number.
}}
set Predicate.names
set Predicate.groups
set Group.members
legal predicate { require true else "" }
define half(x: number) = x / 2
legal instance { require instance.least <= config.largest else "At most {config.largest}, not {instance.least}." }
feasible solution { require solution.given != 13 else "Not 13." }
measure = half(2 * solution.given)
goal = min
bound = instance.least
example "twice" { config { largest = 3 } predicate {{ }} instance {{ 1.5 }} solution {{ 4.5 }} quality = 1/3 }
`

/** The problems of a file, as "line:column: message". */
function problemsOf(source: string): string[] {
  const { challenge, problems } = readChallenge(source)
  expect(challenge === null).toBe(problems.length > 0)
  return problems.map(({ at, message }) => `${at.line}:${at.column}: ${message}`)
}

test('a whole file', () => {
  const cover = challengeOf(COVER)
  expect([cover.name, cover.title, cover.text]).toEqual(['cover', 'Smallest number', ''])
})

test('a set outside of the predicate is refused while a file is written, and read in those of older histories', () => {
  const idle = COVER.replace('<given> number.', '<given> number <parts> List(Part). Part = <on> List(int).')
    .replace('{{ 4.5 }}', '{{ 4.5 1 2 }}')
    .replace('List(Part)', 'Part')
    .replace('set Group.members', 'set Group.members\nset Part.on')
  expect(readChallenge(idle).problems).toEqual([])
  for (const read of [readNewChallenge, surveyChallenge]) {
    const [problem, another] = read(idle).problems
    expect(problem).toMatchObject({ at: { line: 14, column: 1 }, message: saying('set Part.on', 'Part') })
    expect(another).toBeUndefined()
    expect(read(COVER).problems).toEqual([])
  }
})

test('settings may be decimals', () => {
  const cover = challengeOf(COVER)
  expect(accepted(cover.config({})).value).toEqual({ largest: 0.5 })
  expect(accepted(cover.config({ largest: -0.25 })).value).toEqual({ largest: -0.25 })
  expect(cover.config({ largest: 99.6 })).toEqual({
    ok: false,
    error: 'The setting largest must be from -1 to 99.5, not 99.6.',
  })
})

test('for a minimum the quality is bound by measure', () => {
  const cover = challengeOf(COVER)
  const config = accepted(cover.config({})).value
  const quality = (least: number, given: number): string => {
    const found = cover.quality(config, { least }, { given })
    return typeof found === 'string' ? found : toText(found)
  }
  expect(quality(0.1, 0.3)).toBe('1/3')
  expect(quality(0.3, 0.3)).toBe('1/1')
  expect(quality(0, 0)).toBe('1/1')
  expect(quality(0, 5)).toBe('0/1')
  expect(quality(2, 1)).toBe('The challenge gives a quality outside 0 to 1: the measure is 1 and the bound 2.')
  expect(quality(-1, 1)).toContain('outside 0 to 1')
})

test('sets within sets are canonical too', () => {
  const cover = challengeOf(COVER)
  const config = accepted(cover.config({})).value
  const key = (names: string[], groups: number[][]): string =>
    accepted(cover.predicate(config, { names, groups: groups.map((members) => ({ members })) })).key
  expect(
    key(
      ['b', 'a', 'b'],
      [
        [2, 1],
        [1, 1, 2],
        [10, 9],
      ],
    ),
  ).toBe(
    key(
      ['a', 'b'],
      [
        [9, 10],
        [1, 2],
      ],
    ),
  )
  expect(key([], [[1, 2]])).not.toBe(key([], [[1], [2]]))
})

test('the text for students loses the indentation of the file', () => {
  expect(challengeOf(COVER.replace('config {', 'text {{\n\n    One.\n\n      Two.\n  }}\nconfig {')).text).toBe(
    'One.\n\n  Two.',
  )
})

test('the order of sections does not matter', () => {
  const [head = '', ...rest] = COVER.split(/^(?=set P|legal p|define|measure)/m)
  expect(problemsOf([head, ...rest.reverse()].join(''))).toEqual([])
})

test('a rule for all alternatives of a class is found wrong once', () => {
  const source = COVER.replace('Group = "["', 'Group = Named | Bare <word> ident. Named = "n". Bare = "b". Other = "["')
    .replace('set Group.members\n', 'property predicate { Group.word: matches "[" }\n')
    .replace('List(Group).', 'List(Group) <others> List(Other).')
  const broken = problemsOf(source).filter((problem) => problem.includes('bracket'))
  expect(broken).toHaveLength(1)
})

describe('problems have places in the file', () => {
  test.each([
    ['', '', '1:1: Found the end of the text where "challenge" is expected.'],
    ['cover "Smallest number"', 'cover', '1:16: Found "config" where a text in quotes is expected.'],
    ['goal = min', 'goal = best', '19:8: Found "best" where "max" or "min" is expected.'],
    ['goal = min\n', '', '21:1: The section "goal" is missing.'],
    ['goal = min', 'goal = min goal = max', '19:12: There is already a section "goal" above.'],
    [/example .*\n/, '', '21:1: A challenge needs at least one example.'],
    [
      'challenge cover',
      'challenge Cover',
      '1:11: The name of a challenge consists of small letters and digits, with words joined by "-".',
    ],
    ['in -1..99.5', 'in 1..99.5', '3:3: The default of largest is 0.5, which is not from 1 to 99.5.'],
    ['= 0.5 in', '= 1/3 in', '3:3: The default and the range of largest must be numbers of at most 15 digits.'],
    ['in -1..99.5', 'in -1..99.5 largest = 1 in 1..1', '3:29: There is already a setting largest above.'],
    ['set Predicate.names', 'set Predicate.name', '11:15: Predicate has no field "name".'],
    ['set Predicate.names', 'set Nobody.names', '11:5: The dictionary has no concrete class "Nobody".'],
    ['set Predicate.names', 'set Instance.least', '11:14: Only a list can be a set, but least is not a list.'],
    ['x / 2', 'x / true', '15:30: Each side of "/" must be of type number, but this is of type boolean.'],
    ['x: number', 'x: Number', '15:16: The type "Number" is unknown.'],
    ['not {instance.least}', 'not {instance.last}', '16:105: Instance has no field "last".'],
    ['not {instance.least}', 'not {instance.least', '16:95: This brace is not closed.'],
    ['half(2 *', 'halve(2 *', '18:11: No function "halve" is defined above.'],
    ['bound = instance.least', 'bound = solution.given', '20:9: There is no "solution" here.'],
    ['}}\nset', '\nset', '5:12: This block {{ is not closed by }}.'],
    ['quality = 1/3', 'quality = 1/2', '21:96: The quality is 1/3, not 1/2.'],
    ['{{ 4.5 }}', '{{ 13 }}', '21:88: This solution is not feasible. Not 13.'],
    ['{{ 1.5 }}', '{{ 3.5 }}', '21:69: This instance is not legal. At most 3, not 7/2.'],
    ['largest = 3', 'largest = 300', '21:28: The setting largest must be from -1 to 99.5, not 300.'],
    ['require true', 'require false', '21:54: This predicate is refused. '],
  ])('%s -> %s: %s', (from, to, expected) => {
    const source = from === '' ? '' : COVER.replace(from, to)
    expect(source).not.toBe(COVER)
    expect(problemsOf(source)[0]).toBe(expected)
  })

  test('a division by 0', () => {
    expect(problemsOf(COVER.replace('= 0.5 in', '= 1/0 in'))[0]).toEqual(saying('3:13: ', 'Division', 0))
  })

  test('also in the dictionary and in the texts of examples', () => {
    expect(problemsOf(COVER.replace('<least> number.', '<least> nomber.'))[0]).toMatch(/^8:\d+: .*nomber/)
    expect(problemsOf(COVER.replace('<least> number.', '<least number.'))[0]).toMatch(/^8:/)
    expect(problemsOf(COVER.replace('Solution =', 'Solutions ='))[0]).toContain('must define Solution')
    expect(problemsOf(COVER.replace('{{ 4.5 }}', '{{ four }}'))[0]).toMatch(/^21:89: /)
  })

  test('also in a dictionary in single braces, which is read as if they were double', () => {
    const single = COVER.replace('dictionary {{', 'dictionary {').replace('}}\nset', '}\nset')
    const [at] = problemsOf(COVER.replace('<given> number.', '<given number.'))[0]!.split(' ')
    expect(problemsOf(single.replace('<given> number.', '<given number.'))[1]).toMatch(new RegExp(`^${at}`))
  })

  test('a member of an unknown value in a number names no type for it', () => {
    const found = problemsOf(COVER.replace('require true', 'require nobody in 3'))
    expect(found).toHaveLength(2)
    expect(found[1]).not.toContain('any type')
  })

  test('several at once', () => {
    expect(problemsOf(COVER.replace('x / 2', 'x / true').replace('half(2 *', 'halve(2 *'))).toHaveLength(2)
  })
})

test('a formula without a value names its place', () => {
  const broken = challengeOf(
    COVER.replace('half(2 * solution.given)', 'solution.given / (solution.given - 7)')
      .replace('1/3 }', '1/3 }')
      .replace('solution {{ 4.5 }} quality = 1/3', 'solution {{ 0 }} quality = 1')
      .replace('instance {{ 1.5 }}', 'instance {{ 0 }}'),
  )
  const config = accepted(broken.config({})).value
  expect(broken.quality(config, { least: 0 }, { given: 7 })).toEqual(
    saying('measure', 'Division', 0, 'Line 18, column 26'),
  )
})
