/** A word of the language with what it does, in a line. */
export interface Word {
  readonly word: string
  readonly text: string
}

function words(list: Readonly<Record<string, string>>): readonly Word[] {
  return Object.entries(list).map(([word, text]) => ({ word, text }))
}

/** What begins a section. */
export const sectionWords = words({
  challenge: 'the name and the title of the challenge',
  text: 'what students read, in Markdown',
  config: 'numbers that a contest may choose',
  dictionary: 'what predicates, instances and solutions look like',
  set: 'a list whose order and duplicates do not matter',
  define: 'a function, for use below',
  legal: 'what a predicate or an instance must meet',
  feasible: 'what a solution must meet',
  measure: 'how much a solution is',
  goal: 'whether a greater or a smaller measure is better',
  bound: 'a number that no measure passes',
  belief: 'whether a solution leaves a claim standing',
  property: 'how random objects are made',
  league: 'which predicates may be offered in it',
  example: 'what must come out, or be refused',
})

/** Other words of formulas, demands, properties and examples. */
export const keywords = words({
  require: 'a demand: a condition, and behind "else" what a player is told',
  else: 'otherwise',
  if: 'a choice between two values',
  then: 'the value where the condition holds',
  let: 'a name for a value, up to the end of the formula',
  match: 'a choice among the alternatives of a value',
  for: 'each element of a list',
  at: 'the number of the element, from 1',
  in: 'is one of; or the list that elements come from',
  where: 'only elements that meet a condition',
  or: 'one or both',
  and: 'both',
  not: 'the opposite',
  div: 'division without rest',
  mod: 'the rest of a division',
  subset: 'all elements are in the other list',
  true: 'the truth',
  false: 'its opposite',
  list: 'list of ...: a type',
  option: 'option of ...: a type',
  of: 'behind list and option',
  predicate: 'what is sold',
  instance: 'the raw material',
  solution: 'the finished product',
  max: 'the greatest of some numbers; or the goal',
  min: 'the least of some numbers; or the goal',
  secret: 'secret challenges are part of the league',
  refused: 'the example must not be accepted',
  quality: 'how good a solution is, 0 to 1',
  because: 'words of the refusal',
  range: 'range low high: a number between two',
  enum: 'one of some values',
  length: 'how many elements; or a rule about that',
  element: 'a rule about each element',
  choose: 'how often each alternative is made',
  matches: 'a regular expression for a text',
})

/** Functions of the language. */
export const functions = words({
  sum: 'sum(x for x in list): number',
  count: 'count(x for x in list where ...): int',
  all: 'all(condition for x in list): boolean',
  exists: 'exists(condition for x in list): boolean',
  min: 'min(a, b, ...) or min(list): the least',
  max: 'max(a, b, ...) or max(list): the greatest',
  first: 'first(x for x in list where ...): the first',
  distinct: 'distinct(list): boolean, no element twice',
  length: 'length(list): int',
  bit: 'bit(number, row): boolean, whether that bit is set',
  abs: 'abs(number): number without its sign',
  floor: 'floor(number): int, not above it',
  lookup: 'lookup(entries, key): the value of a key',
  has: 'has(entries, key): boolean',
})

/** Classes that every dictionary knows. */
export const builtInClasses = ['int', 'number', 'boolean', 'ident', 'string', 'List', 'Option', 'Set', 'Map'] as const
