import type { Position } from '../problem.ts'
import type { Definition, Dialect, NameDef, Part } from './model.ts'

/** The lexical classes of a value's text. */
export type Lexical = 'int' | 'number' | 'boolean' | 'char' | 'ident' | 'string' | 'verbatim'

/** The names of lexical classes in all dialects: those of Java. */
const javaNames: readonly (readonly [string, Lexical])[] = [
  ...['int', 'long', 'short', 'byte', 'Integer', 'Long', 'Short', 'Byte'].map((name) => [name, 'int'] as const),
  ...['double', 'float', 'Double', 'Float'].map((name) => [name, 'number'] as const),
  ['String', 'string'],
  ...['boolean', 'Boolean'].map((name) => [name, 'boolean'] as const),
  ...['char', 'Character'].map((name) => [name, 'char'] as const),
]
/** The names of DemFGen, and Tartaglia's `number` and `string`. */
const demfgenNames: readonly (readonly [string, Lexical])[] = [
  ['ident', 'ident'],
  ['verbatim', 'verbatim'],
  ['number', 'number'],
  ['string', 'string'],
]
/** The names of DemeterJ and, with `Dem`, of Demeter/C++. */
const demeterNames: readonly (readonly [string, Lexical])[] = [
  ...['Ident', 'DemIdent', 'Word'].map((name) => [name, 'ident'] as const),
  ['DemString', 'string'],
  ['DemNumber', 'int'],
  ['DemReal', 'number'],
]

/** The names of lexical classes in any dialect. */
export const lexicalNames: ReadonlyMap<string, Lexical> = new Map([...javaNames, ...demfgenNames, ...demeterNames])

/** Predefined classes of dialect A, whose values only its own programs can read and write. */
const foreignNames: readonly string[] = [
  ...['Text', 'DemText', 'Line', 'void', 'Object', 'Number', 'Class', 'Thread', 'Throwable', 'Exception'],
  ...['StringBuffer', 'Void', 'Comparable', 'Runnable', 'Cloneable', 'Iterable'],
]

/** Library classes that need no include, with their number of parameters. A dictionary can override them. */
const libraryNames: ReadonlyMap<string, number> = new Map([
  ['List', 1],
  ['Option', 1],
  ['Set', 1],
  ['Map', 2],
  ['Entry', 2],
])

const start: Position = { line: 1, column: 1, offset: 0 }
const parameter = (name: string): NameDef => ({ name, at: start, bound: null })
const field = (label: string, type: string): Part => ({
  kind: 'field',
  label,
  at: start,
  type: { name: type, at: start, arguments: [] },
})
const literal = (text: string): Part => ({ kind: 'literal', text, at: start })

/** The class of a Map's elements: `Entry(K, V) = "(" <key> K "->" <val> V ")".` */
export const entryDefinition: Definition = {
  flag: null,
  isInterface: false,
  name: 'Entry',
  at: start,
  parameters: [parameter('K'), parameter('V')],
  alternatives: [],
  parts: [literal('('), field('key', 'K'), literal('->'), field('val', 'V'), literal(')')],
  implements: [],
}

/** The predefined names and their number of type arguments. B is between A and C, and accepts the names of both. */
const builtIns: Readonly<Record<Dialect, ReadonlyMap<string, number>>> = {
  A: aritiesOf([...javaNames, ...demeterNames], foreignNames, new Map()),
  B: aritiesOf([...javaNames, ...demeterNames, ...demfgenNames], foreignNames, libraryNames),
  C: aritiesOf([...javaNames, ...demfgenNames], [], libraryNames),
}

function aritiesOf(
  lexical: readonly (readonly [string, Lexical])[],
  foreign: readonly string[],
  library: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  return new Map([...[...lexical.map(([name]) => name), ...foreign].map((name) => [name, 0] as const), ...library])
}

/** The number of type arguments of a built-in name; undefined: the dialect has no such name. */
export function builtInArity(name: string, dialect: Dialect): number | undefined {
  return builtIns[dialect].get(name)
}

export function builtInNames(dialect: Dialect): Iterable<string> {
  return builtIns[dialect].keys()
}

/** The dialects that have a built-in name. */
export function dialectsWith(name: string): readonly Dialect[] {
  return (['A', 'B', 'C'] as const).filter((dialect) => builtIns[dialect].has(name))
}

/** The name in dialect C of a lexical class of A: `ident` for `Ident`. */
export function nameInC(name: string): string | undefined {
  const lexical = demeterNames.find(([known]) => known === name)?.[1]
  return [...demfgenNames, ...javaNames].find(([, known]) => known === lexical)?.[0]
}
