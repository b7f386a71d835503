import { readAgent } from '../../../administrator/classroom/agents.ts'
import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import type {
  Decision,
  DecisionWish,
  NextRound,
  PlacedDecision,
  PossibleDecisions,
  RoundPairing,
  WithdrawalTreatment,
} from '../../../contract/contests/decisions.ts'
import { DECISIONS_MAX } from '../../../contract/contests/decisions.ts'
import { ENTRANTS_MAX, type ContestDescription } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId } from '../../../contract/ids.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { hashOf } from '../../../histories/canonical.ts'
import { withMixedSeed } from '../../../histories/seed-commitment.ts'
import { openSegments } from '../../../histories/segments/writer.ts'
import { checkEntrantNames } from '../descriptions/contest-file.ts'
import { checkEntrants, gameContests } from '../descriptions/new-contest.ts'
import { publishedDescription, writeDecision } from '../engine/contest-run.ts'
import { pointsOf } from '../formats/counting.ts'
import { chosenFormat, type ChosenFormat } from '../formats/registry.ts'
import { scheduleFault } from '../schedule/schedule.ts'
import { createRecord, type ContestRecord } from '../standings/contest-record.ts'
import {
  checkPhrase,
  componentsIn,
  configsOf,
  describedWith,
  entryOf,
  folderOf,
  keepDecisions,
  type Configs,
  type KeptContests,
} from './kept-entries.ts'

// Decisions of the educator about an open contest whose matches do not run: withdrawals, late entries, and the pairing
// of a round. A decision is kept in the class and then in the histories, where it holds from its place on.

/** A decision that is possible, with its consequences in sentences. */
interface Planned {
  readonly placed: PlacedDecision
  readonly consequences: readonly string[]
}

/** A contest about which something can be decided. */
interface Open extends ChosenFormat {
  readonly kept: KeptContests
  readonly id: ContestId
  readonly description: ContestDescription
  readonly record: ContestRecord
  /** Players at a table. */
  readonly seats: number
  /** Entrants that have withdrawn. */
  readonly away: ReadonlySet<EntrantId>
}

const refused = (message: string): ExpectedError => new ExpectedError('usage', 'decision-refused', message)

/** The kinds of decisions that an open contest allows now; none if something else must happen first. */
export async function possibleDecisions(kept: KeptContests, id: ContestId): Promise<PossibleDecisions> {
  const open = await openContest(kept, id).catch((error: unknown) => {
    if (error instanceof ExpectedError) return null
    throw error
  })
  if (open === null) return { withdraw: false, enter: false, pair: null }
  const { format, record } = open
  const isLeft = hasRoundLeft(open)
  return {
    withdraw: format.withdrawal !== undefined && record.done < record.total,
    enter: format.lateEntry === true && (format.pairedByHand !== true || isLeft),
    pair: format.pairedByHand === true && isLeft ? record.begun + 1 : null,
  }
}

/** The consequences of a decision. Throws ExpectedError 'usage' like `decide`. */
export async function consequencesOf(
  kept: KeptContests,
  id: ContestId,
  wish: DecisionWish,
): Promise<readonly string[]> {
  return (await plan(await openContest(kept, id), wish)).consequences
}

/**
 * Records a decision. A process that is killed has recorded it or not; if it has, it holds. Throws ExpectedError 'usage' if
 * the contest is over, its format does not allow it, or it is not possible. The caller must not run the contest meanwhile.
 */
export async function decide(kept: KeptContests, id: ContestId, wish: DecisionWish): Promise<readonly string[]> {
  await kept.deciding.get(id)
  const work = kept.home.inTurn(async () => {
    // A run that was stopped may have left a match on disk that its record does not have.
    kept.records.forget(id)
    const open = await openContest(kept, id)
    const { placed, consequences } = await plan(open, wish)
    const entry = entryOf(kept, id)
    const decisions = [...(entry.decisions ?? []), placed]
    if (decisions.length > DECISIONS_MAX)
      throw new ExpectedError('usage', 'limit-reached', `A contest has at most ${DECISIONS_MAX} decisions.`)
    // From the moment at which it is kept it holds, so everything that may be refused comes before.
    const description = describedWith(entry, decisions)
    const configs = await configsOf(kept, id, description)
    const components = wish.type === 'enter' ? await componentsIn(kept, description) : undefined
    await keepDecisions(kept, id, decisions, components)
    kept.records.forget(id)
    await writePending(kept, id, configs)
    return consequences
  })
  const settled = work.catch(() => undefined)
  kept.deciding.set(id, settled)
  return work.finally(() => {
    if (kept.deciding.get(id) === settled) kept.deciding.delete(id)
  })
}

