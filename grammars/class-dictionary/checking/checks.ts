import type { Problem } from '../../problem.ts'
import { Expansion, type ChoiceNode, type ListNode, type Node, type OptionNode } from '../expand.ts'
import { checkFlow, unreachableClasses } from './flow.ts'
import { Predictor, type Conflict } from '../lookahead.ts'
import type { Definition, Dictionary, TypeUse } from '../model.ts'
import { checkNames, hasErrors } from './names.ts'
import { finding, problemIn, scopeOf, type Finding, type Scope, type Severity } from './scope.ts'
import { END, FIRST_LITERAL, FOREIGN, tokenName, vocabularyOf, type Vocabulary } from '../vocabulary.ts'

const DEFAULT_LOOKAHEAD = 2
const MAX_LOOKAHEAD = 16
/** Maximum lookahead of alternatives if the dictionary states none. */
const PATIENCE = 6
/** Maximum number of problems reported. */
const MAX_PROBLEMS = 100

type Alternative = ChoiceNode['alternatives'][number]

/** The usual lookahead, and the maximum if alternatives need more. */
interface Lookahead {
  readonly usual: number
  readonly most: number
}

/** The result of checking a dictionary, on which `values` is built. */
interface Analysis {
  readonly dictionary: Dictionary
  readonly scope: Scope
  readonly vocabulary: Vocabulary
  readonly k: Lookahead
  /** Contains all classes without type parameters, and all that they use. */
  readonly expansion: Expansion
  /** Decides greedily where there is a doubt. */
  readonly predictor: Predictor
  /** The doubts about the dictionary; empty: every value can be read back. */
  readonly doubts: readonly Problem[]
}

/** The errors for which a dictionary is refused, and its warnings. */
interface Verdict {
  readonly errors: readonly Problem[]
  readonly warnings: readonly Problem[]
}

/**
 * The verdict on a dictionary beyond its grammar, in the order of the text. Errors: missing includes, unbound names,
 * wrong numbers of type arguments, duplicates, cycles of alternatives, two abstract parents, classes without a finite
 * value, left recursion, alternatives that the lookahead does not distinguish. Warnings: lists, options and empty
 * classes that are read greedily, parts that cannot be read, unreachable classes (from the first one), `A = B.` in
 * dialect C, and classes that dialect A takes from Java and C++. Later kinds are checked only without an error of
 * the earlier ones. Lookahead: the dictionary's, at most 16; if it states none, 2, and up to 6 if alternatives need
 * them.
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
 * All problems because of which a dictionary's values may not be read back as written: its errors, and the doubts among
 * the warnings. If there are none, `parse(print(value))` is the value.
 */
export function checkDictionary(dictionary: Dictionary): readonly Problem[] {
  return reported(examine(dictionary).findings.filter(({ severity }) => severity !== 'remark'))
}

/** Checks a dictionary and returns the analysis, or its errors as `problems`. */
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
  const message = 'A lookahead of 0 cannot decide anything; 1 is used instead.'
  return [finding('remark', null, lookahead.at, message, 'Write 1 or more.', { code: 'lookahead' })]
}

/** The lookahead stated for the dictionary or, in dialect A, anywhere in it. */
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

/** Checks further types, with doubts counting as errors. `isRoot`: whole texts can have these types. */
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

/** The checks of types with all type arguments filled in. There is no predictor if there are errors. */
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
      const message = `Computing the decisions in \`${node.text}\` takes too long.`
      return [problemIn(file, at, message, 'Begin the alternatives with different literals.', { code: 'ambiguous' })]
    }
    for (const conflict of found) {
      // Only other programs know how foreign classes begin.
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

/** Uses a longer lookahead if that resolves conflicts. */
function lookDeeper(node: ChoiceNode, predictor: Predictor, deeper: Predictor): void {
  if (predictor.decision(node).conflicts.every(({ follow }) => follow)) return
  const decision = deeper.decision(node)
  if (!deeper.exhausted && decision.conflicts.every(({ follow }) => follow)) predictor.adopt(node, decision)
}

/** All nodes that are used as a field, in a list or in an option. */
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
 * Are both below one abstract alternative that cannot distinguish them either? The same conflict is then reported
 * there, unless it depends on what follows this class, which need not follow that one.
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
    const message = `In \`${node.name}\` the next ${count(k)} not distinguish ${names}: with ${tokens} one of them has ended. \`${left!.node.text}\` is taken.`
    return finding(
      'doubt',
      file,
      at,
      message,
      'Give the shorter one a literal at its end, or set a larger lookahead.',
      { code: 'ambiguous' },
    )
  }
  return finding(
    severity,
    file,
    at,
    `In \`${node.name}\` the next ${count(k)} not distinguish ${names}: both can begin with ${tokens}.`,
    `Begin one of them with a literal of its own, or set a larger lookahead.`,
    { code: 'ambiguous' },
  )
}

/**
 * Alternatives that begin alike are an error if they are meant to be parsed. They are not: below an interface that is
 * not used; if the dictionary says `noparse`; if both have no text of their own; and in dialects A and B, whose
 * dictionaries are often graphs of classes without a language, if no literal begins them.
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
    `In \`${node.text}\` the next ${count(k)} not distinguish ${one} \`${node.of.text}\` from ${none}: both can continue with ${tokens}.`,
    'Put a literal after it, or begin the element with one.',
    { code: 'ambiguous' },
  )
}

function count(k: number): string {
  return k === 1 ? 'token does' : `${k} tokens do`
}

function placeOf(node: ChoiceNode | ListNode | OptionNode): { at: Problem['at']; file: string | null } {
  return node.kind === 'choice' ? { at: node.located.definition.at, file: node.located.file } : node.use
}

/** The problems in the order of the text, limited in number. */
function reported(findings: readonly Finding[]): readonly Problem[] {
  return [...findings]
    .sort((a, b) => (a.file === b.file ? a.at.offset - b.at.offset : (a.file ?? '') < (b.file ?? '') ? -1 : 1))
    .slice(0, MAX_PROBLEMS)
    .map(({ severity: _, ...problem }) => problem)
}

/** `A = B.` has a different meaning in dialect C than in A and B; reported once for each file. */
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
        { code: 'label-missing' },
      ),
    ]
  })
}
