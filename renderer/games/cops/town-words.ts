import { number } from '../../words.ts'
import type { Claim } from './claims.ts'
import type { DrawnCorner, DrawnWorld } from './layout.ts'

const tags: Readonly<Record<DrawnCorner['tag'], string>> = {
  hq: ', headquarters',
  'robber-start': ", the robber's start",
  bank: ', a bank',
  ordinary: '',
}

/** A corner in words: what is there, who, and what cops claim of it. `view`: null: only the town is known. */
export function cornerWords({ loc, tag }: DrawnCorner, view: DrawnWorld | null, claims: readonly Claim[]): string {
  if (view === null) return `${loc}${tags[tag]}`
  const name = (seat: number): string => view.names[seat] ?? `seat ${seat}`
  const money = view.banks.find((bank) => bank.loc === loc)?.value
  const here = [
    ...(view.robber === loc ? [`${name(0)}, the robber`] : []),
    ...view.cops.flatMap(({ seat, loc: at, ptype, smell }) => {
      if (at !== loc) return []
      const smells = smell === null || smell === 0 ? '' : `, smells the robber at ${smell}`
      return [`${name(seat)} ${ptype === 'cop-car' ? 'in a car' : 'on foot'}${smells}`]
    }),
  ]
  const evidence = shownEvidence(view).flatMap((each) => (each.loc === loc ? [each.world] : []))
  const said = claims.flatMap((claim) =>
    claim.loc === loc ? [`${name(claim.seat)} ${number(claim.certainty)} %`] : [],
  )
  return [
    `${loc}${tags[tag]}${money === undefined ? '' : ` with $${number(money)}`}`,
    ...(here.length === 0 ? [] : [`here: ${here.join('; ')}`]),
    ...(evidence.length === 0 ? [] : [`evidence of world ${evidence.join(' and ')}`]),
    ...(said.length === 0 ? [] : [`claimed: ${said.join(', ')}`]),
  ].join(' · ')
}

/** The evidence drawn, each piece once: all of it, or that found by the viewer's cops. */
export function shownEvidence({
  evidence,
  cops,
}: Pick<DrawnWorld, 'evidence' | 'cops'>): NonNullable<DrawnWorld['evidence']> {
  if (evidence !== null) return evidence
  const found = cops.flatMap((cop) => cop.evidence ?? [])
  return [...new Map(found.map((each) => [`${each.loc} ${each.world}`, each])).values()]
}
