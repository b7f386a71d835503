import { judgeDictionary, printDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import type { Dialect } from '../../../grammars/class-dictionary/index.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { compileValues } from '../../../grammars/values/index.ts'

/** Texts that are changed: every construct of every dialect. */
const whole: readonly string[] = [
  'include "a.cd"; nogen include "b"; using P, Q: R(S); package a.b.*; lookahead = 0x2; import c.d.*;\nA = B | C <x> int "lit" *s *l + - EOF.\nB = .\nC(X: Y) = (D | E(X)) <l> List(Option(X)) implements I, J(K).\ninterface I = .\nnoparse extern A = "\\101\\n".',
  '// dialect: A\nimport a.*; *public* Main = Exp.\nExp : Num | Sum *common* [ "!" <n> Ident ].\nNum = Integer.\nSum ~ "(" *l Exp { "+" Exp } ")".\nL(S) ~ { S ";" }.\nT = *inherit* Exp $ X @ m L(DemIdent) *static* <y> B = (@ 0 @) extends E implements F {{ int f() {} }} EOF.\n*terminal_sets* A, B.',
  'A : B | C.\nB = "in" Ref <l> List(ident).\nC = .\nRef = <n> ident Option(Tail).\nTail = "." int.',
  'Expr = Num | Add | Neg. Num = <v> int. Add = "(" <l> Expr "+" <r> Expr ")". Neg = "-" <e> Expr.',
]
const shards: readonly string[] = [
  ...['A', 'B', 'X', 'List', 'Option', 'Map', 'int', 'ident', 'Ident', 'x', '$', '_', 'é', '1', '0x', '2'],
  ...[
    ' = ',
    ' : ',
    ' ~ ',
    '.',
    ' | ',
    '<',
    '>',
    '(',
    ')',
    '[',
    ']',
    '{',
    '}',
    ',',
    ';',
    '@',
    '@@',
    '.*',
    '..',
    '"',
    "'",
  ],
  ...[
    '"a"',
    '"\\n"',
    '"\\',
    '*s',
    '*l',
    '*t',
    '*r',
    '*',
    '+',
    '-',
    '*common*',
    'common ',
    '*inherit* ',
    '*terminal_sets* ',
  ],
  ...[
    'EOF ',
    '*EOF*',
    'include ',
    'using ',
    'package ',
    'import ',
    'lookahead ',
    'interface ',
    'implements ',
    'extends ',
  ],
  ...['nogen ', 'noparse ', 'extern ', '*static* ', '*public* ', 'read-only ', '(@', '@)', '{{', '}}', 'red ', 'true '],
  ...[
    '//',
    '/*',
    '*/',
    '\n',
    '\r',
    '\t',
    '\f',
    ' ',
    '\\',
    '\0',
    '\ud800',
    '\ufeff',
    '// dialect: A\n',
    '// dialect: B\n',
  ],
  ...['A = B | C.', 'B = A.', 'A : A | B.', 'A ~ {A}.', 'A(X) = <x> A(List(X)).', 'C = <x> List(C).', 'B = EOF <x> B.'],
]

/** Classes of which something can come, # being a name, with the sign of C and of A. */
const classes: readonly string[] = [
  ...[
    '# = <x> #.',
    '# = # | #.',
    '# = "a" <x> List(#) <y> #.',
    '# = <x> Option(#) "b".',
    '# = .',
    '# = "c".',
    '# = #.',
  ],
  ...['#(X) = <x> X <y> #(X).', '# = <x> #(int).', '# = # | # <s> int.', '# = <i> ident EOF.', 'interface # = # | #.'],
  ...[
    '# : # | #.',
    '# = # "d" #.',
    '# = [ "e" # ] #.',
    '# ~ { # }.',
    '# ~ "(" # { "," # } ")".',
    '# : # common # "f".',
  ],
  ...[
    '# = Ident.',
    '# = Integer "g".',
    '# = *inherit* # #.',
    '#(X) ~ { X ";" }.',
    '# : # | # *common* [ # ].',
    '# = #(#).',
  ],
]
const names = ['A', 'B', 'C', 'D', 'E', 'int']

/** Numbers of 32 bits from a seed (Weyl sequence and a mixer). */
export function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }
}

/** One text to try: shards in a row, or a whole dictionary with some of it cut out, doubled or replaced. */
export function fuzzed(random: () => number): string {
  const below = (count: number): number => random() % count
  const shard = (): string => shards[below(shards.length)]!
  if (below(2) === 0) {
    const begin = below(2) * 12
    const some = (): string => classes[begin + below(12)]!.replaceAll('#', () => names[below(names.length)]!)
    // Each name is defined once, most of the time.
    const own = names.slice(0, 1 + below(5)).map((name) => classes[begin + below(12)]!.replace('#', name))
    return [
      ...own.map((one) => one.replaceAll('#', () => names[below(own.length)]!)),
      below(4) === 0 ? some() : '',
    ].join('\n')
  }
  if (below(3) === 0) return Array.from({ length: below(30) }, shard).join('')
  let text = whole[below(whole.length)]!
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const from = below(text.length + 1)
    const to = Math.min(text.length, from + below(below(4) === 0 ? 40 : 4))
    const put = [
      shard(),
      '',
      text.slice(from, to).repeat(2),
      whole[below(whole.length)]!.slice(below(80), 80 + below(80)),
    ]
    text = text.slice(0, from) + put[below(put.length)]! + text.slice(to)
  }
  return text
}

/** Does everything that can be done with a text; throws where an answer is not as it must be. Was it read? */
export function tryText(text: string, dialect: Dialect | undefined): boolean {
  const options = {
    resolve: (name: string) => (name.length < 3 ? text : null),
    ...(dialect === undefined ? {} : { dialect }),
  }
  const { dictionary, problems } = readDictionary(text, options)
  if (problems.length > 0 !== (dictionary === null)) throw new Error('neither read nor refused')
  // Problems of an included file are of the same text.
  checkPlaces(problems, text)
  if (dictionary === null) return false
  const printed = printDictionary(dictionary)
  const again = readDictionary(printed, { resolve: options.resolve, dialect: dictionary.dialect })
  if (again.dictionary === null || printDictionary(again.dictionary) !== printed) throw new Error('printed otherwise')
  const { errors, warnings } = judgeDictionary(dictionary)
  checkPlaces(errors, text)
  checkPlaces(warnings, text)
  if (errors.length > 0) return true
  const values = compileValues(dictionary)
  for (const { name, parameters } of dictionary.definitions.slice(0, 3)) {
    const type = parameters.length === 0 ? name : `${name}(${parameters.map(() => 'int').join(', ')})`
    for (const sample of ['', 'x', '(1+2)', '(a (b) 3!', text.slice(0, 20)]) values.parse(sample, type)
    const { ok } = values.shape(type)
    if (!ok) continue
    const made = values.sample(type, randomOf(text.length), { size: 20 })
    if (made.ok && values.validate(made.value, type) !== null) throw new Error('a sample is invalid')
  }
  return true
}

function checkPlaces(problems: readonly Problem[], text: string): void {
  const lines = text.split(/\r\n|\n|\r/)
  for (const { at, message, file } of problems) {
    if (!/^.+\.$/su.test(message)) throw new Error(`no sentence: ${message}`)
    if (file !== undefined && file.length >= 3) continue
    const line = lines[at.line - 1]
    if (line === undefined || at.column > line.length + 1 || at.offset > text.length) throw new Error('out of the text')
  }
}
