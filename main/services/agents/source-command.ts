import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { revealsIn } from '../../administrator/classroom/revealed.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, Sha256 } from '../../contract/ids.ts'
import { didYouMean } from '../../contract/near-miss.ts'
import { isPublic, revealWords, type OneVersion, type Reveal } from '../../contract/players/sources.ts'
import { existingClass, requireDataFolder } from '../machine/existing-class.ts'
import { openSources, type Sources } from './public-sources.ts'

/** The reveal rule of a class, and the versions that have one, newest first. Throws ExpectedError 'usage'. */
export async function readReveals(data: string): Promise<{
  readonly revealAfter: number
  readonly versions: readonly (Reveal & { readonly name: EntrantId; readonly agent: Sha256 })[]
}> {
  const content = await existingClass(data)
  const versions = [...revealsIn(content)].map(([{ manifest, hash }, reveal]) => ({
    name: manifest.name,
    agent: hash,
    ...reveal,
  }))
  return { revealAfter: content.settings.revealAfter, versions: versions.toReversed() }
}

/** Sets the reveal rule of a class, in contests; 0: never. Throws ExpectedError 'usage' or MachineError. */
export async function setRevealRule(data: string, after: number): Promise<void> {
  requireDataFolder(data)
  const home = await openClassFolder(data)
  try {
    await home.change(({ settings }) => void (settings.revealAfter = after))
  } finally {
    await home.close()
  }
}

/**
 * A version of an agent whose source is public, and the sources to look it up in. `version`: the beginning of its hash;
 * absent: the newest public one. Throws ExpectedError 'usage' if there is none.
 */
export async function publicSource(
  data: string,
  name: string,
  version: string | undefined,
): Promise<OneVersion & { readonly sources: Sources }> {
  const content = await existingClass(data)
  const sources = openSources({ content, folder: data })
  const own = content.agents.filter(({ manifest }) => manifest.name === name).toReversed()
  if (own.length === 0) {
    const hint = didYouMean(name, [...new Set(content.agents.map(({ manifest }) => manifest.name))])
    throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${name}" in ${data}.${hint}`)
  }
  const reveals = revealsIn(content)
  const wanted = own.filter(({ hash }) => hash.startsWith(version ?? ''))
  if (wanted.length === 0)
    throw new ExpectedError(
      'usage',
      'agent-version-unknown',
      `"${name}" has no version whose hash begins with "${version}".`,
    )
  const shown = wanted.find((each) => isPublic(reveals.get(each)))
  if (shown === undefined)
    throw new ExpectedError('usage', 'source-not-public', `"${name}": ${revealWords(reveals.get(wanted[0]!))}`)
  return { sources, name, agent: shown.hash }
}
