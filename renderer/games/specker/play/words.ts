import { fromText, toNumber } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { Action, Kind } from '../../../../main/referees/specker/messages.ts'
import type { PlayerView, BundlePreview } from '../../../../main/referees/specker/player-view.ts'
import { visible } from '../../../parts/lists/visible.ts'
import { exact } from '../energy.ts'
import { ruleNames } from '../../../../main/referees/specker/narration/rule-names.ts'
import type { Session } from './session.ts'

/** A short description of an action. `predicate`: formats a predicate. */
export function actionWords(
  action: Action,
  { turn }: Pick<PlayerView, 'turn'>,
  predicate: (value: Offered) => string,
): string {
  switch (action.type) {
    case 'offer':
      return `Offer ${action.kind === undefined || action.kind === 'classic' ? '' : `as a ${action.kind} `}“${predicate(action.predicate)}” for ${exact(action.price)}`
    case 'accept': {
      const price = turn.store.find(({ challenge }) => challenge === action.challenge)?.price ?? 0
      return `Accept challenge ${action.challenge} for ${exact(price)}`
    }
    case 'reoffer':
      return `Lower challenge ${action.challenge} to ${exact(action.price)}`
    case 'deliver':
      return `Deliver the raw material for challenge ${action.challenge}`
    case 'solve':
      return `Solve challenge ${action.challenge}`
    case 'reveal':
      return `Reveal the secret of challenge ${action.challenge}`
  }
}
type Offered = Extract<Action, { readonly type: 'offer' }>['predicate']

/** A violation in one sentence that names the rule; `whole`: the description of the action at fault. */
export function violationWords(violation: NonNullable<BundlePreview['violation']>, whole: string | null): string {
  const { rule, text } = violation
  const { number, title } = ruleNames[rule]
  const about = whole === null ? '' : `${whole}: `
  return `Rule ${number}, ${title.toLowerCase()}. ${about}${visible(withoutPosition(text))}`
}

/** A reason without its leading position in the bundle, which is not shown here, as a complete sentence. */
export function withoutPosition(text: string): string {
  const reason = text.replace(/^actions\.\d+ \([a-z]+\): /, '')
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

/** The meaning of a challenge's kind for its buyer. */
export function kindWords(kind: Kind, { profitFactor, f }: Session['choices']): string {
  const more = profitFactor === 1 ? '' : `${profitFactor} times `
  switch (kind) {
    case 'classic':
      return 'Classic: the seller pays the buyer the quality that the buyer reaches.'
    case 'belief':
      return `Belief: the seller claims that ${f === 'free' ? 'the stated quality' : 'the price, as a quality,'} cannot be reached. A buyer who reaches it gets the price back and ${more}the difference in quality; otherwise nothing is paid.`
    case 'secret':
      return `Secret: the seller has a solution of quality s. A buyer who reaches price × s gets the price back and ${more}the difference in quality; otherwise nothing is paid.`
  }
}

/** A quality "p/q" as a number, for display in per cent only. */
export function decimalOf(quality: string): number {
  const read = fromText(quality)
  return read === null ? 0 : toNumber(read)
}
