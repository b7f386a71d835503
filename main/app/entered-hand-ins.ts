import { ExpectedError } from '../contract/expected-error.ts'
import type { ContestId, EntrantId } from '../contract/ids.ts'
import type { Team } from '../contract/people/teams.ts'
import { MachineError } from '../histories/machine-error.ts'
import type { Received } from '../services/hand-in/receive.ts'
import { isLive } from '../services/people/teams.ts'
import type { Rooms } from './rooms.ts'

/** A hand-in that counts for a contest. */
export interface CountingHandIn {
  readonly contest: ContestId
  readonly team: Team
  readonly agent: EntrantId
}

/**
 * Enters the agent of a hand-in for its contest, if teams register there and this one has not yet. The hand-in was in time, or uses late
 * days, so the time of the call does not matter. Resolves with a sentence for the team; null: the agent is an entrant already. It is
 * called again at recovery, and changes nothing then.
 */
export async function enterContest(
  { contests, changed }: Pick<Rooms, 'contests' | 'changed'>,
  { contest, team, agent }: CountingHandIn,
): Promise<string | null> {
  // An educator may have deleted it meanwhile.
  let title: string = contest
  try {
    const { description } = contests.entry(contest)
    title = description.title
    if (description.entrants.some(({ name }) => name === agent)) return null
    const { rule, isOpen, entries } = contests.registrations.of(contest, team, true)
    if (rule === null) return `"${agent}" does not play in "${title}" yet: the educator chooses its entrants.`
    const own = entries.filter((each) => each.team === team.id)
    if (own.some(({ entrant }) => entrant === agent)) return null
    if (!isOpen) return `"${agent}" does not play in "${title}": its entries are closed. Ask the educator.`
    const playing = own.find(({ plays }) => plays)
    if (playing !== undefined)
      return `"${playing.entrant}" stays the agent of the team in "${title}": register "${agent}" on its page to change that.`
    await contests.registrations.register(contest, { team: team.id, agent, isStaff: true })
    changed(contest)
    return `"${agent}" is registered for "${title}".`
  } catch (error) {
    // The file is accepted already, also when the contest was deleted meanwhile, or the disk is full.
    if (!(error instanceof ExpectedError || error instanceof MachineError)) throw error
    return `"${agent}" is not registered for "${title}": ${error.message}`
  }
}

/** Does the same for a hand-in that was just received, unless it is for no contest or came too late. */
export async function enterReceived(
  rooms: Pick<Rooms, 'contests' | 'changed'>,
  team: Team,
  { name, receipt: { b: receipt } }: Pick<Received, 'name' | 'receipt'>,
): Promise<string | null> {
  const { contest, time } = receipt
  return contest === null || time === 'kept' ? null : enterContest(rooms, { contest, team, agent: name })
}

/** Enters the agents of hand-ins that wait for their trials: the process that received them was perhaps killed before it did. */
export async function enterRecovered({
  home,
  handIns,
  ...rooms
}: Pick<Rooms, 'home' | 'handIns' | 'contests' | 'changed'>): Promise<void> {
  const receipts = new Set(handIns.waiting.flatMap((each) => ('receipt' in each ? [each.receipt] : [])))
  for (const { handIn, owner, manifest } of home.content.agents) {
    if (handIn === undefined || handIn.contest === null || handIn.time === 'kept') continue
    const team = home.content.teams.find(({ id }) => id === owner)
    if (team === undefined || !isLive(team) || !receipts.has(handIn.receipt)) continue
    await enterContest(rooms, { contest: handIn.contest, team, agent: manifest.name })
  }
}