/** Writes the decisions to the histories that the class keeps and these do not have. */
async function writePending(kept: KeptContests, id: ContestId, { config, variants }: Configs): Promise<void> {
  const { description, nonce, phrase, decisions = [] } = entryOf(kept, id)
  const published = publishedDescription({ description, config, nonce, phrase, decisions })
  const record = createRecord(withMixedSeed(description, phrase), gameContests(description), decisions)
  const opened = await openSegments({
    dir: folderOf(kept, id),
    contest: id,
    key: kept.home.key,
    blobs: [...new Map([published, config, ...variants].map((blob) => [hashOf(blob), blob])).values()],
    keeper: record,
  })
  if (!opened.ok) throw new ExpectedError('verdict', 'history-damaged', opened.damage.message)
  try {
    for (const placed of record.pending()) await writeDecision(record, opened.writer, placed)
  } finally {
    await opened.writer.close()
  }
}

async function openContest(kept: KeptContests, id: ContestId): Promise<Open> {
  const entry = entryOf(kept, id)
  const { description, state, entriesUntil, rerun } = entry
  if (state !== 'open')
    throw new ExpectedError('usage', 'contest-over', `The contest ${id} is ${state}: nothing can be decided about it.`)
  if (rerun !== undefined) throw refused(`The contest ${id} repeats ${rerun.of}, with the decisions about that one.`)
  if (entriesUntil !== undefined)
    throw new ExpectedError(
      'usage',
      'too-early',
      `Entries of ${id} may be adapted until ${entriesUntil}: close them first.`,
    )
  checkPhrase(entry, 'nothing can be decided before the class has given its phrase')
  const contests = gameContests(description)
  const chosen = chosenFormat(description.format, contests)
  if (typeof chosen === 'string') throw new ExpectedError('usage', 'schedule-invalid', chosen)
  const record = await kept.records.get(id)
  const away = record.decisions.flatMap(({ decision }) => (decision.type === 'withdraw' ? decision.entrant : []))
  const seats = chosen.format.tableSize(chosen.settings, description.entrants.length)
  return { ...chosen, kept, id, description, record, seats, away: new Set(away) }
}

async function plan(open: Open, wish: DecisionWish): Promise<Planned> {
  const { record } = open
  const { decision, consequences } =
    wish.type === 'withdraw'
      ? planWithdrawal(open, wish)
      : wish.type === 'enter'
        ? await planEntry(open, wish)
        : planRound(open, wish)
  return {
    placed: { stage: record.begun, matches: record.finished.size, decision },
    consequences: [...consequences, 'It is recorded in the histories of the contest and cannot be undone.'],
  }
}

/** A decision that is possible, without its place. */
interface Wanted {
  readonly decision: Decision
  readonly consequences: readonly string[]
}

const reasonOf = ({ reason }: { readonly reason?: string }) => (reason === undefined ? {} : { reason })

function planWithdrawal(open: Open, wish: DecisionWish & { type: 'withdraw' }): Wanted {
  const { description, record, format, settings, seats, away, id } = open
  const { entrant } = wish
  const names = description.entrants.map(({ name }) => name)
  if (!names.includes(entrant))
    throw new ExpectedError(
      'usage',
      'entrant-unknown',
      `There is no entrant "${entrant}" in the contest ${id}.${didYouMean(entrant, names)}`,
    )
  if (away.has(entrant)) throw refused(`The entrant "${entrant}" has already withdrawn.`)
  if (format.withdrawal === undefined) throw refused(`The format ${format.id} allows no withdrawals.`)
  if (record.done === record.total) throw refused(`All matches of ${id} are over: run it to end it.`)
  if (names.length - away.size === 1)
    throw refused(`"${entrant}" is the only entrant left: cancel the contest instead.`)
  const players = names.length - (format.fillers?.(settings) ?? 0)
  // Some may play once more in the last match of pools, which does not count for them.
  const [played, all] = [record.played(entrant), Math.floor((record.total * seats) / players)]
  const ruled = format.withdrawal(settings, all === 0 ? 1 : played / all)
  if (typeof ruled !== 'string') throw refused(ruled.refusal)
  const treatment = ruled === 'forfeited' && !countsForfeits(open) ? 'annulled' : ruled
  return {
    decision: { type: 'withdraw', entrant, treatment, ...reasonOf(wish) },
    consequences: withdrawalSentences(entrant, treatment, played, all),
  }
}

