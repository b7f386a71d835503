import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { draws } from '../../../grammars/formulas/drawing/draws.ts'
import { builtIns } from '../../../grammars/formulas/functions/functions.ts'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import { challengeOf, SHIPPED, sourceOf } from '../../unit/challenges/shipped.ts'

const root = new URL('../../../', import.meta.url)
const docs = readFileSync(new URL('docs/language.md', root), 'utf8')
const tutorial = readFileSync(new URL('docs/challenge-tutorial.md', root), 'utf8')

describe('docs/challenge-tutorial.md', () => {
  const pieces = [...tutorial.matchAll(/^```challenge\n([^]*?)^```$/gm)].map((block) => block[1] ?? '')

  test('builds the Knapsack that ships, piece by piece', () => {
    expect(pieces).toHaveLength(11)
    const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== '')
    expect(words(pieces.join('\n'))).toEqual(words(sourceOf('knapsack')))
  })

  test.each([6, 7, 8, 9, 10, 11])('is a whole challenge after step %i', (step) => {
    expect(readChallenge(pieces.slice(0, step).join('\n')).problems).toEqual([])
  })

  test.each([1, 2, 3, 4, 5])('and before that only lacks what comes: step %i', (step) => {
    const { problems } = readChallenge(pieces.slice(0, step).join('\n'))
    expect(problems.length).toBeGreaterThan(0)
    for (const { message } of problems) expect(message).toMatch(/is missing|needs at least one example/)
  })
})

describe('the table of shipped challenges in docs/language.md', () => {
  const rows = docs.slice(docs.indexOf('## The challenges that ship')).split('\n')

  test('lists all of them, with values that can be read', () => {
    const listed = rows
      .map((row) => row.split('|').map((cell) => cell.trim()))
      .filter(([, name]) => SHIPPED.some((shipped) => name === `\`${shipped}\``))
    expect(listed.map(([, name]) => name?.slice(1, -1)).toSorted()).toEqual(SHIPPED)
    for (const [, name, , predicate, instance, solution] of listed) {
      const { values } = challengeOf(sourceOf(name!.slice(1, -1)))
      const text = (cell: string | undefined): string => /`([^`]*)`/.exec(cell ?? '')?.[1] ?? ''
      expect(values.parse(text(predicate), 'Predicate')).toMatchObject({ ok: true })
      expect(values.parse(text(instance), 'Instance')).toMatchObject({ ok: true })
      expect(values.parse(text(solution), 'Solution')).toMatchObject({ ok: true })
    }
  })

  test('is followed by their leagues', () => {
    const leagues = rows.map((row) => /^\| `([a-z-]+)` +\| of /.exec(row)?.[1]).filter((name) => name !== undefined)
    for (const name of ['max-csp', 'max-sat']) {
      expect(challengeOf(sourceOf(name)).leagues.map((league) => league.name)).toEqual(leagues)
    }
  })
})

test('docs/language.md lists the functions as they are declared: call, meaning and steps', () => {
  const table = docs.slice(docs.indexOf('**Functions**'), docs.indexOf('**Types**'))
  const rows = table.split('\n').flatMap((row) => {
    const [, call, meaning, steps] = row.split('|').map((cell) => cell.trim())
    return call?.startsWith('`') === true ? [{ call, meaning, steps }] : []
  })
  expect(rows).toEqual(builtIns.map(({ call, meaning, steps }) => ({ call: `\`${call}\``, meaning, steps })))
})

test('docs/language.md lists the functions that draw as they are declared', () => {
  const table = docs.slice(docs.indexOf('## Generators'), docs.indexOf('## Pictures'))
  const rows = table.split('\n').flatMap((row) => {
    const [, call, meaning, steps] = row.split('|').map((cell) => cell.trim())
    return call?.startsWith('`') === true ? [{ call, meaning, steps }] : []
  })
  expect(rows).toEqual(draws.map(({ call, meaning, steps }) => ({ call: `\`${call}\``, meaning, steps })))
})

describe('docs/good-challenges.md', () => {
  const page = readFileSync(new URL('docs/good-challenges.md', root), 'utf8')
  const pieces = [...page.matchAll(/^```idiom\n([^]*?)^```$/gm)].map((block) => block[1] ?? '')
  const claims = [...page.matchAll(/^- `([^`]+)` is `([^`]+)`$/gm)].map(
    ([, formula, value]) => [formula!, value!] as const,
  )

  test('has idioms with values', () => {
    expect(pieces.length).toBeGreaterThanOrEqual(7)
    expect(claims.length).toBeGreaterThan(pieces.length)
  })

  test.each(claims)('%s is %s', (formula, value) => {
    const host = `challenge host "Host"
dictionary {{ Predicate = "p" <x> int. Instance = "i" <x> int. Solution = "s" <x> int. }}
legal predicate { }
legal instance { }
feasible solution { }
measure = if (${formula}) = ${value} then 1 else 0
goal = max
bound = 1
example "e" { predicate {{ p 1 }} instance {{ i 1 }} solution {{ s 1 }} quality = 1 }
`
    expect(readChallenge(pieces.join('\n').replace(/^/, host)).problems).toEqual([])
  })
})
