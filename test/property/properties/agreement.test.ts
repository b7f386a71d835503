import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../grammars/json.ts'
import { read, stream } from '../../unit/properties/read.ts'

/** A rule as it is written, and what it means, worked out without the language. */
interface Rule<T> {
  readonly text: string
  readonly holds: (value: number, root: T) => boolean
}

/** Values drawn of each property at most: enough to see every one of some thousand. */
const DRAWS = 60_000

/**
 * Holds a property against its meaning on every value of a universe that contains all that could pass: what passes the check
 * is what should, and what is generated is all of that and nothing else.
 */
function agree<T extends Json>(
  dictionary: string,
  rules: string,
  universe: readonly T[],
  holds: (root: T) => boolean,
): void {
  const wanted = new Set(universe.filter(holds).map((value) => JSON.stringify(value)))
  const one = read({ dictionary, rules })
  if (one.faults.length > 0) {
    // The only thing that can be wrong with these rules.
    expect({ faults: one.faults, wanted: [...wanted] }).toEqual({ faults: one.faults, wanted: [] })
    return
  }
  const property = one.property()
  const passing = universe.filter((value) => property.check(value) === null).map((value) => JSON.stringify(value))
  expect(new Set(passing)).toEqual(wanted)
  const random = stream(wanted.size)
  const made = new Set<string>()
  for (let i = 0; i < DRAWS && made.size <= wanted.size; i++) {
    const generated = property.generate(random)
    if (!generated.ok) {
      expect({ problem: generated.problem, wanted: [...wanted] }).toEqual({ problem: generated.problem, wanted: [] })
      return
    }
    expect(one.values.validate(generated.value, 'Root')).toBeNull()
    expect(property.check(generated.value)).toBeNull()
    made.add(JSON.stringify(generated.value))
    if (i > 200 && made.size === wanted.size) break
  }
  expect(made).toEqual(wanted)
}

const end = fc.integer({ min: -2, max: 6 })
/** As a formula needs it at the end of a range. */
const written = (n: number): string => String(n)
const constant: fc.Arbitrary<Rule<unknown>> = fc.oneof(
  fc
    .tuple(end, end)
    .map(([a, b]) => ({ text: `range ${written(a)} ${written(b)}`, holds: (v: number) => a <= v && v <= b })),
  fc.tuple(end, end).map(([a, b]) => ({ text: `in ${a}..${b}`, holds: (v: number) => a <= v && v <= b })),
  fc.tuple(end, end).map(([a, b]) => ({
    text: `range ${a}.5 (${b} + 1/3)`,
    holds: (v: number) => a + (a < 0 ? -0.5 : 0.5) <= v && v <= b + 1 / 3,
  })),
  fc
    .array(end, { minLength: 1, maxLength: 4 })
    .map((all) => ({ text: `enum [${all.join(', ')}]`, holds: (v: number) => all.includes(v) })),
  fc.array(end, { maxLength: 4 }).map((all) => ({
    text: `in [x * 2 for x in [${all.join(', ')}]]`,
    holds: (v: number) => all.some((x) => 2 * x === v),
  })),
  end.map((a) => ({ text: written(a), holds: (v: number) => v === a })),
)

const conjunction = <T>(rule: fc.Arbitrary<Rule<T>>): fc.Arbitrary<Rule<T>> => {
  return fc.array(rule, { minLength: 1, maxLength: 2 }).map((rules) => ({
    text: rules.map(({ text }) => text).join(', '),
    holds: (value, root) => rules.every(({ holds }) => holds(value, root)),
  }))
}

const span = (low: number, high: number): number[] => Array.from({ length: high - low + 1 }, (_, i) => low + i)

