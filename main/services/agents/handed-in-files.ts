import { hash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import * as z from 'zod'
import {
  namesForWriting,
  readAgent,
  writeAgent,
  type WritingReport,
  type WrittenAgent,
} from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { sha256Hex, type GameId, type Sha256 } from '../../contract/ids.ts'
import type { IsolationTier } from '../../contract/limits.ts'
import type { BuildLimits } from '../../contract/people/hand-in.ts'
import type { OfferedToolchain } from '../../contract/players/toolchains.ts'
import { agentManifest, type AgentManifest } from '../../contract/players/agents.ts'
import { componentUse, type Component, type ComponentUse } from '../../contract/procedures/components.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { withComponentsOfClass } from '../components/class-components.ts'
import { foreignScript } from './foreign-scripts.ts'
import { otherGameOf } from './named-agents.ts'
import { chooseTier } from '../machine/isolation.ts'
import { readText, readingJob } from '../machine/reading.ts'
import { recordedComponents } from '../packages/component-files.ts'
import { lookAtFile, prepareAgent, readSubmission } from '../packages/prepare.ts'
import { readableText } from '../packages/source-files.ts'
import { contentOf, type GivenFile } from '../packages/uploaded-packages.ts'

// Packages that are handed in are read, unpacked, bundled and built in a process of their own, which gets the path of the file and
// writes the agent into the data folder. The main process only renames it.

interface LookOrder {
  readonly file: GivenFile
  readonly game: GameId
}

interface AddOrder extends LookOrder {
  /** The toolchains that its contest offers; absent: any will do. */
  readonly toolchains?: readonly OfferedToolchain[] | undefined
  /** Packages that may contain a withdrawn component, because the class has them already. */
  readonly known: readonly Sha256[]
}

interface WriteOrder extends AddOrder {
  /** The data folder, and what of the class the agent may contain. */
  readonly data: string
  readonly components: readonly Component[]
  /** The weakest tier that the class accepts. */
  readonly isolation: IsolationTier
  readonly builds: BuildLimits
  readonly names: { readonly file: string; readonly source: string }
}

/** An agent that was made from a file, as the process that made it reports. */
interface SubmissionReport {
  readonly manifest: AgentManifest
  readonly written: WritingReport
  /** True if it contains a withdrawn component. */
  readonly withdrawn: boolean
}

/** An agent that was made from a file. */
export interface WrittenSubmission extends Omit<SubmissionReport, 'written'> {
  readonly written: WrittenAgent
}

/** Reads a file without bundling or building it. `agent`: the hash of what it becomes; null: that is not known yet. */
export const lookJob = readingJob<LookOrder, { readonly name: string; readonly agent: Sha256 | null }>({
  name: 'look-at-agent',
  what: 'a package',
  result: z.strictObject({ name: z.string(), agent: sha256Hex.nullable() }),
  async read({ file, game }) {
    const content = await contentOf(file)
    const isolation = (): Promise<IsolationTier> => chooseTier('none')
    const { manifest, agent } = await readSubmission({ fileName: file.fileName, content, game, isolation })
    return { name: manifest.name, agent: typeof agent === 'function' ? null : hash('sha256', agent.bytes) }
  },
})

/** Makes an agent from a file and writes it. */
export const writeJob = readingJob<WriteOrder, SubmissionReport>({
  name: 'write-agent',
  what: 'a package',
  long: true,
  result: z.strictObject({
    manifest: agentManifest,
    written: z.strictObject({
      kind: z.enum(['script', 'program', 'web']),
      agent: sha256Hex,
      hasSource: z.boolean(),
    }),
    withdrawn: z.boolean(),
  }),
  async read({ file, game, known, data, components, isolation, builds, toolchains, names }) {
    const submission = {
      fileName: file.fileName,
      content: await contentOf(file),
      game,
      isolation: () => chooseTier(isolation, true),
      ...{ builds, toolchains },
    }
    const { prepared, withdrawn } = await withComponentsOfClass(
      { folder: data, content: { components: [...components] } },
      (agent) => known.includes(agent),
      (found) => prepareAgent({ ...submission, components: found }),
    )
    const { manifest, agent, source } = prepared
    const written = await writeAgent(agent, source, names).catch((error: unknown) => {
      throw machineErrorFrom(error, 'store an agent in', data)
    })
    return { manifest, written, withdrawn }
  },
})

/** Makes an agent from a file for `work`, which stores it or not. Rejects like `prepareAgent`, and with the error of `work`. `team`, `signal`: see `readText`. */
export async function withWritten<T>(
  { folder: data, content: { components, settings, handInRules } }: ClassFolder,
  order: AddOrder,
  work: (submission: WrittenSubmission) => Promise<T>,
  team = '',
  signal?: AbortSignal,
): Promise<T> {
  const names = namesForWriting(data)
  try {
    const input = { ...order, data, components, isolation: settings.isolation, builds: handInRules.builds, names }
    const report = await readText(writeJob, input, team, signal)
    const { kind, agent, hasSource } = report.written
    // The process has read a stranger's package: only files that were named here are renamed.
    return await work({
      ...report,
      written: { kind, agent, file: names.file, source: hasSource ? names.source : null },
    })
  } finally {
    for (const name of [names.file, names.source]) await rm(name, { force: true })
  }
}

interface FileOrder {
  /** The path of an agent's file. */
  readonly file: string
  readonly game: GameId
}

/** The manifest in an agent's file, which may have been bundled or built already. */
export const manifestJob = readingJob<FileOrder, AgentManifest>({
  name: 'agent-manifest',
  what: 'an agent',
  result: agentManifest,
  read: async ({ file, game }) => (await lookAtFile(file, game)).manifest,
})

/** The package of a data folder by its path, as the process that has read it reports. */
interface StoredFile {
  readonly manifest: AgentManifest
  readonly kind: 'script' | 'program'
  readonly agent: Sha256
  /** The other game with which the script ships; null: none. */
  readonly other: GameId | null
  /** `foreignScript` of it. */
  readonly foreign: string | null
}

/** Reads a file that is named like the package of a data folder; null: it is not one, or was changed. */
export const storedFileJob = readingJob<FileOrder, StoredFile | null>({
  name: 'stored-agent',
  what: 'an agent',
  result: z
    .strictObject({
      manifest: agentManifest,
      kind: z.enum(['script', 'program']),
      agent: sha256Hex,
      other: z.string().nullable(),
      foreign: z.string().nullable(),
    })
    .nullable(),
  async read({ file, game }) {
    const { manifest, agent } = await lookAtFile(file, game)
    if (typeof agent === 'function' || agent.kind === 'web') return null
    const { kind, bytes } = agent
    if (hash('sha256', bytes) !== stemOf(file)) return null
    const isScript = kind === 'script'
    const other = isScript ? otherGameOf(bytes, game) : null
    return { manifest, kind, agent: stemOf(file), other, foreign: isScript ? foreignScript(bytes, game) : null }
  },
})

const stemOf = (file: string): string => basename(file, extname(file))

/** The result of `storedFileJob`; null also for files with other names, which are not read. Rejects like `readAgentFile`. */
export async function storedFile(order: FileOrder): Promise<StoredFile | null> {
  return /^[0-9a-f]{64}\.(?:js|tar)$/.test(basename(order.file)) ? readText(storedFileJob, order) : null
}

interface ReadOrder {
  readonly data: string
  readonly agent: Sha256
  /** A longer text is left out. */
  readonly longest: number
}

/** A stored agent as text, and the components that it contains. */
export const agentTextJob = readingJob<
  ReadOrder,
  { readonly text: string | null; readonly components: readonly ComponentUse[] }
>({
  name: 'agent-text',
  what: 'an agent',
  result: z.strictObject({ text: z.string().nullable(), components: z.array(componentUse) }),
  async read({ data, agent, longest }) {
    const stored = await readAgent(data, agent)
    const text = readableText(stored)
    const components = stored.kind === 'script' ? recordedComponents(stored.bytes) : []
    return { text: text.length > longest ? null : text, components }
  },
})
