import { toFraction, toNumber, type Expression } from '../../../../grammars/formulas/index.ts'
import type { GradedContest } from '../../../contract/grades/grade-terms.ts'
import type { ContestId } from '../../../contract/ids.ts'
import type { SchemeCode } from '../../../contract/grades/schemes.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import * as combine from './combine.ts'
import { constant, type Compiled, type CompiledList, type CompiledNumber } from './compiled.ts'
import { callable, CONTESTS, PHASES, isCombiner, isCount, isMeasure, type Combiner } from './functions.ts'
import { counted, measured, measuredInAll } from './measures.ts'

/** Thrown by the compiler for a problem at an offset of the text; caught where the scheme is read. */
export class SchemeFault extends Error {
  readonly at: number
  readonly code: SchemeCode | 'name-unknown' | 'function-unknown' | 'type-mismatch'
  constructor(at: number, code: SchemeFault['code'], message: string) {
    super(message)
    this.at = at
    this.code = code
  }
}

/** The names that an expression can use. `parts`: earlier parts; null: one with a problem of its own. */
export interface SchemeScope {
  /** Those to come, which are counted where they are named, stand among them. */
  readonly contests: readonly GradedContest[]
  /** The ids of contests by the names that a text used for them at an earlier time. */
  readonly known: Readonly<Record<string, ContestId>>
  /** The ids of the contests that the scheme has named, by those names. */
  readonly used: Map<string, ContestId>
  /** The ids of contests to come that the scheme has named, alone or as phases. */
  readonly toCome: Set<ContestId>
  readonly parts: ReadonlyMap<string, Compiled | null>
  /** The figures that the scheme can still have. */
  readonly budget: { left: number }
}

/** The maximum number of figures of a scheme for one student, those in lists included: lists of lists can have any number. */
export const SCHEME_FIGURES_MAX = 5_000

/** Thrown for a part that uses one with a problem, which is told once. */
export class UsesFaulty extends Error {}

/** Throws SchemeFault or UsesFaulty. */
export function compile(tree: Expression, scope: SchemeScope): Compiled {
  const found = compileForm(tree, scope)
  scope.budget.left -= found.type === 'list' ? found.length + found.dropped : 1
  if (scope.budget.left < 0)
    throw new SchemeFault(
      tree.at,
      'scheme-large',
      `Up to here the scheme computes more than ${SCHEME_FIGURES_MAX} figures for each student: make it shorter.`,
    )
  return found
}

function compileForm(tree: Expression, scope: SchemeScope): Compiled {
  switch (tree.kind) {
    case 'number':
      return constant(toNumber(toFraction(tree.value)))
    case 'text':
      return { type: 'text', value: tree.value }
    case 'name':
      return named(tree, scope)
    case 'list':
      return list(
        tree.elements.map((each) => ({ tree: each, of: compile(each, scope) })),
        scope,
      )
    case 'prefix': {
      if (tree.operator !== '-') throw unknownForm(tree)
      return combine.negative(number(tree.of, scope))
    }
    case 'binary':
      return operation(tree, scope)
    case 'if':
      return combine.chosen(condition(tree.condition, scope), number(tree.yes, scope), number(tree.no, scope))
    case 'call':
      return call(tree, scope)
    default:
      throw unknownForm(tree)
  }
}

const unknownForm = ({ at }: Expression): SchemeFault =>
  new SchemeFault(
    at,
    'form-unknown',
    'A scheme has numbers, + - * /, lists, functions, and "if" with a comparison; this is something else.',
  )

const kindNames: Readonly<Record<Compiled['type'], string>> = {
  number: 'a number',
  list: 'a list of numbers',
  contests: 'contests',
  text: 'a text',
}
const mismatch = (at: number, found: Compiled, wanted: string): SchemeFault =>
  new SchemeFault(at, 'type-mismatch', `This is ${kindNames[found.type]} where ${wanted} is expected.`)

function number(tree: Expression, scope: SchemeScope): CompiledNumber {
  const found = compile(tree, scope)
  if (found.type === 'number') return found
  throw mismatch(tree.at, found, found.type === 'list' ? 'a number, such as mean(...) of it,' : 'a number')
}

function figures(tree: Expression, scope: SchemeScope): CompiledNumber | CompiledList {
  const found = compile(tree, scope)
  if (found.type === 'number' || found.type === 'list') return found
  throw mismatch(tree.at, found, 'a number, such as place(...) of it,')
}

