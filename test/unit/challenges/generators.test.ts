import { describe, expect, test } from 'vitest'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { madeJson } from '../../../grammars/challenges/made-json.ts'
import { evaluate, type Value } from '../../../grammars/formulas/index.ts'
import type { Material } from '../../../grammars/challenges/generators/generator.ts'
import type { Json } from '../../../grammars/json.ts'
import { saying, type Fact } from '../../refusal.ts'
import { accepted, challengeOf, sourceOf } from './shipped.ts'

/** Numbers up to a limit; a solution is a list of different ones, and its quality their part of the limit. */
const game = (generate: string, more = ''): string => `
challenge tiny "Tiny"
config { most = 10 in 1..1000 }
dictionary {{
  Predicate = "any" <any> List(int).
  Instance = "size" <size> int "signs" <signs> List(Sign).
  Sign = Plus | Minus.
  Plus = "+" <of> int.
  Minus = "-" <of> int.
  Solution = "take" <take> List(int).
}}
legal predicate { }
legal instance { require instance.size in 1..config.most else "The size is 1 to {config.most}, not {instance.size}." }
feasible solution { require length(solution.take) <= instance.size else "There are {length(solution.take)} numbers." }
measure = ${more === '' ? 'length(solution.take)' : more}
goal = max
bound = instance.size
${generate}
example "one" { predicate {{ any }} instance {{ size 2 signs }} solution {{ take 7 }} quality = 1/2 }
`

function make(source: string, parameters: Json = {}, seed = 1): Material {
  const challenge = challengeOf(source)
  const config = accepted(challenge.config({})).value
  let state = seed
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0)
  const settings = accepted(challenge.generator!.settings(parameters)).value
  return challenge.generator!.make(config, { any: [4, 5] }, settings, random)
}

const problemsOf = (source: string) => readChallenge(source).problems

test('objects of classes are made from their fields, alternatives as values of their abstract class', () => {
  const source = game(`generate (size = 3 in 1..50) {
    let extra = 0;
    instance = Instance(size + extra, [if i mod 2 = 0 then Plus(i) else Minus(predicate.any[1]) for i in 1..size])
    planted = Solution(1..size)
  }`)
  expect(make(source, { size: 2 })).toEqual({
    ok: true,
    instance: {
      size: 2,
      signs: [
        { $: 'Minus', of: 4 },
        { $: 'Plus', of: 2 },
      ],
    },
    planted: { solution: { take: [1, 2] }, quality: { n: 1n, d: 1n } },
    steps: expect.any(Number),
  })
  expect(make(source)).toMatchObject({ instance: { size: 3 } })
})

test('a parameter that is not whole is exact, as in all formulas', () => {
  const source = game(`generate (noise = 0.1 in 0..1) {
    let third = noise / 3;
    instance = Instance(if third * 30 = 1 and floor(noise * 25) = 2 then 1 else 2, [])
  }`)
  expect(make(source)).toMatchObject({ ok: true, instance: { size: 1 } })
  expect(make(source, { noise: 0.2 })).toMatchObject({ ok: true, instance: { size: 2 } })
})

test('a value takes steps for each part, however often it is shared, and for the characters of texts', () => {
  const row: Value = Array.from({ length: 1_000 }, (_, i) => i)
  const made = (value: Value) => evaluate((frame) => madeJson(frame, value), 0, [])
  expect(made([row, 'a text'])).toEqual({ ok: true, value: [row, 'a text'] })
  for (const value of [Array.from({ length: 20_000 }, () => row), 'x'.repeat(40_000_001)])
    expect(made(value)).toMatchObject({ ok: false, limit: true })
})

test('a file may plant no solution, and a file without the section has no generator', () => {
  expect(make(game('generate { instance = Instance(1, []) }'))).toMatchObject({ ok: true, planted: null })
  expect(challengeOf(game('')).generator).toBeNull()
})

describe('what a generator makes is judged, and it is the challenge that is blamed', () => {
  test.each<readonly [string, string, string, readonly Fact[]]>([
    ['Instance(0, [])', 'Solution([])', 'generator-illegal', ['generator', 'challenge', 'not legal', '0', '10']],
    ['Instance(11, [])', 'Solution([])', 'generator-illegal', ['11']],
    ['Instance(2, [])', 'Solution([1, 2, 3])', 'planted-infeasible', ['3 numbers']],
    ['Instance(predicate.any[9], [])', 'Solution([])', 'generator-failed', ['element 9', 'line']],
    ['Instance(length(1..100000000), [])', 'Solution([])', 'generator-limit', ['too many steps']],
    ['Instance(2 * 4503599627370496 * 4, [])', 'Solution([])', 'generator-illegal', ['instance', 'size']],
  ])('%s and %s: %s', (instance, planted, code, facts) => {
    const made = make(game(`generate { instance = ${instance} planted = ${planted} }`))
    expect(made).toMatchObject({ ok: false, code })
    if (!made.ok) expect(made.error.toLowerCase()).toEqual(saying(...facts.map((fact) => String(fact).toLowerCase())))
  })

  test('a planted solution whose quality is not from 0 to 1, or has no value', () => {
    const generate = 'generate { instance = Instance(1, []) planted = Solution([3]) }'
    const odd = 'if solution.take = [3] then 5 else length(solution.take)'
    expect(make(game(generate, odd))).toMatchObject({ ok: false, code: 'planted-unrated' })
  })
})

