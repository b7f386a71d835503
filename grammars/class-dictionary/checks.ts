import type { Problem } from '../problem.ts'
import { Expansion } from './expand.ts'
import type { ChoiceNode, ListNode, Node, OptionNode } from './expand.ts'
import { checkFlow } from './flow.ts'
import { Predictor } from './lookahead.ts'
import type { Dictionary } from './model.ts'
import { checkNames } from './names.ts'
import { isAbstract, problemIn, scopeOf, typesOf, withArguments } from './scope.ts'
import type { Scope } from './scope.ts'
import { END, tokenName, vocabularyOf } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

const DEFAULT_LOOKAHEAD = 2
const MAX_LOOKAHEAD = 16
/** Problems reported at once. */
const MAX_PROBLEMS = 100

/** What checking a dictionary found out about it; `values` is built on this. */
export interface Analysis {
  readonly dictionary: Dictionary
  readonly scope: Scope
  readonly vocabulary: Vocabulary
  readonly k: number
  /** Holds every class that has no type parameters, and what they use. */
  readonly expansion: Expansion
  readonly predictor: Predictor
}

/**
 * Everything wrong with a dictionary beyond its grammar, in the order of the text: missing includes, unbound names, wrong
 * numbers of type arguments, duplicates, cycles of alternatives, two abstract parents, classes without a finite value,
 * left recursion, alternatives that the lookahead does not tell apart. Later kinds are looked for only where there is
 * nothing of the earlier ones. Lookahead: the dictionary's, 16 at most, 2 where it states none.
 */
export function checkDictionary(dictionary: Dictionary): readonly Problem[] {
  const analysis = analyse(dictionary)
  return analysis.ok ? [] : analysis.problems
}

/** Warnings: the classes that no value of `root` can hold. */
export function unreachableClasses(dictionary: Dictionary, root: string): readonly Problem[] {
  const scope = scopeOf(dictionary)
  const reached = new Set([root])
  for (const name of reached) {
    const definition = scope.classes.get(name)?.definition
    if (definition === undefined) continue
    const shared = scope.parents.get(name) ?? []
    const uses = [
      ...typesOf(definition),
      ...definition.implements,
      ...shared.flatMap((parent) => fieldTypes(parent.definition)),
    ]
    for (const use of withArguments(uses)) reached.add(use.name)
  }
  // Below an abstract class that is held only through one of its alternatives, nothing else is reached; its own name is.
  const named = new Set([...reached].flatMap((name) => (scope.parents.get(name) ?? []).map((p) => p.definition.name)))
  return dictionary.definitions.flatMap(({ name, at }) =>
    reached.has(name) || named.has(name)
      ? []
      : [problemIn(null, at, `No value of \`${root}\` can hold a \`${name}\`.`, 'Remove it, or use it in a field.')],
  )
}

/** Checks a dictionary and keeps what was found out. */
export function analyse(
  dictionary: Dictionary,
): ({ readonly ok: true } & Analysis) | { readonly ok: false; readonly problems: readonly Problem[] } {
  const scope = scopeOf(dictionary)
  const refuse = (problems: readonly Problem[]): { ok: false; problems: readonly Problem[] } => ({
    ok: false,
    problems: inOrder(problems).slice(0, MAX_PROBLEMS),
  })
  const { lookahead } = dictionary
  if (lookahead !== null && lookahead.value < 1) {
    return refuse([problemIn(null, lookahead.at, 'A lookahead of 0 cannot tell anything apart.', 'Write 1 or more.')])
  }
  const names = checkNames(dictionary, scope)
  if (names.length > 0) return refuse(names)

  const vocabulary = vocabularyOf(dictionary)
  const expansion = new Expansion(scope)
  const roots = new Set<Node>()
  for (const { definition, file } of scope.all) {
    if (definition.parameters.length > 0) continue
    roots.add(expansion.node({ name: definition.name, at: definition.at, arguments: [] }, file))
  }
  const k = Math.min(lookahead?.value ?? DEFAULT_LOOKAHEAD, MAX_LOOKAHEAD)
  const checked = checkExpansion(expansion, vocabulary, k, (node) => roots.has(node))
  return checked.ok
    ? { ok: true, dictionary, scope, vocabulary, k, expansion, predictor: checked.predictor }
    : refuse(checked.problems)
}

