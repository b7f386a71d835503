import type { CountedRuling, NewRuling, Remedy } from '../../../contract/contests/rulings.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId, MatchNumber } from '../../../contract/ids.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import { gameContests, hasPerson } from '../descriptions/new-contest.ts'
import { checkDecisions, holdDecisions, whileDeciding } from './held-decisions.ts'
import { configsOf, entryOf, type KeptContests } from './kept-entries.ts'
import { refused } from './open-contest.ts'

/**
 * Counts a ruling of a hearing about a contest, whether this is over or not: it is signed into the contest's own files, from
 * which its standings follow. Returns it with its number. A ruling that is counted already, by its entry in the record of
 * its case, is returned as it is. Throws ExpectedError 'usage' if it names an entrant, a match or a ruling that the contest
 * does not have. The caller must not run the contest meanwhile.
 */
export function countRuling(kept: KeptContests, id: ContestId, ruling: NewRuling): Promise<CountedRuling> {
  return whileDeciding(kept, id, async () => {
    const { decisions = [], rebuilt } = entryOf(kept, id)
    const record = await kept.records.get(id)
    const known = record.rulings.find(({ entry }) => entry === ruling.entry)
    if (known !== undefined) {
      // The class kept it, and was killed before it was in the histories.
      if (rebuilt === undefined && record.decidedAt.length < record.decisions.length)
        await holdDecisions(kept, id, decisions, await configsOf(kept, id))
      return known
    }
    if (rebuilt !== undefined)
      throw new ExpectedError(
        'usage',
        'seed-lost',
        `The contest ${id} was rebuilt from its histories, without its seed: nothing can be added to them.`,
      )
    if (record.pending().length > 0)
      throw refused(`The contest ${id} repeats another one and has not come to all of its decisions: run it first.`)
    await checkRemedies(kept, id, ruling.remedies)
    checkReversal(id, record, ruling)
    const counted = { number: record.rulings.length + 1, ...ruling }
    const placed = {
      stage: record.begun,
      matches: record.finished.size,
      decision: { type: 'ruling' as const, ruling: counted },
    }
    const all = [...decisions, placed]
    checkDecisions(all)
    await holdDecisions(kept, id, all, await configsOf(kept, id))
    return counted
  })
}

/** Throws ExpectedError 'usage' if remedies name an entrant or a finished match that the contest does not have. */
export async function checkRemedies(kept: KeptContests, id: ContestId, remedies: readonly Remedy[]): Promise<void> {
  const { description } = entryOf(kept, id)
  const names = description.entrants.map(({ name }) => name)
  const record = await kept.records.get(id)
  const hasEnergy = gameContests(description).energy === true
  for (const remedy of remedies) {
    checkRemedy(id, names, record, remedy, hasEnergy)
    if (remedy.type === 'annul' && remedy.playAgain && hasPerson(description))
      throw refused(`A person played in ${id}: its match ${remedy.match} can be annulled, but not played again.`)
  }
}

function checkReversal(id: ContestId, { rulings }: ContestRecord, { reverses }: NewRuling): void {
  if (reverses === undefined) return
  const reversed = rulings.find(({ number }) => number === reverses)
  if (reversed === undefined) throw refused(`There is no ruling ${reverses} about the contest ${id} to reverse.`)
  if (reversed.reversedBy !== undefined)
    throw refused(`Ruling ${reverses} about ${id} has been reversed already, by ruling ${reversed.reversedBy}.`)
}

function checkRemedy(
  id: ContestId,
  names: readonly EntrantId[],
  record: ContestRecord,
  remedy: Remedy,
  hasEnergy: boolean,
): void {
  if ('entrant' in remedy && !names.includes(remedy.entrant))
    throw new ExpectedError(
      'usage',
      'entrant-unknown',
      `There is no entrant "${remedy.entrant}" in the contest ${id}.${didYouMean(remedy.entrant, names)}`,
    )
  if (remedy.type === 'energy') {
    if (!hasEnergy) throw refused(`The game of ${id} has no energy: a ruling gives or takes points there.`)
    if (!checkPlayed(id, record, remedy.match).includes(remedy.entrant))
      throw refused(`"${remedy.entrant}" did not play match ${remedy.match} of ${id}: its energy there cannot change.`)
  }
  if (remedy.type === 'annul') checkPlayed(id, record, remedy.match)
  if (remedy.type !== 'forfeit' || remedy.matches === 'all') return
  for (const match of remedy.matches) {
    if (!checkPlayed(id, record, match).includes(remedy.entrant))
      throw refused(`"${remedy.entrant}" did not play match ${match} of ${id}: it cannot forfeit it.`)
  }
}

/** The entrants of a finished match. */
function checkPlayed(id: ContestId, { finished }: ContestRecord, match: MatchNumber): readonly EntrantId[] {
  const row = finished.get(match)
  if (row === undefined) throw refused(`Match ${match} of ${id} has no result: a ruling cannot change how it counts.`)
  return row.entrants
}
