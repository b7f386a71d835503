import { readAgent, readHandedIn } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { AgentManifest } from '../../contract/players/agents.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { searchKey } from '../../contract/names.ts'
import type { Page } from '../../contract/procedures/procedures.ts'
import {
  isPublic,
  revealWords,
  type OneVersion,
  type PublicSource,
  type Reveal,
  type SourceDetail,
} from '../../contract/players/sources.ts'
import type { PackageFile } from '../packages/files.ts'
import { shownText, sourceFiles } from '../packages/source-files.ts'
import { writeZip } from '../packages/zip.ts'
import { openReveals } from '../../administrator/classroom/revealed.ts'

/**
 * The sources that are public by the class's reveal rule. No other source leaves through here, whoever asks. All but
 * `list` throw ExpectedError 'usage' if the source is not public, 'host' if its package is missing or was changed.
 */
export interface Sources {
  /** Newest first. `search`: a part of the agent's name. */
  list(page: { readonly offset: number; readonly limit: number; readonly search: string }): Page<PublicSource>
  get(version: OneVersion): Promise<SourceDetail>
  /** Throws ExpectedError 'usage' also if there is no such file, or if it cannot be shown. */
  file(version: OneVersion, path: string): Promise<{ readonly text: string }>
  download(version: OneVersion): Promise<{ readonly fileName: string; readonly zip: Uint8Array }>
}

export function openSources(home: Pick<ClassFolder, 'content' | 'folder'>): Sources {
  const reveals = openReveals(home)
  /** The source that was read last: its files are looked at one after the other. */
  let last: { readonly agent: string; readonly files: Promise<readonly PackageFile[]> } | null = null

  const shown = (version: StoredAgentVersion, reveal: Reveal): PublicSource => {
    const { name, game, kind } = version.manifest
    return { name, game, kind, agent: version.hash, ...reveal }
  }

  const find = ({ name, agent }: OneVersion): PublicSource => {
    const version = home.content.agents.find(({ hash, manifest }) => hash === agent && manifest.name === name)
    if (version === undefined)
      throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${name}" has no such version.`)
    const reveal = reveals.of().get(version)
    if (!isPublic(reveal)) throw new ExpectedError('usage', 'source-not-public', `"${name}": ${revealWords(reveal)}`)
    return shown(version, reveal)
  }

  const filesOf = ({ agent, kind }: PublicSource): Promise<readonly PackageFile[]> => {
    // A web application plays elsewhere: its package holds nothing but its address.
    if (kind === 'web') return Promise.resolve([])
    if (last?.agent !== agent) last = { agent, files: readFiles(home.folder, agent) }
    return last.files
  }

  return {
    list({ offset, limit, search }) {
      const wanted = searchKey(search)
      const all = home.content.agents.toReversed().flatMap((version) => {
        const reveal = reveals.of().get(version)
        return isPublic(reveal) && searchKey(version.manifest.name).includes(wanted) ? [shown(version, reveal)] : []
      })
      return { items: all.slice(offset, offset + limit), offset, total: all.length }
    },

    async get(version) {
      const source = find(version)
      const files = (await filesOf(source)).map(({ path, bytes }) => ({
        path,
        bytes: bytes.length,
        shown: shownText(bytes) !== null,
      }))
      const hasText = files.some(({ path, shown }) => shown && path !== 'agent.json')
      return { ...source, files, remark: hasText ? null : withoutSource(source) }
    },

    async file(version, path) {
      const file = (await filesOf(find(version))).find((each) => each.path === path)
      if (file === undefined)
        throw new ExpectedError('usage', 'source-unavailable', `The source has no file ${JSON.stringify(path)}.`)
      const text = shownText(file.bytes)
      if (text !== null) return { text }
      throw new ExpectedError(
        'usage',
        'source-unavailable',
        `${JSON.stringify(path)} is not text, or longer than a million characters.`,
      )
    },

    async download(version) {
      const source = find(version)
      const files = await filesOf(source)
      if (files.length === 0) throw new ExpectedError('usage', 'source-unavailable', withoutSource(source))
      const zip = writeZip(new Map(files.map(({ path, bytes }) => [path, bytes])))
      return { fileName: `source-${source.agent.slice(0, 12)}.zip`, zip }
    },
  }
}

async function readFiles(data: string, agent: string): Promise<readonly PackageFile[]> {
  return sourceFiles(await readAgent(data, agent), await readHandedIn(data, agent))
}

function withoutSource({ name, kind }: { readonly name: EntrantId; readonly kind: AgentManifest['kind'] }): string {
  if (kind === 'web') return `"${name}" is a web application: its source is on the machine of its team.`
  return `The package of "${name}" contains no source, only what runs.`
}