/** The checks that look at whole types with all type arguments filled in. `isRoot`: whole texts are of these types. */
export function checkExpansion(
  expansion: Expansion,
  vocabulary: Vocabulary,
  k: number,
  isRoot: (node: Node) => boolean,
):
  { readonly ok: true; readonly predictor: Predictor } | { readonly ok: false; readonly problems: readonly Problem[] } {
  if (expansion.problem !== null) return { ok: false, problems: [expansion.problem] }
  const flow = checkFlow(expansion.nodes, vocabulary)
  if (flow.length > 0) return { ok: false, problems: flow }
  const predictor = new Predictor(expansion.nodes, vocabulary, k, isRoot)
  const problems = conflicts(expansion.nodes, vocabulary, k, predictor)
  return problems.length > 0 ? { ok: false, problems } : { ok: true, predictor }
}

function conflicts(
  nodes: readonly Node[],
  vocabulary: Vocabulary,
  k: number,
  predictor: Predictor,
): readonly Problem[] {
  const problems = new Map<string, Problem>()
  for (const node of nodes) {
    if (node.kind !== 'choice' && node.kind !== 'list' && node.kind !== 'option') continue
    const found = predictor.decision(node).conflicts
    if (predictor.exhausted) {
      const { at, file } = placeOf(node)
      const message = `Working out what decides in \`${node.text}\` takes too long.`
      return [problemIn(file, at, message, 'Begin the alternatives with different literals.')]
    }
    for (const { between, tokens } of found) {
      const end = tokens.indexOf(END)
      const names = tokens
        .slice(0, end === -1 ? tokens.length : end + 1)
        .map((token) => tokenName(vocabulary, token))
        .join(', ')
      const problem = node.kind === 'choice' ? undecided(node, between, names, k) : endless(node, names, k)
      if (problem === null || problems.size >= MAX_PROBLEMS) continue
      const key = `${problem.file ?? ''} ${problem.at.offset} ${between.join(' ')}`
      if (!problems.has(key)) problems.set(key, problem)
    }
  }
  return [...problems.values()]
}

function undecided(node: ChoiceNode, between: readonly [number, number], tokens: string, k: number): Problem | null {
  const [left, right] = between.map((i) => node.alternatives[i]!)
  // Both are below one abstract alternative: it reports them itself.
  if (left!.direct === right!.direct) return null
  const { definition, file } = node.located
  return problemIn(
    file,
    definition.alternatives[right!.direct]!.at,
    `In \`${node.name}\` the next ${count(k)} not tell \`${left!.node.text}\` from \`${right!.node.text}\`: both can begin with ${tokens}.`,
    `Begin one of them with a literal of its own, or set a larger lookahead.`,
  )
}

function endless(node: ListNode | OptionNode, tokens: string, k: number): Problem {
  const { at, file } = node.use
  const [one, none] = node.kind === 'list' ? ['a further element', 'the end of the list'] : ['the value', 'its absence']
  return problemIn(
    file,
    at,
    `In \`${node.text}\` the next ${count(k)} not tell ${one} \`${node.of.text}\` from ${none}: both can go on with ${tokens}.`,
    'Put a literal behind it, or begin the element with one.',
  )
}

function count(k: number): string {
  return k === 1 ? 'token does' : `${k} tokens do`
}

function placeOf(node: ChoiceNode | ListNode | OptionNode): { at: Problem['at']; file: string | null } {
  return node.kind === 'choice' ? { at: node.located.definition.at, file: node.located.file } : node.use
}

function fieldTypes(definition: Dictionary['definitions'][number]): ReturnType<typeof typesOf> {
  return isAbstract(definition) ? typesOf({ ...definition, alternatives: [] }) : []
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return [...problems].sort((a, b) =>
    a.file === b.file ? a.at.offset - b.at.offset : (a.file ?? '') < (b.file ?? '') ? -1 : 1,
  )
}
