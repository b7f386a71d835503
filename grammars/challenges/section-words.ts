/**
 * The words that begin a section of a .challenge file, with their meanings in a line. The parser, the messages about unknown
 * sections, completion, hover and highlighting follow this list.
 */
export const sectionMeanings = {
  text: 'the description for students, in Markdown',
  config: 'numbers that a contest can set',
  dictionary: 'the structure of predicates, instances and solutions',
  set: 'a list in which order and duplicates do not matter',
  define: 'a function, for use below',
  legal: 'conditions on a predicate or an instance',
  feasible: 'conditions on a solution',
  measure: 'the value of a solution',
  goal: 'whether a larger or a smaller measure is better',
  bound: 'a bound on the measure',
  belief: 'whether a claim holds in spite of a solution',
  property: 'how random objects are generated',
  generate: 'how raw material is made, by seeded draws, with a solution that stays secret',
  picture: 'how an instance and a solution are drawn',
  format: 'the format of other programs in which raw material is read and written',
  league: 'which predicates may be offered in the league',
  reference: 'a way to solve instances, to try out the game with',
  example: 'a test: the expected quality or refusal',
} as const satisfies Readonly<Record<string, string>>

/** In the order in which they are listed to people. */
export const sectionNames: readonly string[] = Object.keys(sectionMeanings)
