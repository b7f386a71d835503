import { BOOLEAN, checkFormula, Compiler, evaluate } from '../formulas/index.ts'
import type { Scope, Value } from '../formulas/index.ts'
import type { Json } from '../json.ts'
import type { ChoiceShape, ClassShape, Shape } from '../values/index.ts'
import { ALLOWANCE, automatonOf } from './expressions/automaton.ts'
import type { Valid } from './canonical.ts'
import { misfitOf } from './check-value.ts'
import { checkLimit, withOneLanguage } from './check-limits.ts'
import type { Surroundings } from './check-limits.ts'
import { EveryWay, randomChooser, TooMany } from './making/chooser.ts'
import type { Chooser } from './making/chooser.ts'
import { DeadEnd } from './making/dead-end.ts'
import type { Defaults } from './making/domain.ts'
import { readExpression } from './expressions/expression.ts'
import { emptyRules } from './making/empty-rules.ts'
import { Language } from './expressions/language.ts'
import { Maker } from './making/maker.ts'
import { pathText } from './path.ts'
import type { ChoicePlan, ClassPlan, Condition, Limit, ListedLimit, Plan } from './plan.ts'
import type { Generated, Property } from './property.ts'
import { rankPlans } from './making/rank.ts'
import { reachOf, scopesOf } from './scopes.ts'
import type { Subject } from './subject.ts'
import type { ConstraintTree, RuleTree } from './tree.ts'

/** Maximum sum of weights. */
const HEAVIEST = 1_000_000

/**
 * Checks the rules of a `property` section, of which there may be none, against the classes of its subject. Problems,
 * including rules that no value can meet, are reported to `subject.program`. Call the returned function only when the
 * whole program has been checked and has no problems.
 */
export function readProperty(rules: readonly RuleTree[], subject: Subject): () => Property {
  const { program, values } = subject
  const scopes = scopesOf(subject)
  const around: Surroundings = {
    subject,
    places: scopes.places,
    compiler: new Compiler(),
    constants: new WeakSet(),
    allowance: { left: ALLOWANCE },
  }
  const builder = new Builder(rulesByClass(rules, scopes.classes, subject), around, scopes.scope)
  const root = builder.build(subject.shape)
  const plans = builder.plans
  const ends = rankPlans(plans)
  const valid: Valid = (value, lexical) => values.validate(value, lexical) === null
  const defaults = defaultsOf(values.literals)
  if (program.faults.length === 0) {
    if (!ends) reportEndless(rules, program)
    else emptyRules(plans, around, { defaults, valid })
  }
  return () => {
    const { size } = program
    const { places } = scopes
    /** `tries`: how often an object is made again; by default as often as the maker does. */
    const made = (inputs: readonly Value[], chooser: Chooser, tries?: number) =>
      evaluate((frame) => new Maker({ frame, places, defaults, valid }, chooser, tries).make(root), size, inputs)
    return {
      check(value, inputs) {
        const run = evaluate(
          (frame) => {
            frame.slots[places.root] = value
            return misfitOf(root, value, frame, places)
          },
          size,
          inputs,
        )
        return run.ok ? run.value : { path: '', message: run.message }
      },
      every(inputs, most) {
        const found: Json[] = []
        const ways = new EveryWay(most)
        try {
          while (ways.next()) {
            const run = made(inputs, ways, 1)
            if (run.ok && !(run.value instanceof DeadEnd)) found.push(run.value)
          }
        } catch (error) {
          if (error instanceof TooMany) return null
          throw error
        }
        return found
      },
      generate(inputs, random): Generated {
        const run = made(inputs, randomChooser(random))
        if (!run.ok) return { ok: false, problem: { at: run.at, path: '', message: run.message, limit: run.limit } }
        if (!(run.value instanceof DeadEnd)) return { ok: true, value: run.value }
        const { at, path, message, limit } = run.value
        return { ok: false, problem: { at, path: pathText(path), message, limit } }
      },
    }
  }
}

function reportEndless(rules: readonly RuleTree[], program: Subject['program']): void {
  program.report(
    rules[0]?.at ?? 0,
    'Under these rules every value would be infinite.',
    'Allow an end, such as an empty list.',
    { code: 'rule-form' },
  )
}

