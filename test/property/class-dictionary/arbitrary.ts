import fc from 'fast-check'
import { checkDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary, TypeUse } from '../../../grammars/class-dictionary/index.ts'
import { anyText } from '../../any-text.ts'

const reserved =
  /^(include|using|package|import|lookahead|nogen|noparse|extern|interface|implements|red|black|true|false|EOF)$/
const name = fc.stringMatching(/^[A-Za-z_$][A-Za-z0-9_$]{0,6}$/).filter((text) => !reserved.test(text))
const at = fc.constant({ line: 1, column: 1, offset: 0 })
const flag = fc.constantFrom(null, 'nogen' as const, 'noparse' as const, 'extern' as const)
const text = anyText({ maxLength: 12 })
const few = { maxLength: 3 }

const typeUse = [0, 1, 2].reduce<fc.Arbitrary<TypeUse>>(
  (inner) => fc.record({ name, at, arguments: fc.oneof(fc.constant([]), fc.array(inner, few)) }),
  fc.record({ name, at, arguments: fc.constant([]) }),
)
const nameDef = fc.record({ name, at, bound: fc.option(typeUse) })
const qualifiedName = fc.record({
  name: fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('.')),
  all: fc.boolean(),
  at,
})
const part = fc.oneof(
  fc.record({ kind: fc.constant('field' as const), label: name, at, type: typeUse }),
  fc.record({ kind: fc.constant('literal' as const), text, at }),
  fc.record({ kind: fc.constant('print' as const), command: fc.constantFrom('*s', '*t', '*l', '*r', '+', '-'), at }),
  fc.record({ kind: fc.constant('end' as const), at }),
)
const head = { flag, name, at, parameters: fc.array(nameDef, few), alternatives: fc.array(typeUse, few) }
const definition = fc.oneof(
  fc.record({ ...head, isInterface: fc.constant(false), parts: fc.array(part), implements: fc.array(typeUse, few) }),
  fc.record({ ...head, isInterface: fc.constant(true), parts: fc.constant([]), implements: fc.constant([]) }),
)

/** Any dictionary that the grammar can say, whether it makes sense or not. All positions are the beginning. */
export const anyDictionary = fc.record({
  dialect: fc.constant('C' as const),
  includes: fc.array(fc.record({ flag, name: text, at }), few),
  using: fc.array(nameDef, few),
  package: fc.option(qualifiedName),
  lookahead: fc.option(fc.record({ value: fc.maxSafeNat(), at })),
  imports: fc.array(qualifiedName, few),
  definitions: fc.array(definition),
  included: fc.constant([]),
})

const literal = fc.constantFrom(
  ...[
    'a',
    'b',
    'if',
    '(',
    ')',
    '.',
    '..',
    '-',
    '--',
    '+',
    '/',
    '//',
    '/*',
    '*',
    '1',
    '22',
    '1in3',
    '-1',
    '2.5',
    'e',
    'a.b',
    'x-',
  ],
  ...['a-', '$', ':', '::', '<=', '<', '=', 'end if', ' ( ', 'é', '🙂', "'", ';', ',', '1.', 'x1', '0x1', '-a'],
)
const lexical = fc.constantFrom('int', 'number', 'ident', 'string', 'int', 'ident')
const printing = fc.constantFrom('', '', '', '*s', '*l', '*t', '*r', '+', '-', '*l +')

/**
 * Dictionaries that make sense, by throwing the others away: up to six classes K0, K1.., some of them abstract with
 * shared parts, one of them generic, K0 always there.
 */
export const checkedDictionary = fc
  .record({
    lookahead: fc.constantFrom('', 'lookahead = 1;', 'lookahead = 3;'),
    classes: fc.array(
      fc.record({
        abstract: fc.nat({ max: 3 }).map((n) => n === 0),
        parent: fc.nat({ max: 5 }),
        marked: fc.nat({ max: 3 }).map((n) => n > 0),
        parts: fc.array(
          fc.record({
            literal: fc.option(literal, { freq: 2 }),
            wrap: fc.constantFrom('', '', 'List', 'Option', 'G'),
            of: fc.oneof(lexical, fc.nat({ max: 5 })),
            printing,
          }),
          { maxLength: 4 },
        ),
      }),
      { minLength: 1, maxLength: 6 },
    ),
  })
  .map(({ lookahead, classes }) => {
    const texts = classes.map(({ abstract, marked, parts }, i) => {
      // A class is an alternative of one abstract class before it, at most.
      const below = classes.flatMap(({ parent }, j) => (abstract && j > i && parent % j === i ? [`K${j}`] : []))
      const body = parts.slice(0, below.length > 0 ? 1 : 4).map(({ literal: word, wrap, of, printing: layout }, j) => {
        const inner = typeof of === 'string' ? of : `K${of % classes.length}`
        const type = wrap === '' ? inner : `${wrap}(${inner})`
        return `${word === null ? '' : JSON.stringify(word)} <f${i}_${j}> ${type} ${layout}`
      })
      return `K${i} = ${below.join(' | ')} ${marked ? `"k${i}"` : ''} ${body.join(' ')} .`
    })
    return `${lookahead} ${texts.join('\n')}\nG(X) = <a> X "," <b> List(X) ";".`
  })
  .map((source) => ({ source, dictionary: readDictionary(source).dictionary }))
  .filter((one): one is { source: string; dictionary: Dictionary } => one.dictionary !== null)
  .filter(({ dictionary }) => checkDictionary(dictionary).length === 0)
