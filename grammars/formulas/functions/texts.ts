import { BOOLEAN, fits, INT, TEXT } from '../checking/types.ts'
import type { Type } from '../checking/types.ts'
import { listOf, numberFrom, plain } from '../cost/extremes.ts'
import type { Extreme } from '../cost/extremes.ts'
import { times } from '../cost/magnitudes.ts'
import type { Exact } from '../numbers/exact.ts'
import { FormulaError } from '../numbers/formula-error.ts'
import { LIST_STEPS, spend } from '../running/frame.ts'
import type { Frame } from '../running/frame.ts'
import { misfit } from './built-in.ts'
import type { Applied, BuiltIn, Misfit } from './built-in.ts'
import { clipped, sliceOfList, spendOnList } from './lists.ts'
import { listExtreme, spendOnText, textSteps, unitsOf } from './prices.ts'

const TEXTS: Type = { kind: 'list', of: TEXT }

/** A text of any number of units up to this one. */
const textUpTo = (units: number): Extreme => plain(Infinity, units)

/** Refuses the first argument that is not of the wanted type. */
function taking(
  name: string,
  wanted: readonly (readonly [type: Type, what: string])[],
  applied: Applied,
): (args: readonly Type[]) => Applied | Misfit {
  return (args) => {
    for (const [argument, type] of args.entries()) {
      const [expected, what] = wanted[argument] ?? [type, '']
      if (!fits(type, expected)) return misfit(name, argument, what, type)
    }
    return applied
  }
}

/** The number of characters of a text. */
export function charactersIn(frame: Frame, text: string): number {
  spendOnText(frame, text.length)
  let count = text.length
  for (let i = 1; i < text.length; i++) if (isPair(text, i)) count--
  return count
}

/** Are the units before and at the offset one character, as for most emoji? */
function isPair(text: string, i: number): boolean {
  return text.codePointAt(i - 1)! > 0xffff
}

const characters: BuiltIn = {
  name: 'characters',
  call: 'characters(text)',
  meaning: 'the list of its characters, each a text',
  steps: 'those of a list: 4, and 1 for each character',
  takes: [1],
  resolve: taking('characters', [[TEXT, 'a text']], {
    type: TEXTS,
    run(frame, [text]) {
      spendOnList(frame, (text as string).length)
      return Array.from(text as string)
    },
    most([text]) {
      const units = unitsOf(text)
      return { steps: LIST_STEPS + units, value: listOf(textUpTo(2), units, false) }
    },
  }),
}

const join: BuiltIn = {
  name: 'join',
  call: 'join(texts, separator)',
  meaning: 'one text of all of them; the separator may be left out',
  steps: '1 for each text, 1, and 1 for every 4 characters of the result',
  takes: [1, 2],
  resolve: taking(
    'join',
    [
      [TEXTS, 'a list of texts'],
      [TEXT, 'a text'],
    ],
    {
      type: TEXT,
      run(frame, [texts, separator = '']) {
        const parts = texts as readonly string[]
        const between = separator as string
        const gaps = Math.max(0, parts.length - 1) * between.length
        spend(frame, parts.length)
        spendOnText(
          frame,
          parts.reduce((sum, { length }) => sum + length, gaps),
        )
        return parts.join(between)
      },
      most([texts, separator = textUpTo(0)]) {
        const { most, of } = listExtreme(texts)
        const units = times(most, unitsOf(of)) + times(most, unitsOf(separator))
        return { steps: most + textSteps(units), value: textUpTo(units) }
      },
    },
  ),
}

const split: BuiltIn = {
  name: 'split',
  call: 'split(text, separator)',
  meaning: 'the list of the texts between the separators, which are not empty',
  steps: '5, 1 for every 4 characters, and 1 for each text',
  takes: [2],
  resolve: taking(
    'split',
    [
      [TEXT, 'a text'],
      [TEXT, 'a text'],
    ],
    {
      type: TEXTS,
      run(frame, [text, separator]) {
        if (separator === '') throw new FormulaError('split(...) needs a separator that is not empty.')
        const units = (text as string).length
        spendOnText(frame, units)
        const parts = (text as string).split(separator as string)
        spendOnList(frame, parts.length)
        return parts
      },
      most([text]) {
        const units = unitsOf(text)
        return { steps: textSteps(units) + LIST_STEPS + units + 1, value: listOf(textUpTo(units), units + 1, false) }
      },
    },
  ),
}