/** The languages of texts without rules. */
function defaultsOf(literals: ReadonlySet<string>): Defaults {
  const language = (source: string): Language => languageOf(source) ?? new Language({ states: [] })
  return {
    ident: namesOutside(literals),
    string: language('.*'),
    char: language('.'),
    verbatim: language('[ -|~]*'),
  }
}

function languageOf(source: string, excluded: ReadonlySet<string> | null = null): Language | null {
  const automaton = automatonOf(readExpression(source), excluded && { excluded })
  return automaton && new Language(automaton)
}

/** Names without a rule are never drawn this long, so that such a literal need not be excluded. */
const LONG_NAME = 64

/** Names outside of the literals: all of them or, if there are too many literals, those with a beginning that no literal has. */
function namesOutside(literals: ReadonlySet<string>): Language {
  const short = new Set([...literals].filter((literal) => literal.length < LONG_NAME))
  const names = languageOf('[a-z][a-z0-9]*', short)
  if (names !== null) return names
  for (let length = 1; ; length++) {
    const used = new Set([...literals].map((literal) => literal.slice(0, length)))
    for (let i = 0; i <= used.size; i++) {
      const beginning = `${String.fromCharCode(97 + (i % 26))}${
        length === 1
          ? ''
          : Math.floor(i / 26)
              .toString(36)
              .padStart(length - 1, '0')
      }`
      if (beginning.length > length || (length === 1 && i > 25)) break
      const some = used.has(beginning) ? null : languageOf(`${beginning}[a-z0-9]*`)
      if (some !== null) return some
    }
  }
}

/** The rules of each class by label; the empty label has those of the whole class. */
type ByClass = ReadonlyMap<ClassShape | string, ReadonlyMap<string, readonly ConstraintTree[]>>

function rulesByClass(rules: readonly RuleTree[], classes: readonly ClassShape[], subject: Subject): ByClass {
  const { program } = subject
  const choices = choicesOf(subject.shape)
  const found = new Map<ClassShape | string, Map<string, readonly ConstraintTree[]>>()
  const add = (owner: ClassShape | string, label: string, rule: RuleTree): void => {
    const own = found.get(owner) ?? new Map<string, readonly ConstraintTree[]>()
    found.set(owner, own)
    if (own.has(label))
      program.report(rule.at, `There is already a rule about ${nameOfRule(rule)} above.`, undefined, {
        code: 'name-twice',
      })
    own.set(label, [...(own.get(label) ?? []), ...rule.constraints])
  }
  for (const rule of rules) {
    const abstract = choices.filter(({ name }) => baseOf(name) === rule.className)
    const concrete = [
      ...classes.filter(({ name }) => baseOf(name) === rule.className),
      ...abstract.flatMap(({ alternatives }) => alternatives),
    ]
    if (concrete.length === 0) {
      const names = [...new Set([...choices, ...classes].map(({ name }) => baseOf(name)))]
      const hint = `Its classes are ${names.slice(0, 12).join(', ')}${names.length > 12 ? ', ...' : ''}.`
      program.report(rule.at, `The ${subject.name} contains no class "${rule.className}".`, hint, {
        code: 'class-unknown',
      })
    } else if (rule.label) {
      const { at, name } = rule.label
      const owners = [...new Set(concrete)].filter((one) => one.fields.some(({ label }) => label === name))
      for (const owner of owners) add(owner, name, rule)
      if (owners.length === 0) {
        const labels = concrete.flatMap((one) => one.fields.map(({ label }) => label))
        const hint = labels.length === 0 ? 'It has none.' : `Its fields are ${[...new Set(labels)].join(', ')}.`
        program.report(at, `${rule.className} has no field "${name}".`, hint, { code: 'field-unknown' })
      }
    } else {
      for (const constraint of rule.constraints) {
        const part = { ...rule, constraints: [constraint] }
        if (constraint.kind === 'choose' && abstract.length > 0) {
          for (const name of new Set(abstract.map((one) => one.name))) add(name, '', part)
        } else if (constraint.kind === 'where') for (const owner of new Set(concrete)) add(owner, '', part)
        else if (constraint.kind === 'choose') {
          program.report(
            constraint.at,
            `Only an abstract class has alternatives, but ${rule.className} is not abstract.`,
            undefined,
            { code: 'rule-form' },
          )
        } else {
          const hint = 'Name a field: Class.field: rule.'
          program.report(constraint.at, 'Rules about a whole class can only be "choose" or "where".', hint, {
            code: 'rule-form',
          })
        }
      }
    }
  }
  return found
}

