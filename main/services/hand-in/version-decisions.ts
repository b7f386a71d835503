import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import { followClosings, type HandIns } from './class-hand-ins.ts'

// Decisions of people about versions that were handed in.

/** Withdraws a version of a team's agent. Throws ExpectedError 'usage' if there is none. */
export async function withdrawVersion(room: HandIns, name: EntrantId, agent: Sha256): Promise<void> {
  const { home, onChange } = room
  await home.change(({ agents }) => {
    const version = agents.find((each) => each.hash === agent && each.manifest.name === name)
    if (version?.handIn === undefined)
      throw new ExpectedError('usage', 'agent-version-unknown', `No such version of "${name}" was handed in by a team.`)
    version.inactive = 'withdrawn'
    delete version.pausedFor
  })
  // The candidate before it takes its place.
  await followClosings(room)
  onChange()
}

/**
 * Pauses a version of an agent, with a reason for its team; null: it is a candidate again, and active if its closing time has come.
 * Throws ExpectedError 'usage' if the class has no such version of a team.
 */
export async function pauseVersion(
  room: HandIns,
  name: EntrantId,
  agent: Sha256,
  reason: string | null,
): Promise<void> {
  const { home, onChange } = room
  await home.change(({ agents }) => {
    const version = agents.find((each) => each.hash === agent && each.manifest.name === name)
    if (version?.handIn === undefined)
      throw new ExpectedError('usage', 'agent-version-unknown', `No such version of "${name}" was handed in by a team.`)
    if (reason === null && version.inactive !== 'paused') return
    delete version.pausedFor
    // A withdrawal is the team's decision, which a pause does not undo.
    if (version.inactive === 'withdrawn') return
    if (reason === null) version.inactive = version.handIn.time === 'kept' ? 'kept' : 'candidate'
    else Object.assign(version, { inactive: 'paused', pausedFor: reason })
  })
  await followClosings(room)
  onChange()
}