const trees = (root: string): string => `
challenge trees "Trees"
dictionary {{
  Predicate = "any" <any> List(int).
  Instance = "tree" <root> Node.
  Node = Leaf | Pair.
  Leaf = ".".
  Pair = "(" <left> Node <right> Node ")".
  Solution = "take" <take> List(int).
}}
legal predicate { }
legal instance { }
feasible solution { }
measure = 1
goal = max
bound = 1
generate { instance = Instance(${root}) }
example "one" { predicate {{ any }} instance {{ tree . }} solution {{ take }} quality = 1 }
`

test('values that share parts many times, or nest deeply, end at a limit', () => {
  expect(make(trees('fold(Pair(t, t) from t: Node = Leaf() for i in 1..3)'))).toMatchObject({ ok: true })
  expect(make(trees('fold(Pair(t, t) from t: Node = Leaf() for i in 1..60)'))).toMatchObject({
    code: 'generator-limit',
  })
  expect(make(trees('fold(Pair(t, Leaf()) from t: Node = Leaf() for i in 1..100000)'))).toMatchObject({
    code: 'generator-limit',
  })
})

describe('a file says at its line what is wrong with a generator', () => {
  test.each<readonly [string, string | undefined, readonly Fact[]]>([
    ['generate { instance = 3 }', undefined, ['Instance', 'int']],
    ['generate { instance = Instance(1) }', undefined, ['2', '1']],
    ['generate { instance = Instance(true, []) }', undefined, ['size', 'int', 'boolean']],
    ['generate { instance = Instance(1, []) planted = 7 }', undefined, ['Solution']],
    ['generate (config = 1 in 1..2) { instance = Instance(1, []) }', undefined, ['config']],
    ['generate (a = 1 in 1..2, a = 1 in 1..2) { instance = Instance(1, []) }', undefined, ['a']],
    ['generate (a = 3 in 1..2) { instance = Instance(1, []) }', undefined, ['3', '1', '2']],
    ['generate { let a = 1; let a = 2; instance = Instance(1, []) }', undefined, ['a']],
    ['generate { instance = Instance(solution.take[1], []) }', 'name-unknown', ['solution']],
    ['generate { instance = Instance(1, []) } generate { instance = Instance(1, []) }', undefined, ['generate']],
    ['generate { planted = Solution([]) }', 'syntax', ['instance']],
    ['generator { instance = Instance(1, []) }', 'section-unknown', ['generate']],
    ['define f(n: int) = random(1, n)', 'draw-outside', ['random', 'generate']],
    ['define f(n: int) = tree(n)', 'draw-outside', ['tree', 'generate']],
    ['define f(n: int) = Instance(n, [])', 'function-unknown', ['Instance']],
  ])('%s', (text, code, facts) => {
    const [problem, ...others] = problemsOf(game(text))
    expect(others).toEqual([])
    if (code !== undefined) expect(problem).toMatchObject({ code })
    expect(`${problem!.message} ${problem!.hint ?? ''}`).toEqual(saying(...facts))
    expect(problem!.at.line).toBe(game('').split('\n').length - 2)
  })
})

test('the words of the section remain names, and a function of the file comes before one that draws', () => {
  const source = game(`define shuffle(generate: list of int, planted: int) = generate[planted]
generate { let k = shuffle([3, 4], 2); instance = Instance(k, []) }`)
  expect(make(source)).toMatchObject({ ok: true, instance: { size: 4 } })
})

test('parameters have defaults and ranges, and unknown ones are named', () => {
  const generator = challengeOf(sourceOf('graph-colouring')).generator!
  expect(generator.parameters).toContainEqual({ name: 'density', whole: true, standard: 60, low: 1, high: 100 })
  expect(generator.settings({ density: 20 })).toEqual({ ok: true, value: { size: 100, density: 20 } })
  expect(generator.settings({ density: 0 })).toMatchObject({ ok: false, error: saying('density', '1', '100', '0') })
  expect(generator.settings({ densty: 5 })).toMatchObject({
    ok: false,
    error: saying('parameter', 'densty', 'density'),
  })
  expect(generator.settings([])).toMatchObject({ ok: false })
})
