/** The lexical classes of a value's text. */
export type Lexical = 'int' | 'number' | 'ident' | 'string'

/** Names of lexical classes, in our spelling and in Java's. */
export const lexicalNames: ReadonlyMap<string, Lexical> = new Map<string, Lexical>([
  ...['int', 'long', 'short', 'byte', 'Integer', 'Long', 'Short', 'Byte'].map((name) => [name, 'int'] as const),
  ...['number', 'double', 'float', 'Double', 'Float'].map((name) => [name, 'number'] as const),
  ['ident', 'ident'],
  ['string', 'string'],
  ['String', 'string'],
])

/** Known to dialect C, so no dictionary is refused for them; a class that holds one has no values here. */
export const foreignNames: ReadonlySet<string> = new Set(['boolean', 'Boolean', 'char', 'Character', 'verbatim'])

/** The library classes that need no include. A dictionary that defines its own overrides them. */
const libraryNames: ReadonlySet<string> = new Set(['List', 'Option'])

/** How many type arguments a built-in name takes; undefined: it is none. */
export function builtInArity(name: string): number | undefined {
  if (libraryNames.has(name)) return 1
  return lexicalNames.has(name) || foreignNames.has(name) ? 0 : undefined
}

export const builtInNames: readonly string[] = [...lexicalNames.keys(), ...foreignNames, ...libraryNames]
