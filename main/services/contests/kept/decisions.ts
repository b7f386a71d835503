import { storeAgent } from '../../../administrator/classroom/agents.ts'
import { checkActive } from '../../../administrator/classroom/active-versions.ts'
import type {
  DecisionWish,
  PlacedDecision,
  PossibleDecisions,
  WithdrawalTreatment,
} from '../../../contract/contests/decisions.ts'
import { noDecisions } from '../../../contract/contests/decisions.ts'
import { ENTRANTS_MAX } from '../../../contract/contests/contests.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId, GameId, MatchNumber, Sha256 } from '../../../contract/ids.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { machineErrorFrom } from '../../../histories/machine-error.ts'
import { checkEntrantNames } from '../descriptions/contest-file.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { checkEntrants, gameContests } from '../descriptions/new-contest.ts'
import { pointsOf } from '../formats/counting.ts'
import { scheduleFault } from '../schedule/schedule.ts'
import type { ContestRecord } from '../standings/contest-record.ts'
import { shippedAgents } from '../../agents/opponents.ts'
import { componentsIn, configsOf, describedWith, entryOf, type KeptContests } from './kept-entries.ts'
import { checkDecisions, holdDecisions, whileDeciding } from './held-decisions.ts'
import { hasRoundLeft, openContest, reasonOf, refused, type Open, type Wanted } from './open-contest.ts'
import { isPairedByHand, planRound } from './round-pairing.ts'
import { beforeDecisions } from './run-kept.ts'

// Decisions of the educator about an open contest whose matches do not run: withdrawals, late entries, and the pairing
// of a round. A decision is kept in the class and then in the histories, where it holds from its place on.

/** A decision that is possible, with its consequences in sentences. */
interface Planned {
  readonly placed: PlacedDecision
  readonly consequences: readonly string[]
}

/** The kinds of decisions that an open contest allows now; none if something else must happen first. */
export async function possibleDecisions(kept: KeptContests, id: ContestId): Promise<PossibleDecisions> {
  const open = await openContest(kept, id).catch((error: unknown) => {
    if (error instanceof ExpectedError) return null
    throw error
  })
  if (open === null) return { ...noDecisions, accept: await hasDiffered(kept, id) }
  const { format, record } = open
  const isLeft = hasRoundLeft(open)
  return {
    withdraw: format.withdrawal !== undefined && record.done < record.total,
    enter: format.lateEntry === true && (format.pairedByHand !== true || isLeft) && record.replays() === null,
    pair: format.pairedByHand === true && isLeft ? record.begun + 1 : null,
    accept: false,
  }
}

/** The consequences of a decision. Throws ExpectedError 'usage' like `decide`. */
export async function consequencesOf(
  kept: KeptContests,
  id: ContestId,
  wish: DecisionWish,
): Promise<readonly string[]> {
  return (await plan(await openContest(kept, id, wish.type), wish)).consequences
}

/**
 * Records a decision. A process that is killed has recorded it or not; if it has, it holds. Throws ExpectedError 'usage' if
 * the contest is over, its format does not allow it, or it is not possible. The caller must not run the contest meanwhile.
 */
export async function decide(kept: KeptContests, id: ContestId, wish: DecisionWish): Promise<readonly string[]> {
  return whileDeciding(kept, id, async () => {
    const open = await openContest(kept, id, wish.type)
    const { placed, consequences } = await plan(open, wish)
    const entry = entryOf(kept, id)
    // Accepting a difference replaces those that do not hold yet.
    const before = wish.type === 'accept' ? open.record.decisions : (entry.decisions ?? [])
    const decisions = [...before, placed]
    checkDecisions(decisions)
    const description = describedWith(entry, decisions)
    const configs = await configsOf(kept, id, description)
    if (wish.type === 'enter') await storeShipped(kept, description.game, wish.agent)
    const components = wish.type === 'enter' ? await componentsIn(kept, description) : undefined
    await holdDecisions(kept, id, decisions, configs, components)
    return consequences
  })
}

async function plan(open: Open, wish: DecisionWish): Promise<Planned> {
  const { record } = open
  const { decision, consequences } = await wantedBy(open, wish)
  return {
    placed: { stage: record.begun, matches: record.finished.size, decision },
    consequences: [...consequences, 'It is recorded in the histories of the contest and cannot be undone.'],
  }
}

