import { furthest } from '../plan.ts'
import type { Plan, Reach } from '../plan.ts'

/**
 * Finds for each plan whether it has finite values: lists that may be empty, options that may be absent, and plans that
 * need only such plans. Also sets `ruled` and `reach`. Returns whether every plan has finite values.
 */
export function rankPlans(plans: readonly Plan[]): boolean {
  const users = new Map<Plan, Plan[]>(plans.map((plan) => [plan, []]))
  for (const plan of plans) for (const part of partsOf(plan)) users.get(part)?.push(plan)
  const open = new Map(plans.map((plan) => [plan, needed(plan)]))
  const ended = plans.filter((plan) => open.get(plan) === 0)
  for (const [rank, plan] of ended.entries()) plan.rank = rank
  for (const plan of ended) {
    for (const user of users.get(plan) ?? []) {
      const left = (open.get(user) ?? 0) - 1
      open.set(user, left)
      if (left === 0 && user.rank < 0) user.rank = ended.push(user) - 1
    }
  }
  const ruled = plans.filter(hasRules)
  for (const plan of ruled) plan.ruled = true
  for (const plan of ruled) {
    for (const user of users.get(plan) ?? []) {
      if (user.ruled) continue
      user.ruled = true
      ruled.push(user)
    }
  }
  const reaching = plans.filter((plan) => (plan.reach = furthest(ownReaches(plan))) !== 'given')
  for (const plan of reaching) {
    for (const user of users.get(plan) ?? []) {
      const reach = furthest([user, { reach: seenFrom(user, plan.reach) }])
      if (reach === user.reach) continue
      user.reach = reach
      reaching.push(user)
    }
  }
  return ended.length === plans.length
}

/**
 * The reach of a part as seen from outside its user: for fields of a class, the enclosing object is the class's own.
 */
function seenFrom(user: Plan, reach: Reach): Reach {
  return user.kind === 'class' && reach === 'this' ? 'given' : reach
}

function ownReaches(plan: Plan): readonly { readonly reach: Reach }[] {
  switch (plan.kind) {
    case 'lexical':
    case 'given':
      return plan.limits
    case 'list':
      return plan.lengths
    case 'class':
      return plan.conditions.map(({ reach }) => ({ reach: seenFrom(plan, reach) }))
    case 'option':
    case 'choice':
      return []
  }
}

/** The number of parts that must have finite values before the plan has some; for a choice, of those with weight. */
function needed(plan: Plan): number {
  switch (plan.kind) {
    case 'lexical':
    case 'given':
      return 0
    case 'list':
      return plan.mayBeEmpty ? 0 : 1
    case 'option':
      return plan.none > 0 ? 0 : 1
    case 'class':
      return plan.fields.length
    case 'choice':
      return 1
  }
}

function partsOf(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'lexical':
      return []
    case 'given':
    case 'list':
    case 'option':
      return [plan.of]
    case 'class':
      return plan.fields.map((field) => field.plan)
    case 'choice':
      return plan.alternatives.flatMap((one) => (one.weight > 0 ? [one.plan] : []))
  }
}

function hasRules(plan: Plan): boolean {
  switch (plan.kind) {
    case 'lexical':
      return plan.limits.length > 0
    case 'given':
      return true
    case 'list':
      return plan.lengths.length > 0 || plan.distinct !== null
    case 'option':
      return plan.none === 0 || plan.some === 0
    case 'class':
      return plan.conditions.length > 0
    case 'choice':
      return plan.alternatives.some((one) => one.weight === 0)
  }
}
