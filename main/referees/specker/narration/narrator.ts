import type { Narrator, NarratedLine } from '../../../contract/game/narration.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Input } from '../input.ts'
import type { Deal, State } from '../state.ts'
import { energy } from '../trading/violations.ts'
import { happeningsOf, noteBefore } from './happenings.ts'
import { ruleOf } from './rule-names.ts'
import { sentenceOf, type Telling } from './sentences.ts'

/** Every offer, purchase, payment and removal with its rule, then the accounts and the debts. */
export const narrator: Narrator<State, Input> = {
  input(state, names) {
    const before = noteBefore(state)
    return (input) => {
      const happenings = happeningsOf(state, input, before, () => true)
      if (happenings.length === 0) return [quiet(input, names)]
      return happenings.map((each) => ({
        text: sentenceOf(each, { ...tellingFor(names), challenge: state.challenge.name }),
        rule: `rule ${ruleOf(each.event).number}`,
      }))
    }
  },
  standing(state, names) {
    const accounts = state.players.map(
      ({ account, removed }, seat) => `${nameOf(names, seat)} ${energy(account)}${removed ? ' (removed)' : ''}`,
    )
    const owed = [...state.deals.values()].map((deal) => dutyOf(deal, names))
    return [`Accounts: ${accounts.join(', ')}.`, ...(owed.length === 0 ? [] : [`Owed: ${owed.join('; ')}.`])]
  },
}

const nameOf = (names: readonly string[], seat: SeatId): string => names[seat] ?? `seat ${seat}`

function tellingFor(names: readonly string[]): Telling {
  return { name: (seat) => nameOf(names, seat), energy, text: (untrusted) => untrusted }
}

/** An input without a public event. */
function quiet(input: Input, names: readonly string[]): NarratedLine {
  if (input.type === 'close')
    return { text: 'Trading ends; what is owed is still delivered and solved.', rule: 'rule 10' }
  if (input.type === 'overdue') return { text: `Challenge ${input.challenge} is overdue.`, rule: 'rule 8' }
  return { text: `${nameOf(names, input.seat)} does nothing in this turn.`, rule: 'rule 2' }
}

function dutyOf({ challenge, seller, buyer, material, answer }: Deal, names: readonly string[]): string {
  if (material === null) return `${nameOf(names, seller)} delivers challenge ${challenge}`
  if (answer === undefined) return `${nameOf(names, buyer)} solves challenge ${challenge}`
  return `${nameOf(names, seller)} reveals the secret of challenge ${challenge}`
}