/** A test of a text for a part. `steps`: by the units of both. */
function test(
  name: string,
  call: string,
  meaning: string,
  [price, words]: readonly [(units: number, part: number) => number, string],
  decide: (text: string, part: string) => boolean,
): BuiltIn {
  return {
    name,
    call,
    meaning,
    steps: words,
    takes: [2],
    resolve: taking(
      name,
      [
        [TEXT, 'a text'],
        [TEXT, 'a text'],
      ],
      {
        type: BOOLEAN,
        run(frame, [text, part]) {
          spend(frame, price((text as string).length, (part as string).length))
          return decide(text as string, part as string)
        },
        most([text, part]) {
          return { steps: price(unitsOf(text), unitsOf(part)), value: plain(2, 0) }
        },
      },
    ),
  }
}

const compared = [(_: number, part: number) => textSteps(part), '1, and 1 for every 4 characters of the part'] as const
const searched = [
  (units: number, part: number) => textSteps(units) + Math.floor(times(units, part) / 256),
  '1, 1 for every 4 characters of the text, and a 256th of the product of both lengths',
] as const

const startsWith = test(
  'startsWith',
  'startsWith(text, part)',
  'whether the text begins with the part',
  compared,
  (text, part) => text.startsWith(part),
)
const endsWith = test(
  'endsWith',
  'endsWith(text, part)',
  'whether the text ends with the part',
  compared,
  (text, part) => text.endsWith(part),
)
const contains = test(
  'contains',
  'contains(text, part)',
  'whether the part occurs in the text',
  searched,
  (text, part) => text.includes(part),
)

const code: BuiltIn = {
  name: 'code',
  call: 'code(text)',
  meaning: "the number of the text's first character in Unicode; of `a` it is 97",
  steps: '0',
  takes: [1],
  resolve: taking('code', [[TEXT, 'a text']], {
    type: INT,
    run(_, [text]) {
      const found = (text as string).codePointAt(0)
      if (found === undefined) throw new FormulaError('code(...) needs a text that is not empty.')
      return found
    },
    most: () => ({ steps: 0, value: numberFrom(0, 0x10ffff) }),
  }),
}

const sliceOfText: Applied = {
  type: TEXT,
  run(frame, [text, from, to]) {
    const units = text as string
    spendOnText(frame, units.length)
    const all = Array.from(units)
    return all.slice(...clipped(from as Exact, to as Exact, all.length)).join('')
  },
  most: ([text]) => ({ steps: textSteps(unitsOf(text)), value: textUpTo(unitsOf(text)) }),
}

const slice: BuiltIn = {
  name: 'slice',
  call: 'slice(x, i, j)',
  meaning: 'the elements i to j of a list, or characters of a text, from 1; places outside of it are left out',
  steps: 'those of the list that it gives; of a text, 1 and 1 for every 4 characters',
  takes: [3],
  resolve([of = TEXT, from = INT, to = INT]) {
    if (of.kind !== 'list' && !fits(of, TEXT)) return misfit('slice', 0, 'a list or a text', of)
    if (!fits(from, INT)) return misfit('slice', 1, 'an int', from)
    if (!fits(to, INT)) return misfit('slice', 2, 'an int', to)
    return of.kind === 'list' ? sliceOfList(of) : sliceOfText
  },
}

/** The function `+` of two texts. */
export const concatenation: Applied = {
  type: TEXT,
  run(frame, [left, right]) {
    spendOnText(frame, (left as string).length + (right as string).length)
    return (left as string) + (right as string)
  },
  most([left, right]) {
    const units = unitsOf(left) + unitsOf(right)
    return { steps: textSteps(units), value: textUpTo(units) }
  },
}

export const textFunctions: readonly BuiltIn[] = [characters, join, split, startsWith, endsWith, contains, code, slice]