async function wantedBy(open: Open, wish: DecisionWish): Promise<Wanted> {
  switch (wish.type) {
    case 'withdraw':
      return planWithdrawal(open, wish)
    case 'enter':
      return planEntry(open, wish)
    case 'pair':
      return planRound(open, wish)
    case 'accept':
      return planAcceptance(open, wish)
  }
}

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
  const [played, all] = [record.played(entrant), Math.floor((record.scheduled * seats) / players)]
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

/** Stores an agent that ships with a game and that the class does not have; any other agent is stored. */
async function storeShipped({ home }: KeptContests, game: GameId, agent: Sha256): Promise<void> {
  if (home.content.agents.some(({ hash }) => hash === agent)) return
  const shipped = (await shippedAgents(game)).find((each) => each.agent === agent)
  if (shipped === undefined) return
  await storeAgent(home.folder, { kind: 'script', bytes: await shipped.read() }).catch((error: unknown) => {
    throw machineErrorFrom(error, 'store an agent in', home.folder)
  })
}

async function planEntry(open: Open, wish: DecisionWish & { type: 'enter' }): Promise<Wanted> {
  const { kept, id, description, format, record } = open
  const { home } = kept
  if (format.lateEntry !== true) throw refused(`The format ${format.id} allows no late entries.`)
  if (format.pairedByHand === true && !hasRoundLeft(open))
    throw refused('All rounds have begun: nobody can enter any more.')
  // They have the numbers after those of the schedule, which must not become longer.
  if (record.replays() !== null)
    throw new ExpectedError(
      'usage',
      'entry-after-replays',
      `The schedule of ${id} is over and a ruling has matches played again: nobody can enter any more.`,
    )
  const known = home.content.agents.filter(({ hash }) => hash === wish.agent)
  // As in a contest file, an agent that ships need not be in the class.
  const shipped = (await shippedAgents(description.game)).find(({ agent }) => agent === wish.agent)
  const own = known[0]?.manifest.name ?? shipped?.name
  if (own === undefined)
    throw new ExpectedError('usage', 'agent-unknown', 'No agent with this hash has been handed in.')
  const { name = own } = wish
  if (shipped === undefined && !known.some(({ manifest }) => manifest.game === description.game))
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
  if (known.length > 0) await checkScripts(home.folder, { game: description.game, entrants: [entrant] })
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

// A contest that repeats another one makes the same decisions at the same places. If its matches go differently, the place of
// a decision may not exist in it: the educator then accepts that, and it goes on without the decisions that are left.

/** The decision to go on. Throws ExpectedError 'usage' if the contest has not gone differently before a decision. */
async function planAcceptance(open: Open, wish: DecisionWish & { type: 'accept' }): Promise<Wanted> {
  const { kept, id, record } = open
  const { rerun } = entryOf(kept, id)
  if (rerun === undefined) throw refused(`The contest ${id} repeats no other: there is no difference to accept.`)
  if (!(await canAccept(kept, record, rerun.of)))
    throw refused(`The contest ${id} has not gone differently before a decision about ${rerun.of}: run it.`)
  const left = record.pending().length
  const first = record.decisions.length + 1
  const those = left === 1 ? `decision ${first}` : `decisions ${first} to ${first + left - 1}`
  return {
    decision: { type: 'accept', of: rerun.of, left, ...reasonOf(wish) },
    consequences: [
      `The contest went differently than ${rerun.of}. It goes on without ${those} about that one.`,
      'Its tables say so. When it is over, its matches are compared with those of the first time.',
    ],
  }
}

/** True if the educator can accept that a contest went differently than the one that it repeats. Rejects like `record`. */
async function hasDiffered(kept: KeptContests, id: ContestId): Promise<boolean> {
  const { rerun, state } = entryOf(kept, id)
  if (rerun === undefined || state !== 'open') return false
  return canAccept(kept, await kept.records.get(id), rerun.of)
}

async function canAccept(kept: KeptContests, record: ContestRecord, of: ContestId): Promise<boolean> {
  const [next] = record.pending()
  if (next === undefined || record.isAtPlace(next)) return false
  return isPlayedUpTo(record, await beforeDecisions(kept, of))
}

/** True if all matches before the next decision are over, as far as they are known. */
function isPlayedUpTo(record: ContestRecord, isBefore: (decision: number, match: MatchNumber) => boolean): boolean {
  const number = record.decisions.length
  for (let index = 0; ; index++) {
    const stage = record.stage(index)
    if (stage === null) return true
    for (const { match } of stage) if (isBefore(number, match) && !record.isDone(match)) return false
  }
}
