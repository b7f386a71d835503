import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { writeMiniZinc, writeWcsp } from '../../../grammars/challenges/index.ts'
import { repeats } from '../../long.ts'
import { challengeOf, sourceOf } from '../../unit/challenges/shipped.ts'
import { assignments, bestByJudge, drawn, modelled, small } from './small-models.ts'

/** Reads the part of MiniZinc that is written, and tries all values: knows nothing of how it was made. */
function bestByMiniZinc(text: string): number | null {
  const ranges: { name: string; low: number; high: number }[] = []
  const conditions: string[] = []
  let objective = ''
  let goal = ''
  for (const line of text.split('\n')) {
    const variable = /^var (-?\d+)\.\.(-?\d+): (\w+);$/.exec(line)
    if (variable) ranges.push({ name: variable[3]!, low: Number(variable[1]), high: Number(variable[2]) })
    const condition = /^constraint (.*);$/.exec(line)?.[1]
    if (condition !== undefined) conditions.push(condition)
    objective = /^var -?\d+\.\.-?\d+: objective = (.*);$/.exec(line)?.[1] ?? objective
    goal = /^solve (\w+) objective;$/.exec(line)?.[1] ?? goal
  }
  const checks = conditions.map((condition) => parsed(condition))
  const measure = parsed(objective)
  let best: number | null = null
  for (const values of assignments(ranges)) {
    const known = new Map(ranges.map(({ name }, at) => [name, values[at]!]))
    if (!checks.every((check) => check(known) === true)) continue
    const value = Number(measure(known))
    if (best === null || (goal === 'maximize' ? value > best : value < best)) best = value
  }
  return best
}

type Known = ReadonlyMap<string, number>
type Value = number | boolean | readonly (number | boolean)[]
type Code = (known: Known) => Value

function parsed(text: string): Code {
  const words = text.match(/\d+|\w+|\/\\|\\\/|[-+*=<()[\],]/g) ?? []
  let at = 0
  const take = (word: string): void => {
    if (words[at++] !== word) throw new Error(`${word} is expected before ${words.slice(at - 1, at + 5).join(' ')}`)
  }
  const list = (end: string): Code[] => {
    const codes: Code[] = []
    while (words[at] !== end) {
      codes.push(whole())
      if (words[at] === ',') at++
    }
    take(end)
    return codes
  }
  const operators: Readonly<Record<string, (a: Value, b: Value) => Value>> = {
    '+': (a, b) => Number(a) + Number(b),
    '*': (a, b) => Number(a) * Number(b),
    '=': (a, b) => a === b,
    '<': (a, b) => a < b,
    '/\\': (a, b) => a === true && b === true,
    '\\/': (a, b) => a === true || b === true,
    div: (a, b) => Math.trunc(Number(a) / Number(b)),
    mod: (a, b) => Number(a) % Number(b),
  }
  const functions: Readonly<Record<string, (value: Value) => Value>> = {
    min: (value) => Math.min(...(value as readonly number[])),
    max: (value) => Math.max(...(value as readonly number[])),
    abs: (value) => Math.abs(Number(value)),
    bool2int: (value) => (value === true ? 1 : 0),
    not: (value) => value !== true,
  }
  function single(): Code {
    const word = words[at++]!
    if (word === '-') {
      const code = single()
      return (known) => -Number(code(known))
    }
    if (/^\d/.test(word)) return () => Number(word)
    if (word === 'true' || word === 'false') return () => word === 'true'
    if (word === '(') {
      const code = whole()
      take(')')
      return code
    }
    if (word === '[') {
      const codes = list(']')
      return (known) => codes.map((code) => code(known) as number | boolean)
    }
    if (word === 'if') {
      const when = whole()
      take('then')
      const yes = whole()
      take('else')
      const no = whole()
      take('endif')
      return (known) => (when(known) === true ? yes(known) : no(known))
    }
    if (word in functions) {
      const of = word === 'not' ? single() : (take('('), whole())
      if (word !== 'not') take(')')
      return (known) => functions[word]!(of(known))
    }
    return (known) => {
      const value = known.get(word)
      if (value === undefined) throw new Error(`There is no ${word}.`)
      return value
    }
  }
  /** All operators of one level, from the left: everything else is in parentheses. */
  function whole(): Code {
    let code = single()
    for (;;) {
      const word = words[at] ?? ''
      if (word === '[') {
        at++
        const [left, place] = [code, whole()]
        take(']')
        code = (known) => (left(known) as readonly number[])[Number(place(known)) - 1]!
      } else if (word in operators) {
        at++
        const [left, right, operator] = [code, single(), operators[word]!]
        code = (known) => operator(left(known), right(known))
      } else return code
    }
  }
  const code = whole()
  if (at !== words.length) throw new Error(`Nothing is expected after ${words.slice(0, at).join(' ')}`)
  return code
}

