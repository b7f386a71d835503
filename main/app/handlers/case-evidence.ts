import type { CitedRule, Exhibit, Penalty } from '../../contract/cases/cases.ts'
import type { WantedAct } from '../../contract/cases/case-record.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ContestId } from '../../contract/ids.ts'
import { canonicalText } from '../../histories/canonical.ts'
import { keptEvent } from '../../services/evidence/kept-evidence.ts'
import { ruleOf } from '../../services/evidence/rule-texts.ts'
import type { Rooms } from '../rooms.ts'

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
 * ExpectedError 'usage', `complaint-refused` if words or references are not those of the program.
 */
export async function checkClaim(sources: Sources, claim: Claim): Promise<void> {
  const { contest, rule, evidence, asks } = claim
  const { game } = sources.contests.entry(contest).description
  const { text } = await ruleOf(rule.source === 'rulebook' ? game : 'security', rule.id)
  if (text !== rule.text)
    throw new ExpectedError(
      'usage',
      'complaint-refused',
      `These are not the words of the rule "${rule.id}": choose it from the book again.`,
    )
  await checkExhibits(sources, contest, evidence)
  await sources.contests.checkRemedies(contest, asks)
}

/** The same for what a step brings. */
export async function checkBrought(sources: Sources, contest: ContestId, act: WantedAct): Promise<void> {
  if (act.do === 'answered') await checkExhibits(sources, contest, act.evidence)
  if (act.do === 'exhibited') await checkExhibits(sources, contest, [act.exhibit])
  if (act.do === 'admitted') await sources.contests.checkRemedies(contest, act.penalties.flat())
}

async function checkExhibits(
  { matches }: Pick<Sources, 'matches'>,
  contest: ContestId,
  exhibits: readonly Exhibit[],
): Promise<void> {
  const refused = (message: string): ExpectedError => new ExpectedError('usage', 'complaint-refused', message)
  for (const { reference } of exhibits) {
    const { match, move, part } = reference
    if (reference.contest !== contest)
      throw refused(`Match ${match} of ${reference.contest} is not evidence: the case is about ${contest}.`)
    const made = await keptEvent(matches, { contest, match, move, part })
    if (made.kind !== 'event' || canonicalText(made.reference) !== canonicalText(reference))
      throw refused(`The history of match ${match} tells event ${move} otherwise: add the event again.`)
  }
}
