import type { Problem } from '../problem.ts'
import { Expansion } from './expand.ts'
import type { ChoiceNode, ListNode, Node, OptionNode } from './expand.ts'
import { checkFlow } from './flow.ts'
import { Predictor } from './lookahead.ts'
import type { Conflict } from './lookahead.ts'
import type { Definition, Dictionary, TypeUse } from './model.ts'
import { checkNames, hasErrors } from './names.ts'
import { unreachableClasses } from './reach.ts'
import { finding, problemIn, scopeOf } from './scope.ts'
import type { Finding, Scope, Severity } from './scope.ts'
import { END, FIRST_LITERAL, FOREIGN, tokenName, vocabularyOf } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

const DEFAULT_LOOKAHEAD = 2
const MAX_LOOKAHEAD = 16
/** Tokens that alternatives may need where the dictionary does not say how many. */
const PATIENCE = 6
/** Problems reported at once. */
const MAX_PROBLEMS = 100

type Alternative = ChoiceNode['alternatives'][number]

/** How many tokens decide: usually, and at most where alternatives need more. */
interface Lookahead {
  readonly usual: number
  readonly most: number
}

/** What checking a dictionary found out about it; `values` is built on this. */
export interface Analysis {
  readonly dictionary: Dictionary
  readonly scope: Scope
  readonly vocabulary: Vocabulary
  readonly k: Lookahead
  /** Holds every class that has no type parameters, and what they use. */
  readonly expansion: Expansion
  /** Decides greedily where a doubt says that it cannot tell. */
  readonly predictor: Predictor
  /** What is doubtful about it; empty where every value can be read back. */
  readonly doubts: readonly Problem[]
}