/** A number that is written out, since explanations and static checks need it. */
function literal(tree: Expression, what: string): number {
  if (tree.kind === 'number') return toNumber(toFraction(tree.value))
  if (tree.kind === 'prefix' && tree.operator === '-') return -literal(tree.of, what)
  throw new SchemeFault(tree.at, 'argument-kind', `Write ${what} as a number here.`)
}

function named({ at, name }: Extract<Expression, { kind: 'name' }>, { parts, contests }: SchemeScope): Compiled {
  const part = parts.get(name)
  if (part === null) throw new UsesFaulty()
  if (part !== undefined) return part
  if (name === CONTESTS) return { type: 'contests', contests: contests.filter(hasEnded) }
  if (isCount(name)) return counted(name)
  if (isMeasure(name) || isCombiner(name) || name === PHASES)
    throw new SchemeFault(at, 'argument-count', `"${name}" is a function: write ${name}(...).`)
  const near = didYouMean(name, [...parts.keys(), CONTESTS])
  throw new SchemeFault(at, 'name-unknown', `No part above and no column is called "${name}".${near}`)
}

const hasEnded = ({ isToCome = false }: GradedContest): boolean => !isToCome

/** The contest that had this name before, or else has this id or title; of several with a title, the only one that has ended. */
function contestCalled(at: number, name: string, { contests, known, used, toCome }: SchemeScope): GradedContest {
  const isKnown = Object.hasOwn(known, name)
  const id = isKnown ? known[name] : name
  const byId = contests.filter(({ contest }) => contest === id)
  const titled = isKnown ? [] : contests.filter(({ title }) => title === name)
  const ended = titled.filter(hasEnded)
  const found = byId.length > 0 ? byId : ended.length === 1 ? ended : titled
  if (found.length === 1) {
    used.set(name, found[0]!.contest)
    if (!hasEnded(found[0]!)) toCome.add(found[0]!.contest)
    return found[0]!
  }
  if (found.length > 1)
    throw new SchemeFault(
      at,
      'contest-unknown',
      `${found.length} contests are called "${name}": write the id of one, such as "${found[0]!.contest}".`,
    )
  const near = didYouMean(
    name,
    contests.flatMap(({ contest, title }) => [contest, title]),
  )
  throw new SchemeFault(at, 'contest-unknown', `No contest that counts is called "${name}".${near}`)
}

interface Element {
  readonly tree: Expression
  readonly of: Compiled
}

/** A list of numbers, or of contests by their names. */
function list(elements: readonly Element[], scope: SchemeScope): Compiled {
  const [first] = elements
  if (first?.of.type !== 'text')
    return combine.listed(
      elements.map(({ tree, of }) => {
        if (of.type !== 'number') throw mismatch(tree.at, of, 'a number')
        return of
      }),
    )
  return {
    type: 'contests',
    contests: elements.map(({ tree, of }) => {
      if (of.type !== 'text') throw mismatch(tree.at, of, 'the name of a contest')
      return contestCalled(tree.at, of.value, scope)
    }),
  }
}

function operation(tree: Extract<Expression, { kind: 'binary' }>, scope: SchemeScope): Compiled {
  const { operator, left, right, at } = tree
  if (operator !== '+' && operator !== '-' && operator !== '*' && operator !== '/') throw unknownForm(tree)
  const [one, other] = [figures(left, scope), figures(right, scope)]
  if (one.type === 'number' && other.type === 'number') return combine.operatedNumbers(operator, one, other)
  if (one.type === 'list' && other.type === 'list' && one.length !== other.length)
    throw new SchemeFault(at, 'type-mismatch', `These lists have ${one.length} and ${other.length} numbers.`)
  return combine.operatedLists(operator, one, other)
}

type Comparison = '<' | '<=' | '>' | '>=' | '=' | '!='
const comparisons: Readonly<Record<Comparison, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
}

function condition(tree: Expression, scope: SchemeScope): Parameters<typeof combine.chosen>[0] {
  if (tree.kind !== 'binary' || !Object.hasOwn(comparisons, tree.operator)) throw unknownForm(tree)
  const compare = comparisons[tree.operator as Comparison]
  const [one, other] = [number(tree.left, scope), number(tree.right, scope)]
  return {
    run(students) {
      const others = other.run(students)
      return one.run(students).map(({ value }, at) => compare(value, others[at]!.value))
    },
  }
}