/** Reads WCSP and tries all values; null: no combination costs less than the top. */
function bestByWcsp(text: string): number | null {
  const numbers = text.trim().split(/\s+/).slice(1).map(Number)
  let at = 0
  const next = (): number => numbers[at++]!
  const [count, , functionCount, top] = [next(), next(), next(), next()]
  const sizes = Array.from({ length: count }, next)
  const tables = Array.from({ length: functionCount }, () => {
    const variables = Array.from({ length: next() }, next)
    const standard = next()
    const rows = new Map(
      Array.from({ length: next() }, (): [string, number] => {
        const combination = variables.map(next)
        return [combination.join(' '), next()]
      }),
    )
    return (values: readonly number[]): number => rows.get(variables.map((one) => values[one]!).join(' ')) ?? standard
  })
  expect(at).toBe(numbers.length)
  let best = top
  for (const values of assignments(sizes.map((size) => ({ low: 0, high: size - 1 }))))
    best = Math.min(
      best,
      tables.reduce((total, table) => total + table(values), 0),
    )
  return best < top ? best : null
}

/** The measure that stands for a cost, as the note says. */
function measureOf(cost: number, note: string): number {
  const [, open, base, sign, under] = /^The measure is (\()?(-?\d+) ([-+]) cost(?:\) \/ (\d+))?\.$/.exec(note) ?? []
  expect(open === undefined).toBe(under === undefined)
  return (Number(base) + (sign === '+' ? cost : -cost)) / Number(under ?? 1)
}

function bestByToulbar2(text: string): number | null {
  const folder = mkdtempSync(join(tmpdir(), 'wcsp-'))
  try {
    const file = join(folder, 'problem.wcsp')
    writeFileSync(file, text)
    const { stdout } = spawnSync('toulbar2', [file], { encoding: 'utf8', timeout: 60_000 })
    if (/No solution/.test(stdout)) return null
    const found = /Optimum: (\d+)/.exec(stdout)
    if (found === null) throw new Error(stdout)
    return Number(found[1])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.each(small)('%s: the best of the exported model is the best of the challenge', (name, settings, formats) => {
  // A thousand in all in the long form.
  test.each(Array.from({ length: repeats({ short: 6, long: 100 }) }, (_, at) => at + 1))('raw material %i', (seed) => {
    const challenge = challengeOf(sourceOf(name))
    const { config, instance } = drawn(challenge, settings, seed)
    const model = modelled(challenge, config, instance)
    const best = bestByJudge(challenge, config, instance, model)
    expect(best).not.toBeNull()
    const found = bestByMiniZinc(writeMiniZinc(model))
    expect(found === null ? null : found / model.under).toBeCloseTo(best!, 9)
    if (formats === 'minizinc') return
    const written = writeWcsp(model)
    if (!written.ok) throw new Error(written.error)
    const cost = bestByWcsp(written.text)
    expect(cost === null ? null : measureOf(cost, written.notes[0]!)).toBeCloseTo(best!, 9)
  })
})

describe.skipIf(spawnSync('toulbar2', ['--version']).error !== undefined)(
  'held against toulbar2 (needs toulbar2)',
  () => {
    const both = small.filter(([, , formats]) => formats === 'both')
    test.each(both)('%s: the least cost of six exported models', (name, settings) => {
      const challenge = challengeOf(sourceOf(name))
      for (const seed of [1, 2, 3, 4, 5, 6]) {
        const { config, instance } = drawn(challenge, settings, seed)
        const written = writeWcsp(modelled(challenge, config, instance))
        if (!written.ok) throw new Error(written.error)
        expect(bestByToulbar2(written.text)).toBe(bestByWcsp(written.text))
      }
    })
  },
)

test.each([
  ['job-scheduling', { maxJobs: 40 }],
  ['number-partition', { maxNumbers: 40 }],
  ['knapsack', { maxItems: 40 }],
] as const)('%s has measures or demands that WCSP cannot say; one sentence says so', (name, settings) => {
  const challenge = challengeOf(sourceOf(name))
  const refusals = [1, 2, 3, 4, 5, 6].flatMap((seed) => {
    const { config, instance } = drawn(challenge, settings, seed)
    const written = writeWcsp(modelled(challenge, config, instance))
    return written.ok ? [] : [written.error]
  })
  expect(refusals.length).toBeGreaterThan(0)
  for (const refusal of refusals) expect(refusal).toMatch(/^[^.]*WCSP[^.]*MiniZinc[^.]*\.$/)
})

test.each([
  ['cubic-equations', 'answers'],
  ['longest-common-subsequence', 'length'],
])('%s has no model, and one sentence names the reason', (name, fact) => {
  const challenge = challengeOf(sourceOf(name))
  const { config, instance } = drawn(challenge, {}, 1)
  expect(challenge.model(config, instance)).toEqual({ ok: false, error: expect.stringContaining(fact) as string })
})
