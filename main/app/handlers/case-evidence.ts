import type { CitedRule, Exhibit, Penalty } from '../../contract/cases/cases.ts'
import type { WantedAct } from '../../contract/cases/case-record.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import type { Caller } from '../../contract/people/caller.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { keptEvents } from '../../services/evidence/kept-evidence.ts'
import { ruleOf } from '../../services/evidence/rule-texts.ts'
import type { Rooms } from '../rooms.ts'

/** A caller, among those for whom work waits. */
export const waitingAs = ({ role, person }: Pick<Caller, 'role' | 'person'>): string =>
  `${String(role)} ${String(person)}`

type Sources = Pick<Rooms, 'matches' | 'contests'>

/** A complaint as far as it can be compared with the class: its rule, its evidence and the penalty asked for. */
interface Claim {
  readonly contest: ContestId
  readonly rule: CitedRule
  readonly evidence: readonly Exhibit[]
  readonly asks: Penalty
}

/**
 * Compares a complaint with the class: the rule with its book, the evidence with the histories, the penalty with the contest. Rejects with
 * ExpectedError 'usage', `complaint-refused` if words or references are not those of the program. `who`: for whom; they take turns.
 */
export async function checkClaim(sources: Sources, claim: Claim, who: string): Promise<void> {
  const { contest, rule, evidence, asks } = claim
  const { game } = sources.contests.entry(contest).description
  const { text } = await ruleOf(rule.source === 'rulebook' ? game : 'security', rule.id)
  if (text !== rule.text)
    throw new ExpectedError(
      'usage',
      'complaint-refused',
      `These are not the words of the rule "${rule.id}": choose it from the book again.`,
    )
  await checkExhibits(sources, contest, evidence, who)
  await sources.contests.checkRemedies(contest, asks)
}

/** True for a step that brings something to compare with the class. */
export const isCompared = ({ do: step }: Pick<WantedAct, 'do'>): boolean =>
  step === 'answered' || step === 'exhibited' || step === 'admitted'

/** The same for what a step brings. */
export async function checkBrought(sources: Sources, contest: ContestId, act: WantedAct, who: string): Promise<void> {
  if (act.do === 'answered') await checkExhibits(sources, contest, act.evidence, who)
  if (act.do === 'exhibited') await checkExhibits(sources, contest, [act.exhibit], who)
  if (act.do === 'admitted') await sources.contests.checkRemedies(contest, act.penalties.flat())
}

async function checkExhibits(
  { matches }: Pick<Sources, 'matches'>,
  contest: ContestId,
  exhibits: readonly Exhibit[],
  who: string,
): Promise<void> {
  const refused = (message: string): ExpectedError => new ExpectedError('usage', 'complaint-refused', message)
  const other = exhibits.find(({ reference }) => reference.contest !== contest)?.reference
  if (other !== undefined)
    throw refused(`Match ${other.match} of ${other.contest} is not evidence: the case is about ${contest}.`)
  const byMatch = Map.groupBy(exhibits, ({ reference }) => reference.match)
  for (const [match, ofMatch] of byMatch) {
    const references = ofMatch.map(({ reference }) => reference)
    const made = await keptEvents(matches, { contest, match }, references, who)
    for (const [at, reference] of references.entries())
      if (canonicalText(made[at]!.reference) !== canonicalText(reference))
        throw refused(`The history of match ${match} tells event ${reference.move} otherwise: add the event again.`)
  }
}
