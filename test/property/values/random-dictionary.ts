import { checkDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dictionary } from '../../../grammars/class-dictionary/index.ts'

/** Unsigned 32-bit numbers from a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return (t ^ (t >>> 14)) >>> 0
  }
}

export interface RandomDictionary {
  readonly source: string
  readonly dictionary: Dictionary
  /** Types that have values: classes, and uses of generic ones. */
  readonly types: readonly string[]
}

const lexicalC = ['int', 'number', 'ident', 'string', 'boolean', 'char', 'verbatim', 'long', 'Character']
const lexicalA = ['Integer', 'Double', 'Ident', 'String', 'int']
const signs = [
  '(',
  ')',
  '[',
  ']',
  '<',
  '>',
  '..',
  ':',
  '::',
  '<=',
  '=',
  '->',
  '-',
  '+',
  '*',
  ',',
  ';',
  '!',
  '#',
  'é',
  '1',
  '22',
]
const layouts = ['', '', '', ' *s', ' *l', ' +', ' -', ' *l +']

/**
 * Dictionaries that make sense and whose values can be read back: up to eight classes, concrete and abstract, nested abstract
 * ones with shared parts, generic ones, interfaces, lists, options, sets and maps in one another, every lexical class,
 * literals that look like names, numbers and signs; in dialect A repetitions, optional and unlabelled parts.
 */
export function randomDictionary(seed: number, dialect: 'A' | 'C'): RandomDictionary {
  for (let attempt = 0; ; attempt++) {
    const source = draw(randomFrom(seed * 1000 + attempt), dialect)
    const { dictionary } = readDictionary(source)
    if (dictionary === null || dictionary.dialect !== dialect || checkDictionary(dictionary).length > 0) continue
    const types = dictionary.definitions.map(({ name, parameters }) =>
      parameters.length === 0 ? name : `${name}(${parameters.map(() => 'K0').join(', ')})`,
    )
    return { source, dictionary, types }
  }
}

function draw(random: () => number, dialect: 'A' | 'C'): string {
  const below = (count: number): number => Math.floor((random() / 2 ** 32) * count)
  const pick = <T>(list: readonly T[]): T => list[below(list.length)]!
  const modern = dialect === 'C'
  const count = 1 + below(8)
  const lexicals = modern ? lexicalC : lexicalA
  const quoted = (text: string): string => `"${text}"`
  const literal = (): string => quoted(below(3) === 0 ? `w${below(9)}` : pick(signs))
  const names = Array.from({ length: count }, (_, i) => `K${i}`)

  /** A type whose text begins with something that can be told from what follows it. */
  const plain = (): string => (below(3) === 0 ? pick(names) : pick(lexicals))
  const type = (): string => {
    if (!modern) return plain()
    switch (below(9)) {
      case 0:
        return `List(${plain()})`
      case 1:
        return `Option(${plain()})`
      case 2:
        return `Set(${plain()})`
      case 3:
        return `Map(${plain()}, ${below(2) === 0 ? plain() : `G(${plain()})`})`
      case 4:
        return `G(${plain()})`
      case 5:
        return `H(${plain()}, ${pick(lexicals)})`
      case 6:
        return `Entry(${plain()}, ${plain()})`
      default:
        return plain()
    }
  }
  const part = (label: string): string => {
    const field = modern || below(3) > 0 ? `<${label}> ${type()}` : plain()
    const layout = pick(layouts)
    const text = below(3) === 0 ? field : `${field}${layout} ${literal()}`
    return !modern && below(4) === 0 ? `[ ${literal()} <${label}> ${plain()} ]` : text
  }
  const parts = (owner: number, most: number): string =>
    Array.from({ length: below(most + 1) }, (_, i) => part(`f${owner}_${i}`)).join(' ')

  const free = names.slice(1)
  const classes = names.map((name, i) => {
    const kind = below(6)
    const mark = below(5) === 0 ? '' : `${quoted(`k${i}`)} `
    const own = free.filter((one) => Number(one.slice(1)) > i)
    if (kind < 2 && own.length > 0) {
      const below1 = own.slice(0, 1 + below(3))
      for (const one of below1) free.splice(free.indexOf(one), 1)
      const shared = below(2) === 0 ? '' : parts(i, 1)
      return modern
        ? `${name} = ${below1.join(' | ')} ${shared}.`
        : `${name} : ${below1.join(' | ')}${shared === '' ? '' : ` *common* ${shared}`}.`
    }
    if (!modern && kind === 2) {
      const separated = below(2) === 0
      return separated
        ? `${name} ~ "[" ${plain()} { "," ${plain()} } "]".`
        : `${name} ~ "{" { ${literal()} ${plain()} } "}".`
    }
    return `${name} = ${mark}${parts(i, 4)}.`
  })
  const generic = modern
    ? ['G(X) = <a> X "," <b> List(X) ";".', 'H(X, Y) = "h" <x> Option(G(X)) "/" <y> Y <z> Set(Y) "\\\\".']
    : []
  const all = count > 2 && modern && below(3) === 0 ? ['interface I = K1 | K2.'] : []
  const head = modern ? pick(['', '', 'lookahead = 3; ']) : '// dialect: A\n'
  return `${head}${[...classes, ...generic, ...all].join('\n')}`
}
