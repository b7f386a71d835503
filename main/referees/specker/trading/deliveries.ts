import { compare, fraction, toText, type Fraction } from '../../../../grammars/formulas/numbers/fraction.ts'
import type { Culprit } from '../../../../grammars/challenges/blame.ts'
import type { SeatId } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import { randomStream } from '../../../contract/random.ts'
import { pay } from './ledger.ts'
import { claimOf, refundOf, verdictOf, type Verdict } from './payoffs.ts'
import { removePlayer } from './removal.ts'
import { belowPromise, wrongOpening, wrongSecret } from '../secrets.ts'
import type { Deal, State } from '../state.ts'
import { announce, closeDeal, debtOf } from './trade.ts'
import type { ActionOf, Turn } from './turn.ts'
import { breach, energy, sentence, type Breach } from './violations.ts'

/** Rule 4, the seller's part. */
export function deliver(state: State, turn: Turn, action: ActionOf<'deliver'>): Breach | null {
  const { challenge, instance, secret } = action
  if (turn.ended.has(challenge)) return null
  const deal = state.deals.get(challenge)
  if (deal === undefined) return finished(challenge)
  if (deal.seller !== turn.seat) return notYours(deal, deal.seller, 'sold')
  if (deal.material !== null) return notDue(challenge, 'its raw material has been delivered.')
  const wrong = state.challenge.legal(state.config.challengeConfig, deal.predicate, instance)
  if (wrong !== null) {
    const text = `the raw material for challenge ${challenge} does not match its predicate: ${wrong}`
    return breach('illegal-material', { challenge }, text)
  }
  const unratable = strict(state) ? state.challenge.unratable(state.config.challengeConfig, instance) : null
  if (unratable !== null) {
    if (isFileAtBound(state, deal, instance)) {
      voidDeal(state, deal, unratable)
      return null
    }
    const text = `the raw material for challenge ${challenge} cannot be judged: ${unratable}`
    return breach('illegal-material', { challenge }, text)
  }
  const unsound = wrongSecretOf(deal, secret)
  if (unsound !== null) return unsound
  const said = secret === undefined ? {} : { secret }
  state.deals.set(challenge, { ...deal, material: { instance, ...said } })
  announce(state, { type: 'delivered', seat: turn.seat, challenge, ...said })
  return null
}

/** Only secret challenges have a secret with their raw material. */
function wrongSecretOf({ challenge, kind }: Deal, secret: ActionOf<'deliver'>['secret']): Breach | null {
  const values = { challenge }
  if (kind !== 'secret') {
    if (secret === undefined) return null
    return breach(
      'illegal-secret',
      values,
      `challenge ${challenge} is no secret challenge, but a secret was delivered.`,
    )
  }
  if (secret === undefined) {
    const text = `challenge ${challenge} is a secret challenge, but the raw material came without its secret.`
    return breach('illegal-secret', values, text)
  }
  const wrong = wrongSecret(secret)
  if (wrong === null) return null
  return breach(
    'illegal-secret',
    { challenge, ...secret },
    `the secret of challenge ${challenge} cannot be used: ${wrong}`,
  )
}

/** Rule 4, the buyer's part; the seller pays at once according to payoffs.ts. */
export function solve(state: State, turn: Turn, { challenge, solution }: ActionOf<'solve'>): Breach | null {
  if (turn.ended.has(challenge)) return null
  const deal = state.deals.get(challenge)
  if (deal === undefined) return finished(challenge)
  if (deal.buyer !== turn.seat) return notYours(deal, deal.buyer, 'bought')
  if (deal.material === null) return notDue(challenge, 'its raw material has not been delivered yet.')
  if (deal.answer !== undefined) return notDue(challenge, 'it has been solved.')
  const { instance } = deal.material
  const wrong = state.challenge.feasible(state.config.challengeConfig, instance, solution)
  if (wrong !== null) {
    const text = `the solution of challenge ${challenge} is not feasible: ${wrong}`
    const infeasible = breach('infeasible-solution', { challenge }, text)
    return strict(state) ? blame(state, turn, deal, solution, wrong, infeasible) : infeasible
  }
  const quality = qualityOf(state, instance, solution)
  if (typeof quality === 'string') return unjudged(state, turn, deal, solution, quality)
  const verdict = verdictOf(state, deal, solution, quality)
  if (typeof verdict === 'string') return unjudged(state, turn, deal, solution, verdict)
  settle(state, turn, deal, toText(quality), verdict)
  return null
}