type Call = Extract<Expression, { kind: 'call' }>

function call(tree: Call, scope: SchemeScope): Compiled {
  const { at, name, args } = tree
  if (name === CONTESTS) return contestsOfGame(tree, scope)
  if (name === PHASES) return phasesOf(tree, scope)
  if (isMeasure(name)) return measure(tree, scope)
  if (isCombiner(name)) return combiners[name](tree, scope)
  const near = didYouMean(name, callable)
  throw new SchemeFault(at, 'function-unknown', `No function is called "${name}" (with ${args.length} values).${near}`)
}

function wanted({ at, name }: Call, form: string): SchemeFault {
  return new SchemeFault(at, 'argument-count', `"${name}" is written ${form}.`)
}

function contestsOfGame(tree: Call, { contests }: SchemeScope): Compiled {
  const [game] = tree.args
  if (game?.kind !== 'text' || tree.args.length > 1) throw wanted(tree, 'contests("game")')
  const found = contests.filter((each) => each.game === game.value)
  if (found.length > 0) return { type: 'contests', contests: found.filter(hasEnded) }
  const near = didYouMean(
    game.value,
    contests.map((each) => each.game),
  )
  throw new SchemeFault(game.at, 'name-unknown', `No contest that counts is of a game "${game.value}".${near}`)
}

/** In the order in which they ended; phases to come stand last. */
function phasesOf(tree: Call, scope: SchemeScope): Compiled {
  const [name] = tree.args
  if (name?.kind !== 'text' || tree.args.length > 1) throw wanted(tree, 'phases("contest")')
  const { firstPhase } = contestCalled(name.at, name.value, scope)
  const contests = scope.contests.filter((each) => each.firstPhase === firstPhase)
  for (const each of contests) if (!hasEnded(each)) scope.toCome.add(each.contest)
  return { type: 'contests', contests }
}

function measure(tree: Call, scope: SchemeScope): Compiled {
  const { name, args } = tree
  if (!isMeasure(name)) throw unknownForm(tree)
  const [of, agent] = args
  const isAgainst = name === 'against'
  const form = isAgainst ? 'against("contest", "agent")' : `${name}("contest") or ${name}(contests)`
  if (of === undefined || args.length > (isAgainst ? 2 : 1)) throw wanted(tree, form)
  if (isAgainst && agent?.kind !== 'text') throw wanted(tree, form)
  const found = compile(of, scope)
  if (found.type !== 'text' && found.type !== 'contests')
    throw mismatch(of.at, found, 'the name of a contest, or contests,')
  const contests = found.type === 'text' ? [contestCalled(of.at, found.value, scope)] : found.contests
  const other = agent?.kind === 'text' ? opponent(of, agent, contests) : ''
  return found.type === 'text' ? measured(name, contests[0]!, other) : measuredInAll(name, contests, other)
}

/** The name of an entrant that one of these contests has. */
function opponent(
  of: Expression,
  { at, value }: Extract<Expression, { kind: 'text' }>,
  contests: readonly GradedContest[],
): string {
  const large = contests.find(({ opponents }) => opponents === null)
  if (large !== undefined)
    throw new SchemeFault(
      of.at,
      'contest-large',
      `"${large.title}" has too many entrants for results against one of them.`,
    )
  const names = contests.flatMap(({ opponents }) => opponents ?? [])
  // The entrants of a contest to come are not known yet.
  if (contests.some((each) => !hasEnded(each)) || names.includes(value)) return value
  throw new SchemeFault(
    at,
    'name-unknown',
    `No entrant of ${contests.length === 1 ? 'this contest' : 'these contests'} is called "${value}".${didYouMean(value, names)}`,
  )
}

/** One list, or numbers. */
function listOf(tree: Call, scope: SchemeScope): CompiledList {
  const [only] = tree.args
  if (only === undefined) throw wanted(tree, `${tree.name}(list) or ${tree.name}(a, b)`)
  if (tree.args.length > 1) return combine.listed(tree.args.map((each) => number(each, scope)))
  const found = figures(only, scope)
  return found.type === 'list' ? found : combine.listed([found])
}

const gathered =
  (name: 'mean' | 'sum' | 'min' | 'max') =>
  (tree: Call, scope: SchemeScope): Compiled =>
    combine.gathered(name, listOf(tree, scope))

