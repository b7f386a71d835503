import { writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { readAgent, readHandedIn } from '../../administrator/classroom/agents.ts'
import { teamOf } from '../../administrator/classroom/active-versions.ts'
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
import { readText, readingJob } from '../machine/reading.ts'
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
  /** All files as a zip, which this process makes itself. Throws ExpectedError 'usage' also if there are none. */
  zip(version: OneVersion): Promise<Uint8Array>
  /** Like `zip`, in another process, which writes it to a file at `path`. */
  writeZip(version: OneVersion, path: string): Promise<void>
}

export function openSources(home: Pick<ClassFolder, 'content' | 'folder'>): Sources {
  const reveals = openReveals(home)

  const shown = (version: StoredAgentVersion, reveal: Reveal): PublicSource => {
    const { name, game, kind } = version.manifest
    return { name, game, kind, agent: version.hash, team: teamOf(version.manifest), ...reveal }
  }

  const find = ({ name, agent }: OneVersion): PublicSource => {
    const version = home.content.agents.find(({ hash, manifest }) => hash === agent && manifest.name === name)
    if (version === undefined)
      throw new ExpectedError('usage', 'agent-version-unknown', `The agent "${name}" has no such version.`)
    const reveal = reveals.of().get(version)
    if (!isPublic(reveal)) throw new ExpectedError('usage', 'source-not-public', `"${name}": ${revealWords(reveal)}`)
    return shown(version, reveal)
  }

  const orderOf = ({ agent, kind }: PublicSource): SourceOrder => ({ data: home.folder, agent, kind })

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
      const files = [...(await readText(sourceListJob, orderOf(source)))]
      const hasText = files.some(({ path, shown }) => shown && path !== 'agent.json')
      return { ...source, files, remark: hasText ? null : withoutSource(source) }
    },

    async file(version, path) {
      const found = await readText(sourceTextJob, { ...orderOf(find(version)), path })
      if (found === null)
        throw new ExpectedError('usage', 'source-unavailable', `The source has no file ${JSON.stringify(path)}.`)
      const { text } = found
      if (text !== null) return { text }
      throw new ExpectedError(
        'usage',
        'source-unavailable',
        `${JSON.stringify(path)} is not text, or longer than a million characters.`,
      )
    },

    async zip(version) {
      const source = find(version)
      const zip = await zipOf(orderOf(source))
      if (zip === null) throw new ExpectedError('usage', 'source-unavailable', withoutSource(source))
      return zip
    },

    async writeZip(version, path) {
      const source = find(version)
      const { hasFiles } = await readText(sourceZipJob, { ...orderOf(source), path })
      if (!hasFiles) throw new ExpectedError('usage', 'source-unavailable', withoutSource(source))
    },
  }
}

interface SourceOrder extends Pick<PublicSource, 'agent' | 'kind'> {
  /** The data folder. */
  readonly data: string
}

/** The source that this process has read last: its files are looked at one after the other. */
let last: { readonly agent: string; readonly files: Promise<readonly PackageFile[]> } | null = null

function filesOf({ data, agent, kind }: SourceOrder): Promise<readonly PackageFile[]> {
  // A web application plays elsewhere: its package holds nothing but its address.
  if (kind === 'web') return Promise.resolve([])
  const name = `${agent} ${data}`
  if (last?.agent !== name) last = { agent: name, files: readFiles(data, agent) }
  return last.files
}

async function readFiles(data: string, agent: string): Promise<readonly PackageFile[]> {
  return sourceFiles(await readAgent(data, agent), await readHandedIn(data, agent))
}

/** The files of a source. */
export const sourceListJob = readingJob<SourceOrder, readonly SourceDetail['files'][number][]>({
  name: 'source-list',
  what: 'a source',
  result: z.array(z.strictObject({ path: z.string(), bytes: z.int(), shown: z.boolean() })),
  read: async (order) =>
    (await filesOf(order)).map(({ path, bytes }) => ({ path, bytes: bytes.length, shown: shownText(bytes) !== null })),
})

/** The text of a file of a source; null: there is no such file. `text` null: it cannot be shown. */
export const sourceTextJob = readingJob<
  SourceOrder & { readonly path: string },
  { readonly text: string | null } | null
>({
  name: 'source-text',
  what: 'a source',
  result: z.strictObject({ text: z.string().nullable() }).nullable(),
  async read({ path, ...order }) {
    const file = (await filesOf(order)).find((each) => each.path === path)
    return file === undefined ? null : { text: shownText(file.bytes) }
  },
})

/** A source as a zip; null: it has no files. */
async function zipOf(order: SourceOrder): Promise<Uint8Array | null> {
  const files = await filesOf(order)
  return files.length === 0 ? null : writeZip(new Map(files.map(({ path, bytes }) => [path, bytes])))
}

/** Writes a source as a zip to a file at `path`, unless it has no files. */
export const sourceZipJob = readingJob<SourceOrder & { readonly path: string }, { readonly hasFiles: boolean }>({
  name: 'source-zip',
  what: 'a source',
  result: z.strictObject({ hasFiles: z.boolean() }),
  async read({ path, ...order }) {
    const zip = await zipOf(order)
    if (zip !== null) await writeFile(path, zip, { mode: 0o600 })
    return { hasFiles: zip !== null }
  },
})

function withoutSource({ name, kind }: { readonly name: EntrantId; readonly kind: AgentManifest['kind'] }): string {
  if (kind === 'web') return `"${name}" is a web application: its source is on the machine of its team.`
  return `The package of "${name}" contains no source, only what runs.`
}
