import { sectionMeanings } from '../challenges/section-words.ts'
import { draws } from '../formulas/drawing/draws.ts'
import { builtIns } from '../formulas/functions/functions.ts'

/** A word of the language with its meaning in a line. */
export interface Word {
  readonly word: string
  readonly text: string
}

function words(list: Readonly<Record<string, string>>): readonly Word[] {
  return Object.entries(list).map(([word, text]) => ({ word, text }))
}

/** The word that begins a file, and the words that begin a section. */
export const sectionWords = words({ challenge: 'the name and the title of the challenge', ...sectionMeanings })

/** The formats of other programs that a section "format" names. */
export const formats = words({
  'course-csp': 'constraints with relation numbers, as in the course',
  'dimacs-cnf': 'clauses of DIMACS: cnf and wcnf',
  'dimacs-graph': 'graphs of DIMACS: col',
  'or-library-scp': 'set covers of the OR-Library: scp',
  tsplib: 'tours of TSPLIB: tsp',
})

/** Other words of formulas, requirements, properties and examples. */
export const keywords = words({
  require: 'a condition, and after "else" the message if it does not hold',
  else: 'otherwise',
  if: 'a choice between two values',
  then: 'the value if the condition holds',
  let: 'defines a name for the rest of the formula',
  match: 'a case for each alternative of a value',
  for: 'each element of a list',
  at: 'the index of the element, from 1',
  from: 'the name and the first value of what fold(...) computes',
  in: 'is an element of; or the list to iterate over',
  where: 'only elements for which a condition holds',
  or: 'one or both',
  and: 'both',
  not: 'the opposite',
  div: 'integer division',
  mod: 'the remainder of a division',
  subset: 'whether all elements are in the other list',
  label: 'the text of a shape of a picture',
  colour: 'the colour of a shape of a picture; 0 for none',
  mark: 'which shapes of a picture stand out',
  true: 'the truth value true',
  false: 'the truth value false',
  list: 'list of ...: a type',
  option: 'option of ...: a type',
  of: 'used after list and option',
  predicate: 'what is sold',
  instance: 'the raw material',
  solution: 'the finished product',
  max: 'the largest of some numbers; or the goal to maximize',
  min: 'the smallest of some numbers; or the goal to minimize',
  best: 'the measure is that of the collection of the format, so that best known ones count',
  secret: 'secret challenges are allowed in the league',
  refused: 'the example must be refused',
  quality: 'how good a solution is, 0 to 1',
  because: 'the text of the refusal',
  range: 'range low high: a number between two bounds',
  planted: 'the solution that a generator hides in what it makes',
  enum: 'one of some values',
  length: 'the number of elements; or a rule for it',
  element: 'a rule for each element',
  choose: 'how often each alternative is generated',
  matches: 'a regular expression that a text must match',
})

/** Functions of the language. */
export const functions: readonly Word[] = [
  ...words({
    sum: 'sum(x for x in list): number',
    count: 'count(x for x in list where ...): int',
    all: 'all(condition for x in list): boolean',
    exists: 'exists(condition for x in list): boolean',
    min: 'min(a, b, ...) or min(list): the smallest',
    max: 'max(a, b, ...) or max(list): the largest',
    index: 'index(): int, in a property: the number of the element that the rule is about',
    fold: 'fold(next from s = start for x in list): the last next value',
    first: 'first(x for x in list where ...): the first',
    distinct: 'distinct(list): boolean, whether no element occurs twice',
    allDifferent: 'allDifferent(list): boolean, whether no element occurs twice',
    length: 'length(list) or length(text): int',
    bit: 'bit(number, row): boolean, whether that bit is set',
    abs: 'abs(number): the absolute value',
    floor: 'floor(number): int, rounded down',
    lookup: 'lookup(entries, key): the value for a key',
    has: 'has(entries, key): boolean, whether there is an entry for a key',
  }),
  ...[...builtIns, ...draws].map(({ name, call, meaning }) => ({ word: name, text: `${call}: ${meaning}` })),
]

/** Classes built into every dictionary. */
export const builtInClasses = ['int', 'number', 'boolean', 'ident', 'string', 'List', 'Option', 'Set', 'Map'] as const