/** What a dictionary is refused for, and what else there is to say of it. */
interface Verdict {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/**
 * The verdict on a dictionary beyond its grammar, in the order of the text. Errors: missing includes, unbound names, wrong
 * numbers of type arguments, duplicates, cycles of alternatives, two abstract parents, classes without a finite value, left
 * recursion, alternatives that the lookahead does not tell apart. Warnings: lists, options and empty classes that are
 * read greedily, parts that cannot be read, unreachable classes (from the first one), `A = B.` in dialect C, and what
 * dialect A takes from Java and C++. Later kinds are looked for only where there is no error of the earlier ones.
 * Lookahead: the dictionary's, 16 at most; where it states none 2, and up to 6 where alternatives need them.
 */
export function judgeDictionary(dictionary: Dictionary): Verdict {
  const { findings } = examine(dictionary)
  const remarks = findings.some(({ severity }) => severity === 'error')
    ? []
    : [...singleAlternatives(dictionary), ...unreachableClasses(dictionary)]
  return {
    errors: reported(findings.filter(({ severity }) => severity === 'error')),
    warnings: reported([...findings.filter(({ severity }) => severity !== 'error'), ...remarks]),
  }
}

/**
 * Everything that keeps values of a dictionary from being read back as they were written: its errors and the doubtful ones
 * among the warnings. Where there is nothing, `parse(print(value))` is the value.
 */
export function checkDictionary(dictionary: Dictionary): readonly Problem[] {
  return reported(examine(dictionary).findings.filter(({ severity }) => severity !== 'remark'))
}

/** Checks a dictionary and keeps what was found out; `problems` are its errors. */
export function analyse(
  dictionary: Dictionary,
): ({ readonly ok: true } & Analysis) | { readonly ok: false; readonly problems: readonly Problem[] } {
  const { findings, analysis } = examine(dictionary)
  if (analysis === null)
    return { ok: false, problems: reported(findings.filter(({ severity }) => severity === 'error')) }
  return { ok: true, ...analysis, doubts: reported(findings.filter(({ severity }) => severity === 'doubt')) }
}

function examine(dictionary: Dictionary): {
  readonly findings: readonly Finding[]
  readonly analysis: Omit<Analysis, 'doubts'> | null
} {
  const scope = scopeOf(dictionary)
  const names = [...lookaheadOfNothing(dictionary), ...checkNames(dictionary, scope)]
  if (hasErrors(names)) return { findings: names, analysis: null }

  const vocabulary = vocabularyOf(dictionary)
  const expansion = new Expansion(scope)
  const roots = new Set<Node>()
  for (const { definition, file } of scope.classes.values()) {
    if (definition.parameters.length > 0) continue
    roots.add(expansion.node({ name: definition.name, at: definition.at, arguments: [] }, file))
  }
  const k = lookaheadOf(dictionary)
  const { findings, predictor } = examineExpansion(expansion, vocabulary, k, (node) => roots.has(node))
  const all = [...names, ...findings]
  if (predictor === null) return { findings: all, analysis: null }
  return { findings: all, analysis: { dictionary, scope, vocabulary, k, expansion, predictor } }
}

function lookaheadOfNothing({ lookahead }: Dictionary): readonly Finding[] {
  if (lookahead === null || lookahead.value > 0) return []
  const message = 'A lookahead of 0 cannot tell anything apart; it is taken as 1.'
  return [finding('remark', null, lookahead.at, message, 'Write 1 or more.')]
}

/** Tokens to look ahead: as stated for the dictionary or, in dialect A, at any place in it. */
function lookaheadOf(dictionary: Dictionary): Lookahead {
  const { lookahead, definitions } = dictionary
  const local = definitions.flatMap(({ alternatives, parts, repetition }) =>
    [
      ...alternatives.map((use) => use.lookahead),
      ...parts.map((part) => (part.kind === 'optional' ? part.lookahead : undefined)),
      repetition?.lookahead,
    ].flatMap((code) => (code === undefined ? [] : [Number(/^\(@\s*(\d{1,9})\s*@\)$/.exec(code.text)?.[1] ?? 1)])),
  )
  const stated = lookahead?.value ?? local.reduce((most, k) => Math.max(most, k), DEFAULT_LOOKAHEAD)
  const usual = Math.min(Math.max(stated, 1), MAX_LOOKAHEAD)
  return { usual, most: lookahead === null ? Math.max(usual, PATIENCE) : usual }
}

/** Types that the dictionary itself may not use, all doubts counting as errors. `isRoot`: whole texts are of these types. */
export function checkExpansion(
  expansion: Expansion,
  vocabulary: Vocabulary,
  k: Lookahead,
  isRoot: (node: Node) => boolean,
):
  { readonly ok: true; readonly predictor: Predictor } | { readonly ok: false; readonly problems: readonly Problem[] } {
  const { findings, predictor } = examineExpansion(expansion, vocabulary, k, isRoot)
  const problems = reported(findings.filter(({ severity }) => severity !== 'remark'))
  return predictor === null || problems.length > 0 ? { ok: false, problems } : { ok: true, predictor }
}

/** The checks that look at whole types with all type arguments filled in. No predictor where there are errors. */
function examineExpansion(
  expansion: Expansion,
  vocabulary: Vocabulary,
  k: Lookahead,
  isRoot: (node: Node) => boolean,
): { readonly findings: readonly Finding[]; readonly predictor: Predictor | null } {
  if (expansion.problem !== null) return { findings: [expansion.problem], predictor: null }
  const flow = checkFlow(expansion.nodes)
  if (hasErrors(flow)) return { findings: flow, predictor: null }
  const predictor = new Predictor(expansion.nodes, vocabulary, k.usual, isRoot)
  const deeper = k.most > k.usual ? new Predictor(expansion.nodes, vocabulary, k.most, isRoot) : null
  const findings = [...flow, ...conflicts(expansion.nodes, vocabulary, k.usual, predictor, deeper)]
  return { findings, predictor: hasErrors(findings) ? null : predictor }
}

function conflicts(
  nodes: readonly Node[],
  vocabulary: Vocabulary,
  k: number,
  predictor: Predictor,
  deeper: Predictor | null,
): readonly Finding[] {
  const problems = new Map<string, Finding>()
  const used = fieldsIn(nodes)
  const choices = nodes.filter((node) => node.kind === 'choice')
  for (const node of nodes) {
    if (node.kind !== 'choice' && node.kind !== 'list' && node.kind !== 'option') continue
    if (node.kind === 'choice' && deeper !== null) lookDeeper(node, predictor, deeper)
    const found = predictor.decision(node).conflicts
    if (predictor.exhausted) {
      const { at, file } = placeOf(node)
      const message = `Working out what decides in \`${node.text}\` takes too long.`
      return [problemIn(file, at, message, 'Begin the alternatives with different literals.')]
    }
    for (const conflict of found) {
      // Only the programs of foreign classes know how they begin.
      if (conflict.tokens.includes(FOREIGN) || problems.size >= MAX_PROBLEMS) continue
      const names = namesOf(conflict, vocabulary)
      const problem =
        node.kind === 'choice'
          ? isReportedBelow(node, conflict, choices, predictor)
            ? null
            : undecided(node, conflict, names, k, severityOf(node, conflict, used))
          : endless(node, names, k)
      if (problem === null) continue
      const key = `${problem.file ?? ''} ${problem.at.offset} ${conflict.between.join(' ')}`
      if (problems.get(key)?.severity !== 'error') problems.set(key, problem)
    }
  }
  return [...problems.values()]
}

/** Looks at more tokens where that tells apart what begins alike. */
function lookDeeper(node: ChoiceNode, predictor: Predictor, deeper: Predictor): void {
  if (predictor.decision(node).conflicts.every(({ follow }) => follow)) return
  const decision = deeper.decision(node)
  if (!deeper.exhausted && decision.conflicts.every(({ follow }) => follow)) predictor.adopt(node, decision)
}

/** Every node that something holds: as a field, in a list, in an option. */
function fieldsIn(nodes: readonly Node[]): ReadonlySet<Node> {
  return new Set(
    nodes.flatMap((node) => {
      if (node.kind === 'list' || node.kind === 'option') return [node.of]
      return node.kind === 'class' ? node.items.flatMap((item) => (item.kind === 'field' ? [item.type] : [])) : []
    }),
  )
}

function namesOf({ tokens }: Conflict, vocabulary: Vocabulary): string {
  const end = tokens.indexOf(END)
  return tokens
    .slice(0, end === -1 ? tokens.length : end + 1)
    .map((token) => tokenName(vocabulary, token))
    .join(', ')
}

/**
 * Are both below one abstract alternative that cannot tell them apart either? What begins alike does so there, too; but what
 * follows this class need not follow that one.
 */
function isReportedBelow(
  node: ChoiceNode,
  { between, follow }: Conflict,
  choices: readonly ChoiceNode[],
  predictor: Predictor,
): boolean {
  const [left, right] = between.map((i) => node.alternatives[i]!) as [Alternative, Alternative]
  if (left.direct !== right.direct) return false
  if (!follow) return true
  const below = node.located.definition.alternatives[left.direct]!.name
  return choices.some((inner) => {
    if (inner === node || inner.name !== below) return false
    const pair = [left, right].map(({ node: one }) => inner.alternatives.findIndex(({ node: other }) => other === one))
    return predictor.decision(inner).conflicts.some(({ between }) => pair.every((one) => between.includes(one)))
  })
}

function undecided(
  node: ChoiceNode,
  { between, follow }: Conflict,
  tokens: string,
  k: number,
  severity: Severity,
): Finding {
  const [left, right] = between.map((i) => node.alternatives[i]!)
  const { definition, file } = node.located
  const { at } = definition.alternatives[right!.direct]!
  const names = `\`${left!.node.text}\` from \`${right!.node.text}\``
  if (follow) {
    const message = `In \`${node.name}\` the next ${count(k)} not tell ${names}: with ${tokens} one of them has ended. \`${left!.node.text}\` is taken.`
    return finding('doubt', file, at, message, 'Give the shorter one a literal at its end, or set a larger lookahead.')
  }
  return finding(
    severity,
    file,
    at,
    `In \`${node.name}\` the next ${count(k)} not tell ${names}: both can begin with ${tokens}.`,
    `Begin one of them with a literal of its own, or set a larger lookahead.`,
  )
}

/**
 * Alternatives that begin alike are an error where they are meant to be read. They are not: below an interface that nothing
 * holds; where the dictionary says `noparse`; where both have no text of their own at all; and in dialects A and B, whose
 * dictionaries are often graphs of classes without a language, where no literal begins them.
 */
function severityOf(node: ChoiceNode, { between, tokens }: Conflict, held: ReadonlySet<Node>): Severity {
  const { definition, dialect } = node.located
  if (definition.flag === 'noparse' || (definition.isInterface && !held.has(node))) return 'doubt'
  const both = between.map((i) => node.alternatives[i]!.node.located)
  if (both.every((one) => one.definition.flag === 'noparse' || isSilent(one.definition))) return 'doubt'
  if (dialect === 'C') return 'error'
  const stated = definition.alternatives.some((use) => use.lookahead !== undefined)
  return stated || tokens.every((token) => token < FIRST_LITERAL) ? 'doubt' : 'error'
}

function isSilent({ parts, repetition }: Definition): boolean {
  return repetition === undefined && parts.every(({ kind }) => kind === 'print')
}

function endless(node: ListNode | OptionNode, tokens: string, k: number): Finding {
  const { at, file } = node.use
  const [one, none] = node.kind === 'list' ? ['a further element', 'the end of the list'] : ['the value', 'its absence']
  return finding(
    'doubt',
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

/** In the order of the text, so many that a person can read them. */
function reported(findings: readonly Finding[]): readonly Problem[] {
  return [...findings]
    .sort((a, b) => (a.file === b.file ? a.at.offset - b.at.offset : (a.file ?? '') < (b.file ?? '') ? -1 : 1))
    .slice(0, MAX_PROBLEMS)
    .map(({ at, message, hint, file }) => ({
      at,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(file === undefined ? {} : { file }),
    }))
}

/** `A = B.` means one thing in dialect C and another one in A and B; said once a file. */
function singleAlternatives(dictionary: Dictionary): readonly Finding[] {
  const files = [
    { file: null, inner: dictionary },
    ...dictionary.included.map(({ name, dictionary: inner }) => ({ file: name, inner })),
  ]
  return files.flatMap(({ file, inner }) => {
    if (inner.dialect !== 'C') return []
    const single = inner.definitions.find(({ alternatives, isInterface }) => alternatives.length === 1 && !isInterface)
    if (single === undefined) return []
    const [{ name }] = single.alternatives as [TypeUse]
    const text = `${single.name} = ${name}.`
    const label = `${name.charAt(0).toLowerCase()}${name.slice(1)}`
    return [
      finding(
        'remark',
        file,
        single.at,
        `This is read as dialect C, where \`${text}\` makes \`${single.name}\` an abstract class with the one alternative \`${name}\`; in dialects A and B it is a class with a part.`,
        `For a part write \`${single.name} = <${label}> ${name}.\`, or \`// dialect: A\` (or B) as the first line.`,
      ),
    ]
  })
}