function nameOfRule({ className, label }: RuleTree): string {
  return label ? `${className}.${label.name}` : className
}

/** The name of a class without its parameters. */
function baseOf(name: string): string {
  return name.replace(/\(.*$/s, '')
}

function choicesOf(root: Shape): readonly ChoiceShape[] {
  const seen = new Set<Shape>([root])
  for (const shape of seen) {
    if (shape.kind === 'list' || shape.kind === 'option') seen.add(shape.of)
    else if (shape.kind === 'choice') for (const one of shape.alternatives) seen.add(one)
    else if (shape.kind === 'class') for (const { type } of shape.fields) seen.add(type)
  }
  return [...seen].filter((shape) => shape.kind === 'choice')
}

/** Builds plans from shapes, one for each class. */
class Builder {
  readonly plans: Plan[] = []
  readonly #rules: ByClass
  readonly #around: Surroundings
  readonly #scope: (shape: ClassShape, at: number) => Scope
  readonly #classes = new Map<ClassShape, ClassPlan>()
  readonly #unfinished: (() => void)[] = []

  constructor(rules: ByClass, around: Surroundings, scope: (shape: ClassShape, at: number) => Scope) {
    this.#rules = rules
    this.#around = around
    this.#scope = scope
  }

  build(shape: Shape): Plan {
    const root = this.#plan(shape, [], new Map())
    for (let finish = this.#unfinished.pop(); finish; finish = this.#unfinished.pop()) finish()
    return root
  }

  #plan(shape: Shape, rules: readonly ConstraintTree[], scope: Scope): Plan {
    const limits = (trees: readonly ConstraintTree[]): Limit[] =>
      trees.map((tree) => checkLimit(tree, shape, scope, this.#around)).filter((limit) => limit !== null)
    const named = (kind: ConstraintTree['kind']) => rules.filter((rule) => rule.kind === kind)
    switch (shape.kind) {
      case 'list': {
        const lengths = named('length').flatMap((rule) => (rule.kind === 'length' ? [rule.of] : []))
        const elements = rules.flatMap((rule) =>
          rule.kind === 'element' ? [rule.of] : rule.kind === 'subset' ? [rule] : [],
        )
        const own = rules.filter(({ kind }) => !['length', 'element', 'subset', 'distinct'].includes(kind))
        const lengthLimits = this.#lengths(lengths, scope)
        return this.#given(shape, limits(own), {
          kind: 'list',
          of: this.#plan(shape.of, elements, scope),
          shape: shape.of,
          sorted: shape.sorted ?? null,
          lengths: lengthLimits,
          distinct: named('distinct')[0]?.at ?? null,
          mayBeEmpty: this.#mayBeNone(lengthLimits),
          ...fresh(),
        })
      }
      case 'option': {
        const [choose] = named('choose')
        const others = rules.filter((rule) => rule !== choose)
        const weights = choose?.kind === 'choose' ? this.#weights(choose, ['some', 'none']) : null
        const [some = 1, none = 1] = weights ?? []
        return this.#keep({ kind: 'option', of: this.#plan(shape.of, others, scope), some, none, ...fresh() })
      }
      case 'class':
        return this.#given(shape, limits(rules), this.#class(shape))
      case 'choice': {
        const [choose] = [...named('choose'), ...(this.#rules.get(shape.name)?.get('') ?? [])]
        const others = rules.filter((rule) => rule !== choose)
        const names = shape.alternatives.map(({ name }) => baseOf(name))
        const weights = choose?.kind === 'choose' ? this.#weights(choose, names) : null
        const plan: ChoicePlan = {
          kind: 'choice',
          name: shape.name,
          alternatives: shape.alternatives.map((one, i) => ({ plan: this.#class(one), weight: weights?.[i] ?? 1 })),
          ...fresh(),
        }
        return this.#given(shape, limits(others), plan)
      }
      default: {
        const all = withOneLanguage(limits(rules), this.#around)
        return this.#keep({ kind: 'lexical', lexical: shape.kind, limits: all, ...fresh() })
      }
    }
  }

  #keep<P extends Plan>(plan: P): P {
    this.plans.push(plan)
    return plan
  }

  /** A plan whose values must also be in the lists given by rules. */
  #given(shape: Shape, limits: readonly Limit[], plan: Plan): Plan {
    if (plan.kind !== 'class') this.#keep(plan)
    const listed = limits.filter((limit): limit is ListedLimit => limit.kind === 'listed')
    return listed.length === 0 ? plan : this.#keep({ kind: 'given', of: plan, shape, limits: listed, ...fresh() })
  }

  #class(shape: ClassShape): ClassPlan {
    const known = this.#classes.get(shape)
    if (known) return known
    const fields: { label: string; plan: Plan }[] = []
    const conditions: Condition[] = []
    const plan = this.#keep<ClassPlan>({ kind: 'class', shape, fields, conditions, ...fresh() })
    this.#classes.set(shape, plan)
    const rules = this.#rules.get(shape)
    this.#unfinished.push(() => {
      for (const [i, { label, type }] of shape.fields.entries()) {
        const own = rules?.get(label) ?? []
        fields.push({ label, plan: this.#plan(type, own, own.length > 0 ? this.#scope(shape, i) : new Map()) })
      }
      for (const rule of rules?.get('') ?? []) {
        if (rule.kind !== 'where') continue
        const { subject, places, compiler } = this.#around
        const scope = this.#scope(shape, shape.fields.length)
        const typed = checkFormula(rule.formula, BOOLEAN, 'What follows "where"', scope, subject.program)
        const reach = reachOf(typed, places, scope) ?? 'given'
        let code: Condition['code'] | null = null
        conditions.push({ at: rule.at, code: (frame) => (code ??= compiler.compile(typed))(frame), reach })
      }
    })
    return plan
  }

  #lengths(rules: readonly ConstraintTree[], scope: Scope): readonly Limit[] {
    const limits = rules.map((rule) => checkLimit(rule, { kind: 'int' }, scope, this.#around))
    return limits.filter((limit) => limit !== null)
  }

  /** True if the rules allow an empty list, or might. */
  #mayBeNone(lengths: readonly Limit[]): boolean {
    const { constants, subject } = this.#around
    if (subject.program.faults.length > 0) return true
    return lengths.every((limit) => {
      if (limit.kind !== 'range' || !constants.has(limit)) return true
      const low = evaluate(limit.low, subject.program.size, [])
      return !(low.ok && typeof low.value === 'number' && low.value > 0)
    })
  }

  /** The weights of the alternatives in order; 0 for one that is not listed. */
  #weights(rule: ConstraintTree & { kind: 'choose' }, names: readonly string[]): readonly number[] {
    const { program } = this.#around.subject
    const given = new Map<string, number>()
    for (const { at, name, weight } of rule.weights) {
      if (!names.includes(name)) {
        program.report(at, `No alternative here is called "${name}".`, `The alternatives are ${names.join(', ')}.`, {
          code: 'alternative-unknown',
        })
      } else if (given.has(name))
        program.report(at, `"${name}" already has a weight.`, undefined, { code: 'name-twice' })
      else if (!/^\d{1,7}$/.test(weight) || Number(weight) > HEAVIEST) {
        program.report(at, `A weight must be a whole number up to ${HEAVIEST}.`, undefined, { code: 'rule-form' })
      }
      given.set(name, Number(weight))
    }
    const weights = names.map((name) => given.get(name) ?? 0)
    if (weights.every((weight) => weight === 0))
      program.report(rule.at, 'This leaves no alternative: all have weight 0.', undefined, { code: 'rule-form' })
    return weights
  }
}

function fresh(): { rank: number; ruled: boolean; reach: 'given' } {
  return { rank: -1, ruled: false, reach: 'given' }
}
