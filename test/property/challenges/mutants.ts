import { ERRAND } from '../../unit/challenges/mistakes.ts'

/** A file that is read in a fraction of the time. */
export const SMALL = `challenge small "Small"
config { most = 9 in 1..20 }
dictionary {{ Predicate = <n> int. Instance = <xs> List(int). Solution = <i> int. }}
set Instance.xs
define half(x: int, more: list of int) = if x > 0 and x in more then x div 2 else x
legal predicate { require predicate.n in 1..config.most else "Not {predicate.n}." }
legal instance { for x at i in instance.xs { require not x = 0 else "0 at {i}." } }
feasible solution { require solution.i in 1..length(instance.xs) else "No." }
measure = half(solution.i, [x + 1 for x in instance.xs where x > 0])
goal = max
bound = max(1, sum(x for x in instance.xs))
property instance { Instance.xs: length range 1 3, element range 1 config.most }
league easy "Easy" (k = 2 in 1..9) { require predicate.n <= k else "At most {k}." }
example "one" { predicate {{ 1 }} instance {{ 2 }} solution {{ 1 }} quality = 1/2 }
`

/** Pieces of this language and of others. */
const shards: readonly string[] = [
  ...[
    '==',
    '&&',
    '||',
    '!',
    '%',
    '^',
    '**',
    '?',
    ':',
    '<>',
    '\u2264',
    '#',
    "'",
    '\u201c',
    '\u201d',
    '`',
    '->',
    '<->',
    '=>',
    '|',
  ],
  ...[
    '-',
    '..',
    '...',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    '{{',
    '}}',
    '"',
    ';',
    ',',
    '.',
    '=',
    '+=',
    '/*',
    '//',
    '\\',
    '\0',
    '\ud800',
    '\ufeff',
  ],
  ...[
    ' range ',
    ' in ',
    ' for ',
    ' where ',
    ' if ',
    ' then ',
    ' else ',
    ' let ',
    ' match ',
    ' require ',
    ' not ',
    ' AND ',
    ' forall(',
    ' list ',
  ],
  ...[
    ' 0 ',
    ' x',
    'i',
    '[0]',
    '.length',
    'len(',
    '"t"',
    '\n',
    '\r\n',
    '\t',
    ' ',
    ' List[int] ',
    'int x',
    ' => ',
    'elif',
    'return ',
  ],
  ...[
    '\ngoal = max\n',
    '\nmeasure = 1\n',
    '\nproperty instance {',
    '\ndictionary {{',
    'predicate',
    'instance.',
    'config.',
    ' Option(int) ',
  ],
]

/** The file with one to four places changed: something put in, left out, doubled or moved. */
export function mutated(random: () => number): string {
  const below = (limit: number): number => random() % limit
  let text = below(10) === 0 ? ERRAND : SMALL
  for (let changes = 1 + below(4); changes > 0; changes--) {
    const at = below(text.length + 1)
    const to = Math.min(text.length, at + (below(3) === 0 ? below(60) : below(4)))
    const other = below(text.length)
    const put = [shards[below(shards.length)]!, '', text.slice(at, to).repeat(2), text.slice(other, other + below(40))]
    text = text.slice(0, at) + put[below(put.length)]! + text.slice(to)
  }
  return text
}
