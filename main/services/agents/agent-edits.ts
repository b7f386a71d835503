import { removeAgentFiles } from '../../administrator/classroom/agents.ts'
import { teamKey } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import type { ContestId, EntrantId, Sha256 } from '../../contract/ids.ts'
import { nameKey } from '../../contract/names.ts'
import type { TakesPart } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { ownEntrants } from './entrant-agents.ts'
import { checkFree, checkOwn, checkOwnTeam } from './hand-in.ts'

/**
 * Renames an agent with all its versions; contests keep the name that it had in them. An agent that names no team stays
 * in the team of its old name if that team has other members. Throws ExpectedError 'usage' if the new name belongs to
 * another agent, or to a team that the agent would join because of it.
 */
export function renameAgent(home: ClassFolder, name: EntrantId, to: EntrantId): Promise<void> {
  return home.inTurn(() =>
    home.change(({ agents }) => {
      const own = agents.filter(({ manifest }) => manifest.name === name)
      const others = agents.filter(({ manifest }) => manifest.name !== name)
      if (own.length === 0) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${name}".`)
      checkOwn(own, 'it keeps the name that its school signed')
      checkFree(others, to)
      const inTeam = others.some(({ manifest }) => teamKey(manifest) === nameKey(name))
      if (!inTeam) for (const { manifest } of own) checkOwnTeam(others, to, manifest.team)
      for (const version of own) {
        if (inTeam) version.manifest.team ??= name
        version.manifest.name = to
        version.formerly = [...(version.formerly ?? []).filter((each) => each !== to), name]
      }
    }),
  )
}

/** The contests in which an agent takes part, of those that a caller sees. */
export function takesPart(
  content: Classroom,
  name: EntrantId,
  sees: (contest: ContestId) => boolean = () => true,
): TakesPart {
  const own = content.contests.filter(
    ({ id, description }) => sees(id) && ownEntrants(content, name, description.entrants).length > 0,
  )
  const open = own.filter(({ state }) => state === 'open')
  return {
    open: open.map(({ id, description }) => ({ contest: id, title: description.title })),
    over: own.length - open.length,
  }
}

/**
 * Removes an agent and all its versions from the class. Deletes its packages, except those that another agent uses or
 * that an unfinished contest needs. Histories name an agent by its hash and stay unchanged. Returns the hashes that no
 * agent of the class has any more. Throws ExpectedError 'usage' if the agent takes part in an unfinished contest,
 * 'host' if a file cannot be deleted.
 */
export function removeAgent(home: ClassFolder, name: EntrantId): Promise<readonly Sha256[]> {
  return home.inTurn(async () => {
    const own = home.content.agents.filter(({ manifest }) => manifest.name === name)
    if (own.length === 0) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${name}".`)
    const [open] = takesPart(home.content, name).open
    if (open !== undefined) {
      throw new ExpectedError(
        'usage',
        'agent-in-contest',
        `"${name}" takes part in "${open.title}", which is not over: let it end, or cancel it.`,
      )
    }
    await home.change((content) => {
      content.agents = content.agents.filter(({ manifest }) => manifest.name !== name)
    })
    const needed = neededIn(home.content)
    const gone = [...new Set(own.map(({ hash }) => hash))].filter((hash) => !needed.has(hash))
    // After the class file is saved: an interruption then leaves an unused package, but never an agent without one.
    await removeAgentFiles(home.folder, gone).catch((error: unknown) => {
      throw machineErrorFrom(error, 'delete the files of an agent in', home.folder)
    })
    return gone
  })
}

/** The packages that an agent of the class or an unfinished contest needs. */
export function neededIn({ agents, contests }: Classroom): ReadonlySet<Sha256> {
  const open = contests.filter(({ state }) => state === 'open')
  const playing = open.flatMap(({ description }) => description.entrants.map(({ agent }) => agent))
  return new Set([...agents.map(({ hash }) => hash), ...playing])
}
