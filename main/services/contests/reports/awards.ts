import type { EntrantId } from '../../../contract/ids.ts'
import type { ContestEntry } from '../../../contract/procedures/classroom.ts'
import { ruledBy } from '../standings/ruled.ts'

/**
 * Something that an agent has been given outside of the matches of a contest, in the unit of its game's scores: a bounty of the educator in a
 * practice contest, or an award by the ruling of a hearing (section 4.4). Neither is added to points.
 */
export type Award = { readonly agent: EntrantId; readonly amount: number } & (
  | { readonly by: 'educator'; readonly why: string }
  | { readonly by: 'ruling'; readonly ruling: number; readonly case: string }
)

/** The awards of a contest: the bounties, then those by rulings that count. */
export function awardsOf({
  bounties = [],
  decisions = [],
}: Pick<ContestEntry, 'bounties' | 'decisions'>): readonly Award[] {
  const ruled = ruledBy(decisions).all.flatMap(({ number, case: of, remedies, reversedBy }) =>
    remedies.flatMap((remedy): readonly Award[] =>
      remedy.type !== 'award' || reversedBy !== undefined
        ? []
        : [{ agent: remedy.entrant, amount: remedy.amount, by: 'ruling', ruling: number, case: of }],
    ),
  )
  return [
    ...bounties.map(({ agent, energy, why }): Award => ({ agent, amount: energy, by: 'educator', why })),
    ...ruled,
  ]
}