function someOf(tree: Call, scope: SchemeScope, lengthOf: (count: number, all: number) => number): Compiled {
  const [count, of] = tree.args
  if (count === undefined || of === undefined || tree.args.length > 2) throw wanted(tree, `${tree.name}(1, list)`)
  const wantedCount = literal(count, 'how many')
  if (!Number.isInteger(wantedCount) || wantedCount < 0)
    throw new SchemeFault(count.at, 'argument-kind', 'Write a whole number from 0 here.')
  const found = figures(of, scope)
  if (found.type !== 'list') throw mismatch(of.at, found, 'a list')
  const counting = combine.withoutOpen(found)
  return combine.largest(counting, lengthOf(wantedCount, counting.length))
}

/** Pairs of arguments after `from`. */
function pairsOf(tree: Call, from: number, form: string): readonly (readonly [Expression, Expression])[] {
  const rest = tree.args.slice(from)
  if (rest.length === 0 || rest.length % 2 === 1) throw wanted(tree, form)
  return Array.from({ length: rest.length / 2 }, (_, at) => [rest[2 * at]!, rest[2 * at + 1]!] as const)
}

function weighted(tree: Call, scope: SchemeScope): Compiled {
  const pairs = pairsOf(tree, 0, 'weighted(60, a, 40, b)')
  const weights = pairs.map(([weight]) => literal(weight, 'the weight'))
  const negative = weights.findIndex((weight) => weight < 0)
  if (negative !== -1) throw new SchemeFault(pairs[negative]![0].at, 'weights-sum', 'A weight is 0 or more.')
  const sum = Number(weights.reduce((all, weight) => all + weight, 0).toPrecision(12))
  if (sum !== 100) throw new SchemeFault(tree.at, 'weights-sum', `The weights are ${sum} in all; they must be 100.`)
  return combine.weighted(
    weights,
    pairs.map(([, of]) => number(of, scope)),
  )
}

function stepped(tree: Call, scope: SchemeScope): Compiled {
  const [of] = tree.args
  const pairs = pairsOf(tree, 1, 'step(x, 50, 60, 80, 100): from 50 it is 60, from 80 it is 100')
  const steps = pairs.map(([from, value]) => [literal(from, 'the threshold'), literal(value, 'the value')] as const)
  const wrong = steps.findIndex(([from], at) => at > 0 && from <= steps[at - 1]![0])
  if (wrong !== -1)
    throw new SchemeFault(pairs[wrong]![0].at, 'thresholds-order', 'Thresholds stand in ascending order.')
  return combine.stepped(number(of!, scope), steps.flat())
}

/** Exactly one figure, and numbers. */
function withNumbers(tree: Call, scope: SchemeScope, form: string, names: readonly string[]) {
  const [of, ...rest] = tree.args
  if (of === undefined || rest.length !== names.length) throw wanted(tree, form)
  return { of: number(of, scope), numbers: rest.map((each, at) => literal(each, names[at]!)) }
}

const combiners: Readonly<Record<Combiner, (tree: Call, scope: SchemeScope) => Compiled>> = {
  mean: gathered('mean'),
  sum: gathered('sum'),
  min: gathered('min'),
  max: gathered('max'),
  best: (tree, scope) => someOf(tree, scope, (count) => count),
  drop: (tree, scope) => someOf(tree, scope, (count, all) => Math.max(1, all - count)),
  weighted,
  step: stepped,
  cap(tree, scope) {
    const { of, numbers } = withNumbers(tree, scope, 'cap(x, 100)', ['the largest value'])
    return combine.capped(of, numbers[0]!)
  },
  curve(tree, scope) {
    const form = 'curve(x, 70, 10): mean 70, standard deviation 10'
    const { of, numbers } = withNumbers(tree, scope, form, ['the mean', 'the standard deviation'])
    if (numbers[1]! < 0) throw new SchemeFault(tree.args[2]!.at, 'argument-kind', 'A deviation is 0 or more.')
    return combine.curved(of, numbers[0]!, numbers[1]!)
  },
  round(tree, scope) {
    const { of, numbers } = withNumbers(tree, scope, 'round(x, 0)', ['the number of decimals'])
    const digits = numbers[0]!
    if (!Number.isInteger(digits) || digits < 0 || digits > 6)
      throw new SchemeFault(tree.args[1]!.at, 'argument-kind', 'Write a whole number from 0 to 6 here.')
    return combine.roundedTo(of, digits)
  },
}
