import { isAbsolute } from 'node:path'
import { readAgent } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId } from '../../contract/ids.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import type { PreparedAgent } from '../packages/prepare.ts'

// One version of an agent of the class, written NAME@HASH with the first digits of its hash, 8 at least.
const pinned = /^(.*)@([0-9a-f]{8,64})$/s

/** True for a text `NAME@HASH` that is not the absolute path of a file. */
export const isPinned = (text: string): boolean => pinned.test(text) && !isAbsolute(text)

/** The version of an agent of the class by `NAME@HASH`, or by its name alone the newest. Throws ExpectedError 'usage'. */
export function versionNamed({ agents }: Pick<Classroom, 'agents'>, wanted: string): StoredAgentVersion {
  const [, of = wanted, digits = ''] = pinned.exec(wanted) ?? []
  const versions = agents.filter(({ manifest }) => manifest.name === of)
  if (versions.length === 0) {
    const names = [...new Set(agents.map(({ manifest }) => manifest.name))]
    throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${of}" in the class.${didYouMean(of, names)}`)
  }
  const version = versions.findLast(({ hash }) => hash.startsWith(digits))
  if (version === undefined)
    throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${of}" has no version ${digits}.`)
  return version
}

/**
 * The package of an agent of the class by `NAME@HASH`. Throws ExpectedError 'usage' if there is none or it plays another
 * game, 'host' if its file is missing or was changed.
 */
export async function readPinned(
  { folder, content }: Pick<ClassFolder, 'folder' | 'content'>,
  wanted: string,
  game: GameId,
): Promise<PreparedAgent> {
  const { hash, manifest } = versionNamed(content, wanted)
  if (manifest.game !== game)
    throw new ExpectedError('usage', 'other-game', `${wanted} plays ${manifest.game}, not ${game}.`)
  return { manifest, agent: await readAgent(folder, hash), source: null }
}