/** True if a match of the contest can be won without playing it: it is one of two, and winning is worth points by itself. */
function countsForfeits({ description, seats }: Open): boolean {
  const places = [0, 1].map((seat) => ({ seat, rank: seat + 1, score: 0, removed: false }))
  const [winner = 0, loser = 0] = pointsOf({ places }, gameContests(description))
  return seats === 2 && winner > loser
}

function withdrawalSentences(
  name: EntrantId,
  treatment: WithdrawalTreatment,
  played: number,
  all: number,
): readonly string[] {
  const matches = `"${name}" has played ${played} of its ${all === 1 ? '1 match' : `${all} matches`}`
  switch (treatment) {
    case 'annulled':
      return [
        `${matches}: all its results are annulled, for its opponents too.`,
        'The matches that are left to it are not played.',
      ]
    case 'forfeited':
      return [`${matches}, at least half: they count.`, 'Its opponents win the matches that are left.']
    case 'kept':
      return [
        `The results of "${name}" count, and it is not paired any more.`,
        'An opponent whose match with it in this round is not over gets a bye.',
      ]
    case 'advanced':
      return [`Unless its encounter is decided, the opponent of "${name}" goes on to the next round.`]
    case 'removed':
      return [
        `Matches that "${name}" has played count for its opponents.`,
        'It is listed after all others, and the matches that are left to it are not played.',
      ]
  }
}

async function planEntry(open: Open, wish: DecisionWish & { type: 'enter' }): Promise<Wanted> {
  const { kept, description, format, record } = open
  const { home } = kept
  if (format.lateEntry !== true) throw refused(`The format ${format.id} allows no late entries.`)
  if (format.pairedByHand === true && !hasRoundLeft(open))
    throw refused('All rounds have begun: nobody can enter any more.')
  const known = home.content.agents.filter(({ hash }) => hash === wish.agent)
  const [version] = known
  if (version === undefined)
    throw new ExpectedError('usage', 'agent-unknown', 'No agent with this hash has been handed in.')
  const { name = version.manifest.name } = wish
  if (!known.some(({ manifest }) => manifest.game === description.game))
    throw new ExpectedError('usage', 'other-game', `"${name}" does not play ${description.game}.`)
  const entrant = { name, agent: wish.agent }
  const entrants = [...description.entrants, entrant]
  if (description.entrants.some((each) => each.name === name))
    throw new ExpectedError('usage', 'entrants-invalid', `There is already an entrant "${name}" in the contest.`)
  if (entrants.length > ENTRANTS_MAX)
    throw new ExpectedError('usage', 'limit-reached', `A contest has at most ${ENTRANTS_MAX} entrants.`)
  const fault = scheduleFault({ ...description, entrants }, gameContests(description))
  if (fault !== null) throw new ExpectedError('usage', 'schedule-invalid', fault)
  checkEntrantNames({ entrants }, 'The contest')
  await readAgent(home.folder, wish.agent)
  checkActive(home.content.agents, { ...description, entrants: [entrant] })
  checkEntrants(home.content, { ...description, entrants })
  const consequences =
    format.pairedByHand === true
      ? [
          `"${name}" plays from round ${record.begun + 1} on and has no points from the rounds before.`,
          ...(isPairedByHand(record, record.begun + 1)
            ? ['That round was paired by hand, without it: pair the round again, or it plays from the next one on.']
            : []),
        ]
      : [`"${name}" joins at the end of the list and plays all who are there.`]
  return { decision: { type: 'enter', entrant, ...reasonOf(wish) }, consequences }
}

function planRound(open: Open, wish: DecisionWish & { type: 'pair' }): Wanted {
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

const latestPairing = ({ decisions }: ContestRecord, round: number): RoundPairing | undefined =>
  decisions.flatMap(({ decision }) => (decision.type === 'pair' && decision.round === round ? decision : [])).at(-1)

const isPairedByHand = (record: ContestRecord, round: number): boolean => latestPairing(record, round) !== undefined

/** True if a round has not begun. */
const hasRoundLeft = ({ record }: Open): boolean => record.begun < record.stages

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
