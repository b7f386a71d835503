import { show } from '../../formulas/index.ts'
import { spend } from '../../formulas/running/frame.ts'
import type { Value } from '../../formulas/index.ts'
import type { Json } from '../../json.ts'
import { canonical } from '../canonical.ts'
import { misfitOf } from '../check-value.ts'
import type { Chooser } from './chooser.ts'
import { DeadEnd } from './dead-end.ts'
import { deadEndOf, domainOf, pick } from './domain.ts'
import { makeList } from './make-list.ts'
import type { ElementMaker, MakerContext } from './make-list.ts'
import { furthest } from '../plan.ts'
import type { ChoicePlan, ClassPlan, GivenPlan, OptionPlan, Plan } from '../plan.ts'

/** Maximum nesting of generated objects. */
const DEEPEST = 200
/** Nesting of objects of one class beyond which generation ends as soon as possible. */
const NESTED = 4
/** How often an object is generated again if its first fields leave no value for another one. */
const TRIES = 500

/** Generates values, part by part, in the order of the dictionary. */
export class Maker implements ElementMaker {
  readonly surroundings: MakerContext
  readonly chooser: Chooser
  readonly #tries: number
  /** The current nesting of objects of each class. */
  readonly #open = new Map<ClassPlan, number>()
  #depth = 0
  #crowded = 0

  constructor(surroundings: MakerContext, chooser: Chooser, tries = TRIES) {
    this.surroundings = surroundings
    this.chooser = chooser
    this.#tries = tries
  }

  get crowded(): boolean {
    return this.#crowded > 0
  }

  trying(chooser: Chooser): Maker {
    const other = new Maker(this.surroundings, chooser, 1)
    for (const [plan, count] of this.#open) other.#open.set(plan, count)
    other.#depth = this.#depth
    other.#crowded = this.#crowded
    return other
  }

  make(plan: Plan): Json | DeadEnd {
    switch (plan.kind) {
      case 'lexical': {
        const { frame, defaults, valid } = this.surroundings
        spend(frame, 1)
        const domain = domainOf(plan, frame, defaults, valid)
        return domain instanceof DeadEnd ? domain : pick(domain, this.chooser)
      }
      case 'list':
        return makeList(plan, this)
      case 'option':
        return this.#option(plan)
      case 'class':
        return this.#object(plan, false)
      case 'choice':
        return this.#choice(plan)
      case 'given':
        return this.#given(plan)
    }
  }

  #option(plan: OptionPlan): Json | DeadEnd {
    const present = this.crowded && plan.none > 0 ? 0 : this.chooser.weighted([plan.none, plan.some])
    if (present === 0) return null
    const made = this.make(plan.of)
    return made instanceof DeadEnd && made.reach !== 'end' && plan.none > 0 ? null : made
  }

  #choice(plan: ChoicePlan): Json | DeadEnd {
    const weights = plan.alternatives.map((one) => one.weight)
    for (;;) {
      const chosen = this.crowded ? simplest(plan, weights) : this.chooser.weighted(weights)
      const made = this.#object((plan.alternatives[chosen] as ChoicePlan['alternatives'][number]).plan, true)
      if (!(made instanceof DeadEnd) || made.reach === 'end') return made
      // Try another alternative.
      weights[chosen] = 0
      if (weights.every((weight) => weight === 0)) return made
    }
  }

  #object(plan: ClassPlan, named: boolean): Json | DeadEnd {
    const { frame, places } = this.surroundings
    if (this.#depth >= DEEPEST)
      return new DeadEnd(null, `Under these rules a ${plan.shape.name} is nested too deeply.`, 'end')
    const isRoot = this.#depth === 0
    const outer = frame.slots[places.object] ?? null
    const open = (this.#open.get(plan) ?? 0) + 1
    this.#open.set(plan, open)
    this.#depth++
    if (open >= NESTED) this.#crowded++
    let made: Json | DeadEnd
    for (let tries = 1; ; tries++) {
      made = this.#fields(plan, named, isRoot)
      if (!(made instanceof DeadEnd) || tries >= this.#tries) break
      if (made.reach !== 'this' && !(isRoot && made.reach === 'root')) break
    }
    if (open >= NESTED) this.#crowded--
    this.#depth--
    this.#open.set(plan, open - 1)
    frame.slots[places.object] = outer
    if (!(made instanceof DeadEnd)) return made
    return made.reach === 'this' || isRoot ? made.outside(isRoot ? 'given' : plan.reach) : made
  }

  #fields(plan: ClassPlan, named: boolean, isRoot: boolean): Json | DeadEnd {
    const { frame, places } = this.surroundings
    spend(frame, 1)
    const object: { [label: string]: Json } = named ? { $: plan.shape.name } : {}
    if (isRoot) frame.slots[places.root] = object
    frame.slots[places.object] = object
    for (const { label, plan: field } of plan.fields) {
      const made = this.make(field)
      if (made instanceof DeadEnd) return made.within(label)
      object[label] = made
    }
    for (const { at, code } of plan.conditions) {
      try {
        if (!(code(frame) as boolean))
          return new DeadEnd(at, `No ${plan.shape.name} was found that meets this.`, 'this')
      } catch (error) {
        return deadEndOf(error, frame, at, 'this')
      }
    }
    return object
  }

  #given(plan: GivenPlan): Json | DeadEnd {
    const { frame, places, valid } = this.surroundings
    const [first, ...others] = plan.limits
    if (!first) return this.make(plan.of)
    const found = new Map<string, Json>()
    try {
      const list = first.list(frame) as readonly Value[]
      spend(frame, list.length)
      for (const value of list) {
        const json = canonical(value, plan.shape, valid)
        if (json === undefined) continue
        const whole: GivenPlan = { ...plan, limits: others }
        if (misfitOf(whole, json, frame, places) === null) found.set(JSON.stringify(json), json)
      }
      if (found.size > 0) return [...found.values()][this.chooser.below(found.size)] as Json
      const message = list.length === 0 ? 'There is nothing to choose from.' : `None of ${show(list)} meets all rules.`
      return new DeadEnd(first.at, message, furthest(plan.limits))
    } catch (error) {
      return deadEndOf(error, frame, first.at, furthest(plan.limits))
    }
  }
}

/** The alternative with weight that is certain to end. */
function simplest(plan: ChoicePlan, weights: readonly number[]): number {
  let best = -1
  for (const [i, { plan: alternative }] of plan.alternatives.entries()) {
    if (weights[i] === 0) continue
    if (best < 0 || alternative.rank < (plan.alternatives[best]?.plan.rank ?? 0)) best = i
  }
  return best
}