describe('what is generated is what passes, and that is what the rules mean', () => {
  test('numbers, also of earlier fields', () => {
    interface Two {
      readonly [label: string]: Json
      readonly n: number
      readonly m: number
    }
    const earlier: fc.Arbitrary<Rule<Two>> = fc.oneof(
      constant,
      end.map((b) => ({ text: `range root.n ${b}`, holds: (v: number, { n }: Two) => n <= v && v <= b })),
      end.map((b) => ({ text: `range ${b} (this.n + 1)`, holds: (v: number, { n }: Two) => b <= v && v <= n + 1 })),
      end.map((b) => ({ text: `in [this.n, ${b}]`, holds: (v: number, { n }: Two) => v === n || v === b })),
      end.map((b) => ({ text: `${b} - root.n`, holds: (v: number, { n }: Two) => v === b - n })),
      end.map((b) => ({
        text: `in [${b} div this.n]`,
        holds: (v: number, { n }: Two) => n !== 0 && v === Math.floor(b / n),
      })),
    )
    const universe = span(-13, 13).flatMap((n) => span(-20, 20).map((m): Two => ({ n, m })))
    fc.assert(
      fc.property(conjunction(constant), conjunction(earlier), (n, m) => {
        agree('Root = <n> int "/" <m> int.', `Root.n: ${n.text} Root.m: ${m.text}`, universe, (root) => {
          return n.holds(root.n, root) && m.holds(root.m, root)
        })
      }),
      { numRuns: 150 },
    )
  })

  test('lists: length, elements, distinct', () => {
    const elements = span(-5, 13)
    const lists: number[][] = [[], ...elements.map((a) => [a]), ...elements.flatMap((a) => elements.map((b) => [a, b]))]
    const length: fc.Arbitrary<Rule<unknown>> = fc.oneof(
      fc.constantFrom('0', '1', '2').map((n) => ({ text: n, holds: (v: number) => v === Number(n) })),
      fc
        .constantFrom([0, 2], [1, 2], [-3, 1], [2, 1])
        .map(([a, b]) => ({ text: `range ${a} ${b}`, holds: (v: number) => a! <= v && v <= b! })),
      fc.constant({ text: 'enum [0, 2]', holds: (v: number) => v !== 1 }),
    )
    fc.assert(
      fc.property(
        length,
        constant,
        fc.boolean(),
        fc.constantFrom('element', 'subset'),
        (many, each, distinct, word) => {
          const element =
            word === 'subset' && each.text.startsWith('in ') ? `subset ${each.text.slice(3)}` : `element ${each.text}`
          const rules = `Root.xs: length ${many.text}, ${distinct ? 'distinct, ' : ''}${element}`
          agree(
            'Root = <xs> List(int).',
            rules,
            lists.map((xs) => ({ xs })),
            ({ xs }) => {
              const different = !distinct || new Set(xs).size === xs.length
              return many.holds(xs.length, null) && different && xs.every((x) => each.holds(x, null))
            },
          )
        },
      ),
      { numRuns: 150 },
    )
  })

  test('sets, options, alternatives and lists of objects', () => {
    type Part = { readonly $: string; readonly k?: number }
    const parts: Part[] = [{ $: 'B' }, ...span(0, 3).map((k) => ({ $: 'A', k }))]
    const weights = fc.record({ a: fc.nat({ max: 2 }), b: fc.nat({ max: 2 }) })
    const dictionary =
      'Root = <o> Option(Note) <parts> List(Part). Part = A | B. A = "a" <k> int. B = "b". Note = "n" <set> Set(int).'
    const sets = [[], [1], [2], [3], [1, 2], [1, 3], [2, 3], [1, 2, 3]]
    const notes = [null, ...sets.map((set) => ({ set }))]
    const lists = [[], ...parts.map((one) => [one]), ...parts.flatMap((one) => parts.map((two) => [one, two]))]
    const universe = notes.flatMap((o) => lists.map((all) => ({ o, parts: all })))
    fc.assert(
      fc.property(
        weights,
        weights,
        fc.boolean(),
        fc.nat({ max: 3 }),
        fc.nat({ max: 3 }),
        (w, some, distinct, least, most) => {
          const rules = `
          Root.o: choose { some: ${some.a}, none: ${some.b} }
          Note.set: length range ${least} ${most}, element range 1 3
          Root.parts: length range 1 2${distinct ? ', distinct' : ''}
          Part: choose { A: ${w.a}, B: ${w.b} }
          A.k: range 1 2`
          if (least > most) {
            // No list is so long and so short, even where no note is ever made.
            expect(read({ dictionary, rules }).faults).not.toEqual([])
            return
          }
          agree(dictionary, rules, universe, ({ o, parts: all }) => {
            if (o === null ? some.b === 0 : some.a === 0 || o.set.length < least || o.set.length > most) return false
            const different = new Set(all.map((one) => JSON.stringify(one))).size === all.length
            if (all.length === 0 || (distinct && !different)) return false
            return all.every(({ $, k = 1 }) => ($ === 'A' ? w.a : w.b) > 0 && k >= 1 && k <= 2)
          })
        },
      ),
      { numRuns: 60 },
    )
  })

  test('names that match: all but the keyword', () => {
    const piece = fc.letrec<{ text: string }>((tie) => ({
      text: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom('a', 'b', '[ab]', '1', 'if', ''),
        fc.tuple(tie('text'), tie('text')).map(([a, b]) => `${a}${b}`),
        fc.tuple(tie('text'), tie('text')).map(([a, b]) => `(${a}|${b})`),
        fc.tuple(tie('text'), fc.constantFrom('?', '{0,2}', '{2}')).map(([a, times]) => `(${a})${times}`),
      ),
    })).text
    const letters = ['a', 'b', '1', 'i', 'f']
    let texts = ['']
    const universe: string[] = []
    for (let length = 0; length <= 5; length++) {
      universe.push(...texts)
      texts = texts.flatMap((text) => letters.map((letter) => text + letter))
    }
    fc.assert(
      fc.property(
        piece.filter((text) => text.length < 40),
        (text) => {
          const expression = new RegExp(`^(?:${text})$`)
          fc.pre(longest(text) <= 5)
          agree(
            'Root = "if" <w> ident.',
            `Root.w: matches "${text}"`,
            universe.map((w) => ({ w })),
            ({ w }) => {
              return expression.test(w) && w !== 'if' && !/^1|^$/.test(w)
            },
          )
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** Characters of the longest match, as the repetitions above can be. */
function longest(text: string): number {
  const spread = text.replace(/\[ab\]/g, 'a')
  let at = 0
  const either = (): number => {
    let most = 0
    for (;;) {
      most = Math.max(most, sequence())
      if (spread[at] !== '|') return most
      at++
    }
  }
  const sequence = (): number => {
    let sum = 0
    while (at < spread.length && spread[at] !== '|' && spread[at] !== ')') {
      let one = 1
      if (spread[at] === '(') {
        at++
        one = either()
      }
      at++
      const times = /^(?:\?|\{0,2\}|\{2\})/.exec(spread.slice(at))?.[0]
      if (times !== undefined) at += times.length
      sum += times === undefined || times === '?' ? one : 2 * one
    }
    return sum
  }
  return either()
}

describe('rules with the number of an element', () => {
  /** All lists of up to three of these. */
  const listsOf = <T>(elements: readonly T[]): (readonly T[])[] => {
    const longer = (lists: readonly (readonly T[])[]) => lists.flatMap((list) => elements.map((one) => [...list, one]))
    const [none, one] = [[[]], longer([[]])]
    return [...none, ...one, ...longer(one), ...longer(longer(one))]
  }

  test('a list in which each parent is smaller than the number of its child', () => {
    const universe = listsOf(span(-1, 3)).map((parents) => ({ parents: [...parents] }))
    const rules = 'Root.parents: length range 0 3, element range 0 (index() - 1)'
    agree('Root = <parents> List(int).', rules, universe, ({ parents }) => parents.every((p, i) => 0 <= p && p <= i))
  })

  test('the same of objects, in lists of lists', () => {
    const nodes = span(0, 2).flatMap((parent) => span(0, 1).map((odd) => ({ parent, odd })))
    const universe = listsOf(nodes).flatMap((list) => [{ groups: [{ nodes: [...list] }] }])
    agree(
      'Root = <groups> List(Group). Group = <nodes> List(Node) "end". Node = "(" <parent> int <odd> int ")".',
      `Root.groups: length 1 Group.nodes: length range 0 3
       Node.parent: range 0 (index() - 1) Node.odd: index() mod 2`,
      universe,
      ({ groups }) => groups[0]!.nodes.every(({ parent, odd }, i) => parent <= i && odd === (i + 1) % 2),
    )
  })

  test('different elements, of which each has values of its own', () => {
    const universe = listsOf(span(1, 4)).map((all) => ({ all: [...all] }))
    const rules = 'Root.all: length 3, distinct, element range index() (index() + 1)'
    agree('Root = <all> List(int).', rules, universe, ({ all }) => {
      return all.length === 3 && new Set(all).size === 3 && all.every((one, i) => one === i + 1 || one === i + 2)
    })
  })

  test('the number is 0 outside of lists, and the own function of a file comes first elsewhere', () => {
    agree('Root = <n> int.', 'Root.n: index()', [{ n: 0 }, { n: 1 }], ({ n }) => n === 0)
    expect(read({ dictionary: 'Root = <n> int.', rules: 'Root.n: index(1)' }).faults).toHaveLength(1)
  })
})