/** True if a player answers for values of its own that cannot be judged. */
function strict({ choices }: State): boolean {
  return choices.judgement !== 'lenient'
}

/** True if a secret that cannot be judged may be the file's fault. */
function asksFile({ choices }: State): boolean {
  return choices.judgement === 'thorough' || choices.judgement === 'complete'
}

/** Rules use no chance: the other solutions that are tried always come from the same numbers. */
const TRIALS = '7'.repeat(64)

/** The end of a solution whose quality or belief the challenge cannot compute, for this reason. */
function unjudged(state: State, turn: Turn, deal: Deal, solution: Json, reason: string): Breach | null {
  const { challenge } = deal
  const text = `the solution of challenge ${challenge} cannot be judged and counts as not feasible: ${reason}`
  if (strict(state)) {
    return blame(state, turn, deal, solution, reason, breach('infeasible-solution', { challenge }, text))
  }
  voidDeal(state, deal, reason)
  return null
}

/**
 * Strictly, the value at fault decides about a solution that was not judged: the solution (its buyer breaks a rule), the raw
 * material (its seller does, because no solution of it can be judged), or the challenge file (nobody does, and the sale is
 * void).
 */
function blame(
  state: State,
  turn: Turn,
  deal: Deal,
  solution: Json,
  reason: string,
  infeasible: Breach,
): Breach | null {
  const { challenge, seller, kind } = deal
  switch (culpritOf(state, deal, solution, kind === 'belief' ? claimOf(deal) : null)) {
    case 'solution':
      return infeasible
    case 'challenge':
      voidDeal(state, deal, reason)
      return null
    case 'instance': {
      const text = sentence(`No solution of the raw material for challenge ${challenge} can be judged: ${reason}`)
      const violation = { rule: 'illegal-material', action: null, values: { challenge }, text } as const
      const gone = removePlayer(state, seller, violation, 'early')
      for (const ended of gone) turn.ended.add(ended)
      return null
    }
  }
}

/** The value at fault where a solution was not judged. `f`: of the belief that was asked for; null: none was. */
function culpritOf(state: State, deal: Deal, solution: Json, f: Fraction | null): Culprit {
  const { challenge, choices, config } = state
  const generators = choices.judgement === 'strict' ? 'ignored' : 'counted'
  const predicate = choices.judgement === 'complete' ? deal.predicate : null
  const { instance } = deal.material!
  const asked = { generators, predicate } as const
  return challenge.culprit(config.challengeConfig, instance, solution, f, randomStream(TRIALS), asked)
}

/** True if the file, not the seller, is at fault where the bound of raw material has no value. */
function isFileAtBound({ challenge, choices, config }: State, { predicate }: Deal, instance: Json): boolean {
  if (choices.judgement !== 'complete') return false
  return challenge.boundCulprit(config.challengeConfig, predicate, instance, randomStream(TRIALS)) === 'challenge'
}

/**
 * The end of a secret challenge after the buyer's answer: solution and nonce must match the commitment, and the
 * solution must be as good as claimed.
 */
