import type { DecisionWish, NextRound, RoundPairing } from '../../../contract/contests/decisions.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import type { KeptContests } from './kept-entries.ts'
import { hasRoundLeft, openContest, reasonOf, refused, type Open, type Wanted } from './open-contest.ts'

// The pairing of a round by the educator.

/** The decision to pair the next round. Throws ExpectedError 'usage' if the pairing is not possible. */
export function planRound(open: Open, wish: DecisionWish & { type: 'pair' }): Wanted {
  const { format, record, seats } = open
  if (format.pairedByHand !== true) throw refused(`Rounds of the format ${format.id} are not paired by hand.`)
  if (!hasRoundLeft(open)) throw refused('All rounds have begun: none is left to pair.')
  const next = record.begun + 1
  if (wish.round !== next) throw refused(`Round ${wish.round} cannot be paired now; the next round is round ${next}.`)
  const players = playersOf(open)
  if (wish.tables.length === 0 && players.length >= seats)
    throw refused(`Round ${next} has no match: pair at least one table.`)
  const seen = new Set<EntrantId>()
  for (const name of [...wish.tables.flat(), ...wish.byes]) {
    if (!players.includes(name)) throw refused(whyNoPlayer(open, name))
    if (seen.has(name)) throw refused(`"${name}" is paired twice.`)
    seen.add(name)
  }
  const wrong = wish.tables.find((table) => table.length !== seats)
  if (wrong !== undefined) throw refused(`A table has ${seats} players; "${wrong.join(', ')}" has ${wrong.length}.`)
  const missing = players.filter((name) => !seen.has(name))
  if (missing.length > 0) {
    const listed = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ', …' : '')
    throw refused(
      `The pairing is not complete: ${listed} ${missing.length === 1 ? 'is' : 'are'} neither paired nor given a bye.`,
    )
  }
  const { met } = meetings(open)
  const again = wish.tables.flatMap((table) =>
    table.some((name) => table.some((other) => met.get(name)?.has(other) === true)) ? table.join(' – ') : [],
  )
  const tables = wish.tables.length === 1 ? '1 match' : `${wish.tables.length} matches`
  return {
    decision: { type: 'pair', round: wish.round, tables: wish.tables, byes: wish.byes, ...reasonOf(wish) },
    consequences: [
      `Round ${next} has ${tables} as you have paired them${wish.byes.length === 0 ? '' : `; ${wish.byes.join(', ')}: bye`}.`,
      ...(again.length === 0
        ? []
        : [`Have met before: ${again.slice(0, 5).join(', ')}${again.length > 5 ? ', …' : ''}.`]),
    ],
  }
}

/** The round that can be paired now. Throws ExpectedError 'usage' if there is none. */
export async function nextRound(kept: KeptContests, id: ContestId): Promise<NextRound> {
  const open = await openContest(kept, id)
  const { format, record, seats } = open
  if (format.pairedByHand !== true) throw refused(`Rounds of the format ${format.id} are not paired by hand.`)
  if (!hasRoundLeft(open)) throw refused('All rounds have begun: none is left to pair.')
  const players = new Set(playersOf(open))
  const { met, byes } = meetings(open)
  const entrants = record
    .standings()
    .flatMap(({ agent: name, points }) => (players.has(name) ? { name, points, byes: byes.get(name) ?? 0 } : []))
  return {
    ...{ round: record.begun + 1, seats, entrants, pairing: pairingNow(open) },
    met: Object.fromEntries(
      [...met].map(([name, others]) => [name, [...others].filter((other) => players.has(other))]),
    ),
    byHand: isPairedByHand(record, record.begun + 1),
  }
}

/** The pairing of the next round as it would be played now. */
function pairingNow(open: Open): Pick<RoundPairing, 'tables' | 'byes'> | null {
  const { record, description } = open
  const byHand = latestPairing(record, record.begun + 1)
  const stage = record.stage(record.begun)
  if (byHand === undefined && stage === null) return null
  const players = playersOf(open)
  const tables =
    byHand?.tables ?? [...stage!].map(({ entrants }) => entrants.map((entrant) => description.entrants[entrant]!.name))
  const there = tables.filter((table) => table.every((name) => players.includes(name)))
  const seated = new Set(there.flat())
  const byes = byHand?.byes ?? players.filter((name) => !seated.has(name))
  return { tables: there, byes: byes.filter((name) => players.includes(name)) }
}

/** Entrants that can be paired in the next round. */
function playersOf({ description, away }: Open): readonly EntrantId[] {
  return description.entrants.flatMap(({ name }) => (away.has(name) ? [] : name))
}

function whyNoPlayer({ description, id }: Open, name: EntrantId): string {
  const names = description.entrants.map((entrant) => entrant.name)
  if (names.includes(name)) return `"${name}" has withdrawn and cannot be paired.`
  return `There is no entrant "${name}" in the contest ${id}.${didYouMean(name, names)}`
}

/** The entrants that have met, and the number of byes of each, in the rounds that have begun. */
function meetings({ description, record }: Open): {
  readonly met: ReadonlyMap<EntrantId, ReadonlySet<EntrantId>>
  readonly byes: ReadonlyMap<EntrantId, number>
} {
  const names = description.entrants.map(({ name }) => name)
  const met = new Map(names.map((name) => [name, new Set<EntrantId>()]))
  const byes = new Map<EntrantId, number>()
  for (let index = 0; index < record.begun; index++) {
    const seated = new Set<EntrantId>()
    for (const { match, entrants } of record.stage(index) ?? []) {
      const table = entrants.map((entrant) => names[entrant]!)
      if (record.isUnplayed(match)) continue
      for (const name of table) seated.add(name)
      for (const name of table) for (const other of table) if (other !== name) met.get(name)!.add(other)
    }
    for (const name of names) if (!seated.has(name)) byes.set(name, (byes.get(name) ?? 0) + 1)
  }
  return { met, byes }
}

const latestPairing = ({ decisions }: ContestRecord, round: number): RoundPairing | undefined =>
  decisions.flatMap(({ decision }) => (decision.type === 'pair' && decision.round === round ? decision : [])).at(-1)

/** True if the educator has paired a round. */
export const isPairedByHand = (record: ContestRecord, round: number): boolean =>
  latestPairing(record, round) !== undefined
