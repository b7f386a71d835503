import { open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex, type EntrantId, type GameId, type Sha256 } from '../../contract/ids.ts'
import { freeName, nameKey } from '../../contract/names.ts'
import { agentManifest, type AgentManifest } from '../../contract/players/agents.ts'
import type { ContestEntry, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { readHistoryLine } from '../../histories/read-line.ts'
import { eachLine, readWholeLines } from '../../histories/read-lines.ts'
import { itemsIn } from './entry-records.ts'

/** The agents that a folder's packages are, as far as their names and games are known. */
export interface FoundAgents {
  /** Oldest first. */
  readonly versions: readonly StoredAgentVersion[]
  /** Packages whose names and games are not known. */
  readonly nameless: readonly Sha256[]
}

/** A name under which a package played a game. */
interface Played {
  readonly name: EntrantId
  readonly game: GameId
}

const kinds = { '.js': 'script', '.tar': 'program', '.json': 'web' } as const

/**
 * Rebuilds agents from the packages of a data folder: a program and a web application hold their agent.json; a script is
 * known by the contests and the trial match in which it played. Facts that were given when it was handed in, such as its team, are lost.
 */
export async function agentsFromPackages(data: string, contests: readonly ContestEntry[]): Promise<FoundAgents> {
  const played = await namesPlayed(data, contests)
  const found: StoredAgentVersion[] = []
  const nameless: Sha256[] = []
  for (const { name: file } of await itemsIn(join(data, 'agents'))) {
    const [hash, kind] = [file.slice(0, 64), (kinds as Readonly<Record<string, AgentManifest['kind']>>)[file.slice(64)]]
    if (kind === undefined || !sha256Hex.safeParse(hash).success) continue
    const path = join(data, 'agents', file)
    const known = played.get(hash)
    const own = kind === 'script' ? null : await manifestIn(path, kind)
    const manifest = kind === 'script' ? known && { ...known, kind } : own && { ...own, name: known?.name ?? own.name }
    if (manifest === undefined || manifest === null) nameless.push(hash)
    else found.push({ hash, manifest, submitted: (await stat(path)).mtime.toISOString(), smoke: null })
  }
  found.sort((a, b) => (a.submitted < b.submitted ? -1 : 1))
  return { versions: withOneGame(found), nameless }
}

/** An agent plays one game: one with its name that plays another gets another name. */
function withOneGame(versions: readonly StoredAgentVersion[]): readonly StoredAgentVersion[] {
  const games = new Map<string, GameId>()
  return versions.map((version) => {
    const { name, game } = version.manifest
    const free = freeName(name, (each) => (games.get(nameKey(each)) ?? game) !== game)
    games.set(nameKey(free), game)
    return { ...version, manifest: { ...version.manifest, name: free } }
  })
}

/** The newest name of each package. */
async function namesPlayed(data: string, contests: readonly ContestEntry[]): Promise<ReadonlyMap<Sha256, Played>> {
  const played = new Map<Sha256, Played>()
  for (const { description } of contests)
    for (const { name, agent } of description.entrants) played.set(agent, { name, game: description.game })
  for (const { name: file } of await itemsIn(join(data, 'trials'))) {
    const agent = file.slice(0, 64)
    const name = await nameInTrial(join(data, 'trials', file), agent).catch(() => null)
    if (name !== null) played.set(agent, name)
  }
  return played
}

async function nameInTrial(path: string, agent: Sha256): Promise<Played | null> {
  const found: Played[] = []
  await readWholeLines(path, (batch) =>
    eachLine(batch, (line) => {
      const read = readHistoryLine(line)
      if (!read.ok || read.body.k !== 'header') return read.ok
      const { game, seats } = read.body
      found.push(...seats.filter((seat) => seat.agent === agent).map(({ name }) => ({ name, game })))
      return false
    }),
  )
  return found[0] ?? null
}

/** The agent.json in a stored package; null: it has no valid one. */
async function manifestIn(path: string, kind: AgentManifest['kind']): Promise<AgentManifest | null> {
  try {
    const text = kind === 'web' ? await readFile(path, 'utf8') : await fileInTar(path, 'agent.json')
    const parsed = agentManifest.safeParse(JSON.parse(text ?? ''))
    return parsed.success && parsed.data.kind === kind ? parsed.data : null
  } catch {
    return null
  }
}

const BLOCK = 512
/** The maximum size of an agent.json, in bytes. */
const MANIFEST_BYTES_MAX = 65_536

/** The text of a file at the top of an archive that Tartaglia wrote, without reading the others. */
async function fileInTar(path: string, wanted: string): Promise<string | null> {
  const file = await open(path, 'r')
  try {
    const header = Buffer.alloc(BLOCK)
    for (let at = 0; ;) {
      const { bytesRead } = await file.read(header, 0, BLOCK, at)
      if (bytesRead < BLOCK || header[0] === 0) return null
      const size = Number.parseInt(header.toString('latin1', 124, 135), 8)
      if (!(size >= 0)) return null
      const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
      if (name === wanted && header[345] === 0) {
        if (size > MANIFEST_BYTES_MAX) return null
        const bytes = Buffer.alloc(size)
        await file.read(bytes, 0, size, at + BLOCK)
        return bytes.toString('utf8')
      }
      at += BLOCK * (1 + Math.ceil(size / BLOCK))
    }
  } finally {
    await file.close()
  }
}