export function reveal(state: State, turn: Turn, action: ActionOf<'reveal'>): Breach | null {
  const { challenge, solution, nonce } = action
  if (turn.ended.has(challenge)) return null
  const deal = state.deals.get(challenge)
  if (deal === undefined) return finished(challenge)
  if (deal.seller !== turn.seat) return notYours(deal, deal.seller, 'sold')
  if (debtOf(deal).owes !== 'reveal') return notDue(challenge, 'a secret is revealed when the buyer has answered.')
  const { instance, secret } = deal.material!
  const broken = (why: string): Breach => {
    return breach('broken-secret', { challenge, ...secret }, `the secret of challenge ${challenge} is not kept: ${why}`)
  }
  const mismatch = wrongOpening(secret!, solution, nonce)
  if (mismatch !== null) return broken(mismatch)
  const wrong = state.challenge.feasible(state.config.challengeConfig, instance, solution)
  const isFiles = (): boolean => culpritOf(state, deal, solution, null) === 'challenge'
  if (wrong !== null) {
    if (state.choices.judgement !== 'complete' || !isFiles())
      return broken(`the secret solution is not feasible: ${wrong}`)
    voidDeal(state, deal, wrong)
    return null
  }
  const quality = qualityOf(state, instance, solution)
  if (typeof quality === 'string') {
    if (strict(state) && !(asksFile(state) && isFiles()))
      return broken(`the secret solution cannot be judged: ${quality}`)
    voidDeal(state, deal, quality)
    return null
  }
  const below = belowPromise(secret!, quality)
  if (below !== null) {
    state.found.push({ type: 'broken', challenge, quality: toText(quality) })
    if (state.choices.falseSecrets === 'as-true') state.deals.set(challenge, { ...deal, shown: toText(quality) })
    return broken(below)
  }
  closeDeal(state, deal)
  state.found.push({ type: 'revealed', challenge, quality: toText(quality) })
  announce(state, { type: 'revealed', seat: turn.seat, challenge, quality: toText(quality) })
  return null
}

/** A string: the challenge file is at fault. */
function qualityOf({ challenge, config }: State, instance: Json, solution: Json): Fraction | string {
  const quality = challenge.quality(config.challengeConfig, instance, solution)
  if (typeof quality === 'string') return quality
  const inside = compare(quality, fraction(0)) >= 0 && compare(quality, fraction(1)) <= 0
  return inside ? quality : `The challenge file gives the quality ${toText(quality)}, which is not between 0 and 1.`
}

/** Decision 9: a seller pays what it can; it is removed if it cannot pay everything or has nothing left. */
function settle(state: State, turn: Turn, deal: Deal, quality: string, { discounted, payoff: owed }: Verdict): void {
  const { challenge, seller, buyer } = deal
  const account = state.players[seller]!.account
  const payoff = Math.min(owed, account)
  pay(state, seller, buyer, payoff)
  if (deal.kind === 'secret' && account > owed) {
    state.deals.set(challenge, { ...deal, answer: { quality, discounted: discounted! } })
  } else closeDeal(state, deal)
  const claim = discounted === null ? {} : { discounted }
  state.found.push({ type: 'solved', challenge, quality, payoff, ...claim })
  announce(state, { type: 'solved', seat: buyer, challenge, quality, payoff, ...claim })
  if (account > owed) return
  const text =
    account < owed
      ? `The payoff of ${energy(owed)} for challenge ${challenge} is more than the ${energy(account)} on the account.`
      : `The payoff of ${energy(owed)} for challenge ${challenge} leaves nothing on the account; it must stay above 0.`
  const values = { challenge, owed, paid: payoff, shortfall: owed - payoff }
  const gone = removePlayer(state, seller, { rule: 'positive-account', action: null, values, text }, 'early')
  for (const ended of gone) turn.ended.add(ended)
}

/**
 * The challenge file cannot rate a solution, for which no player is to blame. The buyer gets its price back unless it has
 * already been paid, as far as the seller's account stays above 0.
 */
export function voidDeal(state: State, deal: Deal, text: string): void {
  const { challenge, seller, buyer } = deal
  const owed = refundOf(state, deal)
  const refund = Math.min(owed, state.players[seller]!.account - 1)
  pay(state, seller, buyer, refund)
  closeDeal(state, deal)
  const shortfall = owed - refund
  state.found.push({ type: 'voided', challenge, refund })
  announce(state, { type: 'voided', seat: seller, challenge, buyer, refund, shortfall, text: sentence(text) })
}

function notYours(deal: Deal, owner: SeatId, done: string): Breach {
  const text = `challenge ${deal.challenge} was ${done} by seat ${owner}, not by you.`
  return breach('not-yours', { challenge: deal.challenge, owner }, text)
}

function finished(challenge: number): Breach {
  return notDue(challenge, 'it was not bought, or is finished.')
}

function notDue(challenge: number, why: string): Breach {
  return breach('not-due', { challenge }, `nothing is due for challenge ${challenge}: ${why}`)
}
