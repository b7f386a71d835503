import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import type { Low } from 'lowdb'
import { openClassroom } from '../administrator/classroom/classroom.ts'
import { agentFile, readAgent, storeAgent } from '../administrator/classroom/agents.ts'
import { runContest as runStored, type ContestRun, type Progress } from '../administrator/contests/contest-run.ts'
import { standingsOf, type Standing } from '../administrator/contests/standings.ts'
import { launchWorker } from '../administrator/contests/worker-process.ts'
import type { Classroom } from '../contract/classroom.ts'
import type { ContestDescription, ContestFile } from '../contract/contests.ts'
import type { ContestId, MatchNumber, Sha256 } from '../contract/ids.ts'
import type { IsolationTier } from '../contract/limits.ts'
import { Trouble } from '../contract/trouble.ts'
import { canonical } from '../histories/canonical.ts'
import { createExporter, exportName, type Consoles } from '../histories/export.ts'
import { openKeys } from '../histories/key-files.ts'
import { keyText, type SigningKey } from '../histories/keys.ts'
import { lockData } from '../histories/lock.ts'
import { scanContest } from '../histories/scan.ts'
import { troubleOf } from '../histories/trouble.ts'
import { readContest, type ReadContest } from './contest-file.ts'
import { readBytes } from './files.ts'
import { chooseTier } from './isolation.ts'
import { resources } from './resources.ts'

/** The largest agent that is taken: it is held in memory by every worker. */
const AGENT_BYTES_MAX = 16 * 1024 * 1024

export interface RunContestOptions {
  /** A contest file, `sample`, or a contest that has been read. */
  readonly contest: string | ReadContest
  /** The data folder. */
  readonly data: string
  /** Match workers; default: one a core. */
  readonly cores?: number
  /** A folder that gets one file a match. */
  readonly exportTo?: string
  /** Whose console lines the exported files show. Default: nobody's. */
  readonly consoles?: Consoles
  /** Begin anew even where the same contest lies unfinished. */
  readonly again?: boolean
  /** Consent to a weaker tier than the contest itself gives. */
  readonly isolation?: IsolationTier
  readonly signal: AbortSignal
  onNotice(text: string): void
  onProgress(progress: { readonly done: number; readonly total: number; readonly msLeft: number | null }): void
}

export interface ContestReport {
  readonly contest: ContestId
  readonly title: string
  readonly seed: string
  readonly state: 'finished' | 'stopped'
  readonly isolation: IsolationTier
  readonly matches: { readonly total: number; readonly played: number; readonly void: number }
  readonly standings: readonly Standing[]
  /** Where each match's history is: an exported file, or its run in the contest's segments. */
  readonly histories: readonly ({ readonly match: MatchNumber } & (
    { readonly file: string } | { readonly folder: string; readonly run: number }
  ))[]
  readonly data: string
  readonly resumed: boolean
}

/**
 * Runs a contest, or goes on with it where the data folder holds the very same one unfinished. Standings are computed from
 * the histories. Throws Trouble or HostTrouble, one sentence each.
 */
export async function runContest(options: RunContestOptions): Promise<ContestReport> {
  const { data, signal } = options
  const read = typeof options.contest === 'string' ? await readContest(options.contest) : options.contest
  const bytes = await readAgentFiles(read.written)
  const isolation = await chooseTier(options.isolation ?? read.written.isolation)
  const lock = lockData(data)
  try {
    const key = openKeys(join(data, 'keys'))
    const classroom = await openClassroom(data)
    const description = await store(options, read.written, bytes)
    const { id, nonce } = await register(classroom, data, description, options.again ?? false)
    const folder = contestFolder(data, id)
    const run = await runStored({
      folder,
      contest: id,
      description,
      nonce,
      config: read.config,
      isolation,
      key,
      workers: options.cores ?? availableParallelism(),
      agents: await agentSources(data, description),
      launch: () => launchWorker(resources.node, resources.worker),
      signal,
      onNotice: (text) => options.onNotice(text),
      onProgress: estimating(options),
    })
    const files = options.exportTo === undefined ? null : await exportAll(folder, id, key, options)
    // Last of all: a run that was killed while it exported is gone on with, not begun anew.
    if (run.state === 'finished') await setState(classroom, data, id, 'ended')
    return report(options, { id, folder, description, isolation, run, files })
  } finally {
    lock.release()
  }
}

export interface ContestEntry {
  readonly contest: ContestId
  readonly title: string
  readonly state: 'open' | 'ended' | 'cancelled'
  readonly entrants: number
}

/** All contests of a data folder, oldest first. Changes nothing. */
export async function listContests(data: string): Promise<readonly ContestEntry[]> {
  const { data: store } = await openClassroom(data)
  return store.contests.map(({ id, state, description }) => {
    return { contest: id, title: description.title, state, entrants: description.entrants.length }
  })
}

/** Gives an open contest up: it will not go on, what was played stays. */
export async function cancelContest(data: string, contest: string): Promise<void> {
  const unknown = new Trouble('usage', `There is no contest "${contest}" in ${data}.`)
  // Taking the lock would make the folder.
  if (!existsSync(data)) throw unknown
  const lock = lockData(data)
  try {
    const classroom = await openClassroom(data)
    const entry = classroom.data.contests.find(({ id }) => id === contest)
    if (entry === undefined) throw unknown
    if (entry.state !== 'open') throw new Trouble('usage', `The contest ${contest} is ${entry.state} already.`)
    await setState(classroom, data, entry.id, 'cancelled')
  } finally {
    lock.release()
  }
}

function contestFolder(data: string, contest: ContestId): string {
  return join(data, 'contests', contest)
}

