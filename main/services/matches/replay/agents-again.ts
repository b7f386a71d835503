import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { SeatRecord } from '../../../contract/game/table.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { GameId, Sha256 } from '../../../contract/ids.ts'
import type { Json } from '../../../contract/json.ts'
import type { IsolationTier } from '../../../contract/limits.ts'
import { games } from '../../../referees/games.ts'
import { isScript, type OwnCode } from '../../../worker/protocol.ts'
import { checkScripts } from '../../agents/foreign-scripts.ts'
import { shippedAgents } from '../../agents/opponents.ts'
import { loadAgents } from '../../packages/codes.ts'

/** Throws ExpectedError `shared-folder-unrecorded` for a match of this isolation whose agents cannot be run again. */
export function refuseShared(isolation: IsolationTier): void {
  if (isolation === 'shared')
    throw new ExpectedError(
      'usage',
      'shared-folder-unrecorded',
      'Histories do not record the shared folder, so the agents of this match cannot be asked again.',
    )
}

/** Throws ExpectedError `role-missing` if an agent has no program for one of the seats. */
export function requireRoles(code: OwnCode, seats: readonly Pick<SeatRecord, 'role'>[]): void {
  if (isScript(code) || !('ofRole' in code.command)) return
  for (const { role } of seats)
    if (code.command.ofRole[role] === undefined)
      throw new ExpectedError('usage', 'role-missing', `This agent has no program for the role ${role}.`)
}

export interface LoadedAgent {
  readonly code: OwnCode
  /** Removes a program's folder. */
  remove(): Promise<void>
}

/** The agent with this package: a version of the class's agents, or one that ships. Nothing is stored in the class. */
export async function codeOfAgent(home: ClassFolder, game: GameId, config: Json, agent: Sha256): Promise<LoadedAgent> {
  const own = home.content.agents.findLast(({ hash, manifest }) => hash === agent && manifest.game === game)
  if (own === undefined) {
    const shipped = (await shippedAgents(game)).find((each) => each.agent === agent)
    if (shipped === undefined) throw new ExpectedError('usage', 'agent-unknown', `There is no such agent for ${game}.`)
    const cannot = games.get(game)?.agents.unable?.(shipped.name, config) ?? null
    if (cannot !== null) throw new ExpectedError('usage', 'not-supported', `${shipped.name} ${cannot}.`)
    return { code: new TextDecoder().decode(await shipped.read()), remove: () => Promise.resolve() }
  }
  const entrants = [{ name: own.manifest.name, agent }]
  await checkScripts(home.folder, { game, entrants })
  const { codes, remove } = await loadAgents(home.folder, { entrants }, [])
  const code = codes.get(agent)
  if (isScript(code) || (code !== undefined && 'folder' in code)) return { code, remove }
  await remove()
  throw new ExpectedError(
    'usage',
    'not-supported',
    `${own.manifest.name} is not run by this machine, so it cannot be asked.`,
  )
}
