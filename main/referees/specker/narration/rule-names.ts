import type { PublicEvent } from '../messages.ts'
import type { Rule } from '../trading/violations.ts'

/** A rule of section 4.3 by its number and a few words. */
export interface RuleName {
  readonly number: number
  readonly title: string
}

/** The rule of a removal. Faults of the agent itself belong to rule 9, which defines their cost. */
export const ruleNames: Readonly<Record<Rule, RuleName>> = {
  'accept-or-reoffer': { number: 2, title: 'Accept or reoffer' },
  'new-offer': { number: 3, title: 'Offer something new' },
  'wrong-kind': { number: 3, title: 'Only what is sold here' },
  'offers-max': { number: 3, title: 'Most new offers a turn' },
  delivery: { number: 4, title: 'Deliver in the next turn' },
  solution: { number: 4, title: 'Solve in the next turn' },
  'illegal-predicate': { number: 4, title: 'Legal predicate' },
  'illegal-material': { number: 4, title: 'Legal raw material' },
  'infeasible-solution': { number: 4, title: 'Feasible solution' },
  reveal: { number: 4, title: 'Reveal in the next turn' },
  'illegal-secret': { number: 4, title: 'Usable secret' },
  'broken-secret': { number: 4, title: 'Secret as promised' },
  'price-lowering': { number: 5, title: 'Lower the price enough' },
  'bought-once': { number: 6, title: 'Bought only once' },
  'positive-account': { number: 7, title: 'Account above 0' },
  'time-limit': { number: 8, title: 'Time limit' },
  completion: { number: 10, title: 'Completion only' },
  league: { number: 3, title: 'Only what the league admits' },
  'mega-move': { number: 4, title: 'One step at a time' },
  'not-on-offer': { number: 2, title: 'Only what is on offer' },
  'own-challenge': { number: 2, title: 'Only what others offer' },
  'not-yours': { number: 4, title: 'Only what is yours' },
  'not-due': { number: 4, title: 'Only what is due' },
  unreadable: { number: 9, title: 'Unreadable answer' },
  crash: { number: 9, title: 'Agent crashed' },
  memory: { number: 9, title: 'Too much memory' },
  isolation: { number: 9, title: 'Left its box' },
}

/** The rule that applied to an event. */
export function ruleOf(event: PublicEvent): RuleName {
  switch (event.type) {
    case 'offered':
      return { number: 3, title: 'New offer' }
    case 'accepted':
      return { number: 2, title: 'Accept' }
    case 'reoffered':
      return { number: 5, title: 'Lower the price' }
    case 'delivered':
      return { number: 4, title: 'Deliver' }
    case 'solved':
      return { number: 4, title: 'Solve' }
    case 'revealed':
      return { number: 4, title: 'Reveal' }
    case 'refused':
      return { number: 6, title: 'Too late' }
    case 'removed':
      return event.rule in ruleNames ? ruleNames[event.rule as Rule] : { number: 9, title: event.rule }
    case 'voided':
      return { number: 9, title: 'Refund' }
  }
}