/** The open contest with this very description, or a new one. */
async function register(
  classroom: Low<Classroom>,
  data: string,
  description: ContestDescription,
  again: boolean,
): Promise<Classroom['contests'][number]> {
  const { contests, agents } = classroom.data
  const text = canonical(description)
  const open = contests.findLast((entry) => entry.state === 'open' && canonical(entry.description) === text)
  if (open !== undefined && !again) return open
  const slug = slugOf(description.title)
  let number = 1
  // Nor one whose histories outlived class.json: they are another contest's.
  const taken = (id: ContestId): boolean =>
    contests.some((entry) => entry.id === id) || existsSync(contestFolder(data, id))
  while (taken(`${slug}-${number}`)) number++
  const id = `${slug}-${number}`
  const entry = { id, description, nonce: randomBytes(32).toString('hex'), state: 'open' as const }
  contests.push(entry)
  for (const { name, agent } of description.entrants) {
    if (!agents.some(({ hash }) => hash === agent))
      agents.push({ hash: agent, manifest: { name, game: description.game, kind: 'script' } })
  }
  await write(classroom, data)
  return entry
}

async function setState(
  classroom: Low<Classroom>,
  data: string,
  id: ContestId,
  state: 'ended' | 'cancelled',
): Promise<void> {
  for (const entry of classroom.data.contests) if (entry.id === id) entry.state = state
  await write(classroom, data)
}

async function write(classroom: Low<Classroom>, data: string): Promise<void> {
  await classroom.write().catch((error: unknown) => {
    throw troubleOf(error, 'write', join(data, 'class.json'))
  })
}

function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'contest' : slug
}

/** Adds the time left to progress, from the pace of this run alone. */
function estimating(options: RunContestOptions): (progress: Progress) => void {
  let first: { readonly done: number; readonly at: number } | null = null
  return ({ done, total }) => {
    const at = performance.now()
    first ??= { done, at }
    const pace = (at - first.at) / (done - first.done)
    options.onProgress({ done, total, msLeft: Number.isFinite(pace) ? Math.round(pace * (total - done)) : null })
  }
}

interface Ended {
  readonly id: ContestId
  readonly folder: string
  readonly description: ContestDescription
  readonly isolation: IsolationTier
  readonly run: ContestRun
  /** Exported files by match; null: none were asked for. */
  readonly files: ReadonlyMap<MatchNumber, string> | null
}

function report({ data }: RunContestOptions, ended: Ended): ContestReport {
  const { id, folder, description, isolation, run, files } = ended
  const played = [...run.played.values()].sort((a, b) => a.match - b.match)
  return {
    contest: id,
    title: description.title,
    seed: description.seed,
    state: run.state,
    isolation,
    matches: { total: run.total, played: played.length, void: run.voided.length },
    standings: standingsOf(description, played),
    histories: played.map(({ match, run: number }) => {
      const file = files?.get(match)
      return file === undefined ? { match, folder, run: number } : { match, file }
    }),
    data,
    resumed: run.resumed,
  }
}

/** Writes each finished match as a file of its own, and the public key beside them. */
async function exportAll(
  folder: string,
  contest: ContestId,
  key: SigningKey,
  { exportTo, consoles }: RunContestOptions,
): Promise<ReadonlyMap<MatchNumber, string>> {
  const target = resolve(exportTo ?? '.')
  await mkdir(target, { recursive: true }).catch((error: unknown) => {
    throw troubleOf(error, 'make the folder', target)
  })
  const scan = await scanContest({ dir: folder, contest, key: key.publicKey })
  if (!scan.ok) throw new Trouble('verdict', scan.damage.message)
  const exporter = createExporter(scan, key)
  const files = new Map<MatchNumber, string>()
  for (const run of scan.finished.values()) {
    const file = join(target, exportName(run))
    await exporter.write(run.match, consoles ?? 'none', file)
    files.set(run.match, file)
  }
  const keyFile = join(target, 'class.pub')
  await writeFile(keyFile, `${keyText(key.publicKey)}\n`).catch((error: unknown) => {
    throw troubleOf(error, 'write', keyFile)
  })
  return files
}

/** The agents' files, before anything is written: one that cannot be read costs nothing. */
async function readAgentFiles({ entrants }: ContestFile): Promise<readonly Buffer[]> {
  return Promise.all(
    entrants.map(({ name, agent }) =>
      readBytes(agent, AGENT_BYTES_MAX).catch((error: unknown) => {
        throw error instanceof Trouble ? new Trouble('usage', `Entrant "${name}": ${error.message}`) : error
      }),
    ),
  )
}

async function store(
  { data, onNotice }: RunContestOptions,
  written: ContestFile,
  bytes: readonly Buffer[],
): Promise<ContestDescription> {
  const hashes: Sha256[] = []
  for (const each of bytes) {
    const { agent, restored } = await storeAgent(data, each).catch((error: unknown) => {
      throw troubleOf(error, 'store an agent in', join(data, 'agents'))
    })
    if (restored) onNotice(`${agentFile(data, agent)} had been changed since it was handed in; it was put back.`)
    hashes.push(agent)
  }
  return { ...written, entrants: written.entrants.map(({ name }, at) => ({ name, agent: hashes[at]! })) }
}

/** Scripts are read as the original tools read them: bad bytes become replacement characters. */
async function agentSources(data: string, description: ContestDescription): Promise<ReadonlyMap<Sha256, string>> {
  const sources = new Map<Sha256, string>()
  for (const { agent } of description.entrants) {
    if (!sources.has(agent)) sources.set(agent, new TextDecoder().decode(await readAgent(data, agent)))
  }
  return sources
}
