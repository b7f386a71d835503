import fc from 'fast-check'
import type { Dialect } from '../../../grammars/class-dictionary/index.ts'
import type { TypeUse } from '../../../grammars/class-dictionary/model.ts'
import { anyText } from '../../any-text.ts'

const words = new Set([
  ...['common', 'extends', 'implements', 'package', 'import', 'include', 'using', 'lookahead', 'interface', 'noparse'],
  ...[
    'nogen',
    'extern',
    'EOF',
    'public',
    'abstract',
    'final',
    'static',
    'private',
    'protected',
    'transient',
    'derived',
  ],
])
const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_$]{0,5}$/).filter((text) => !words.has(text))
const anyName = fc.oneof({ weight: 5, arbitrary: name }, fc.constantFrom(...words))
const at = fc.constant({ line: 1, column: 1, offset: 0 })
const few = { maxLength: 3 }
const text = anyText({ maxLength: 8 })
const inside = fc.string({ unit: fc.constantFrom('a', ' ', '2', '@', '}', '"', '\n'), maxLength: 6 })
const expression = fc.record({ at, text: inside.map((code) => `(@${code.replaceAll('@', '')}@)`) })
const methods = fc.record({ at, text: inside.map((code) => `{{${code.replaceAll('}', '')}}}`) })

/** A key that is there or not; fast-check's own `requiredKeys` would have to know all the others. */
function perhaps<K extends string, T>(key: K, value: fc.Arbitrary<T>): fc.Arbitrary<Partial<Record<K, T>>> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant({}) },
    value.map((one) => ({ [key]: one }) as Partial<Record<K, T>>),
  )
}

function merged(...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<Record<string, unknown>> {
  return fc.tuple(...parts).map((all) => Object.assign({}, ...all) as Record<string, unknown>)
}

const typeUse = [0, 1].reduce<fc.Arbitrary<TypeUse>>(
  (inner) =>
    merged(
      fc.record({ name, at, arguments: fc.oneof(fc.constant([]), fc.array(inner, few)) }),
      perhaps('external', fc.constant(true)),
      perhaps('module', fc.record({ sign: fc.constantFrom('@', '@@'), name })),
    ) as fc.Arbitrary<unknown> as fc.Arbitrary<TypeUse>,
  fc.record({ name, at, arguments: fc.constant([]) }),
)
const typeUses = fc.array(typeUse, { minLength: 1, maxLength: 3 })
const nameDef = fc.record({ name, at, bound: fc.option(typeUse) })
const qualifiedName = fc
  .record({ first: name, rest: fc.array(anyName, few), all: fc.boolean() })
  .map(({ first, rest, all }) => ({ name: [first, ...rest].join('.'), all, at: { line: 1, column: 1, offset: 0 } }))
const syntaxPart = fc.oneof(
  fc.record({ kind: fc.constant('literal' as const), text, at }),
  fc.record({ kind: fc.constant('print' as const), command: fc.constantFrom('*s', '*t', '*l', '*r', '+', '-'), at }),
)
const syntax = fc.array(syntaxPart, few)
const modifier = fc.constantFrom('*static*', 'static', '*read-only*', 'read-only', 'private', '*public*', 'final')
const field = fc
  .tuple(
    fc.record({ kind: fc.constant('field' as const), label: anyName, at, type: typeUse }),
    fc.boolean(),
    merged(perhaps('modifiers', fc.array(modifier, { minLength: 1, maxLength: 2 })), perhaps('initial', expression)),
  )
  .map(([one, implicit, more]) => {
    if (!implicit) return { ...one, ...more }
    const label = `${one.type.name.charAt(0).toLowerCase()}${one.type.name.slice(1)}`
    return { ...one, label, implicit: true, ...more }
  })
const part = fc.oneof(
  field,
  syntaxPart,
  merged(fc.record({ kind: fc.constant('end' as const), at }), perhaps('starred', fc.constant(true))),
  fc.record({ kind: fc.constant('inherit' as const), at, types: typeUses }),
  merged(
    fc.record({ kind: fc.constant('optional' as const), at, before: syntax, field, after: syntax }),
    perhaps('lookahead', expression),
  ),
)
const body = fc.oneof(
  fc.record({ alternatives: fc.constant([]), parts: fc.array(part, { maxLength: 5 }) }),
  fc.record({
    alternatives: fc.array(merged(typeUse, perhaps('lookahead', expression)), { minLength: 1, maxLength: 3 }),
    common: fc.constantFrom('common', '*common*'),
    parts: fc.array(part, few),
  }),
  fc.record({ alternatives: typeUses, parts: fc.constant([]) }),
  fc.record({
    alternatives: fc.constant([]),
    repetition: merged(
      fc.record({
        at,
        before: syntax,
        first: fc.option(typeUse),
        open: syntax,
        of: typeUse,
        close: syntax,
        after: syntax,
      }),
      perhaps('lookahead', expression),
    ),
    parts: fc.oneof(fc.constant([]), fc.tuple(fc.record({ kind: fc.constant('end' as const), at }))),
  }),
)
const definition = merged(
  fc.record({
    flag: fc.constantFrom(null, 'nogen', 'noparse', 'extern'),
    isInterface: fc.boolean(),
    name,
    at,
    parameters: fc.array(nameDef, few),
    implements: fc.oneof(fc.constant([]), typeUses),
  }),
  body,
  perhaps(
    'modifiers',
    fc.array(fc.constantFrom('public', '*public*', 'abstract', '*visitor*', 'final'), { minLength: 1, maxLength: 2 }),
  ),
  perhaps('extends', typeUses),
  perhaps('methods', methods),
)

/** Any dictionary that the grammar of dialects A and B can say, whether it makes sense or not. */
export const anyOlderDictionary: fc.Arbitrary<object> = merged(
  fc.record({
    dialect: fc.constantFrom<Dialect>('A', 'B'),
    includes: fc.array(fc.record({ flag: fc.constantFrom(null, 'nogen', 'extern'), name: text, at }), few),
    using: fc.array(nameDef, few),
    package: fc.option(qualifiedName),
    lookahead: fc.option(fc.record({ value: fc.maxSafeNat(), at })),
    imports: fc.array(qualifiedName, few),
    definitions: fc
      .array(
        fc.tuple(
          definition,
          perhaps('package', fc.record({ name: qualifiedName, imports: fc.array(qualifiedName, few) })),
        ),
      )
      // In front of the first class it is the dictionary's own.
      .map((all) => all.map(([one, directive], i) => (i === 0 ? one : { ...one, ...directive }))),
    included: fc.constant([]),
  }),
  perhaps('terminalSets', typeUses),
)
