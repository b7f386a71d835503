import { agentFile, readAgent, storeAgent } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Classroom, StoredAgentVersion } from '../../contract/classroom.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import type { AgentConsole, AgentFault, AgentSummary, MatchEvent, Page } from '../../contract/procedures.ts'
import { Trouble } from '../../contract/trouble.ts'
import { troubleOf } from '../../histories/trouble.ts'
import type { FinishedRun } from '../../histories/run-book.ts'
import { games } from '../../referees/games.ts'
import { checkAgent } from '../agents.ts'
import { sampleContest } from '../sample.ts'
import type { Contests } from './contests.ts'
import type { Matches } from './matches.ts'
import { passOver } from './pass-over.ts'
import { readSubmission } from './submission.ts'

interface Paging {
  readonly offset: number
  readonly limit: number
}

/** The agents of an open classroom: packages under their hashes, gathered by name, the newest version first. */
export interface Agents {
  list(page: Paging & { readonly search: string }): Promise<Page<AgentSummary>>
  get(name: EntrantId): Promise<AgentSummary & { readonly source: string | null }>
  faults(name: EntrantId, page: Paging): Promise<Page<AgentFault>>
  console(name: EntrantId, page: Paging): Promise<Page<AgentConsole>>
  submit(fileName: string, content: Uint8Array, game: GameId): Promise<AgentSummary>
  /** Names, by when they were first handed in. */
  names(): readonly EntrantId[]
  /** Plays the smoke match of every newest version that has had none; what the machine prevents is left for another day. */
  tryUntried(): Promise<void>
  close(): Promise<void>
}

/** A longer source is no reading matter. */
const SOURCE_BYTES_MAX = 1024 * 1024
/** Characters of console output on one page, unless its first match alone has more. */
const CONSOLE_CHARACTERS = 1024 * 1024

export function openAgents(home: ClassFolder, contests: Contests, matches: Matches, onChange: () => void): Agents {
  const stop = new AbortController()
  /** Smoke matches of what was handed in, one after the other: each takes a core for a second or two. */
  let smoking: Promise<unknown> = Promise.resolve()
  /** Those that nobody waits for. */
  let trying: Promise<unknown> = Promise.resolve()

  const versionsOf = (name: EntrantId): readonly StoredAgentVersion[] => {
    const versions = home.content.agents.filter(({ manifest }) => manifest.name === name)
    if (versions.length === 0) throw new Trouble('usage', `There is no agent "${name}".`)
    return versions.toReversed()
  }

  /** Matches of an agent by contest, newest contest first: `seats` are those on which it sat and `count` is not 0. */
  const counted = async (name: EntrantId, count: (run: FinishedRun, seat: number) => number): Promise<Counted[]> => {
    const found: Counted[] = []
    for (const { id, description } of home.content.contests.toReversed()) {
      const own = new Set(ownEntrants(home.content, name, description.entrants))
      if (own.size === 0) continue
      // A damaged history is told of where its contest is opened.
      const record = await contests.record(id).catch(() => null)
      for (const run of [...(record?.finished.values() ?? [])].sort((a, b) => a.match - b.match)) {
        const seats = new Map<number, number>()
        for (const [seat, entrant] of run.entrants.entries()) {
          if (own.has(entrant) && count(run, seat) > 0) seats.set(seat, count(run, seat))
        }
        if (seats.size > 0) found.push({ contest: id, match: run.match, seats })
      }
    }
    return found
  }

  const faultsOf = async (name: EntrantId): Promise<number> => {
    let faults = 0
    for (const { id, description } of home.content.contests) {
      const own = new Set(ownEntrants(home.content, name, description.entrants))
      if (own.size === 0) continue
      // A damaged history is told of where its contest is opened.
      const record = await contests.record(id).catch(() => null)
      for (const row of record?.standings() ?? []) if (own.has(row.agent)) faults += row.faults
    }
    return faults
  }

  const summary = async (name: EntrantId): Promise<AgentSummary> => {
    const versions = versionsOf(name)
    const { game, kind } = versions[0]!.manifest
    return {
      name,
      game,
      kind,
      versions: versions.map(({ hash, submitted, smoke }) => ({ agent: hash, submitted, smoke })),
      faults: await faultsOf(name),
    }
  }

  const names = (): readonly EntrantId[] => [...new Set(home.content.agents.map(({ manifest }) => manifest.name))]

  const smoke = async ({ hash, manifest }: StoredAgentVersion): Promise<void> => {
    const sample = sampleContest()
    const verdict = await checkAgent({
      file: agentFile(home.folder, hash),
      game: manifest.game,
      config: manifest.game === sample.game ? sample.config : {},
      isolation: home.content.settings.isolation,
      signal: stop.signal,
      onNotice: () => undefined,
    })
    const told = { ok: verdict.ok, text: verdict.text.slice(0, 8_000) }
    await home.change(({ agents }) => {
      for (const each of agents) if (each.hash === hash && each.manifest.name === manifest.name) each.smoke = told
    })
    onChange()
  }

  const queueSmoke = (version: StoredAgentVersion): Promise<void> => {
    const done = smoking.then(() => (stop.signal.aborted ? undefined : smoke(version)))
    smoking = done.catch(() => undefined)
    return done
  }

  return {
    names,

    async list({ offset, limit, search }) {
      const found = names().filter((name) => name.toLowerCase().includes(search.toLowerCase()))
      const items = await Promise.all(found.slice(offset, offset + limit).map(summary))
      return { items, offset, total: found.length }
    },

    async get(name) {
      const told = await summary(name)
      const bytes = await readAgent(home.folder, told.versions[0]!.agent)
      const source = bytes.length > SOURCE_BYTES_MAX ? null : new TextDecoder().decode(bytes)
      return { ...told, source }
    },

    async faults(name, { offset, limit }) {
      versionsOf(name)
      const all = await counted(name, (run, seat) => run.faults[seat] ?? 0)
      const items: AgentFault[] = []
      let before = 0
      for (const { contest, match, seats } of all) {
        const here = [...seats.values()].reduce((sum, each) => sum + each, 0)
        if (before + here > offset && items.length < limit) {
          const told = (await matches.only(contest, match, 'fault')).flatMap((event) =>
            event.kind === 'fault' && seats.has(event.seat)
              ? [{ contest, match, seat: event.seat, at: event.at, fault: event.fault }]
              : [],
          )
          items.push(...told.slice(Math.max(0, offset - before), offset + limit - before))
        }
        before += here
      }
      return { items, offset, total: before }
    },

    async console(name, { offset, limit }) {
      versionsOf(name)
      const all = await counted(name, (run, seat) => run.printed[seat] ?? 0)
      const items: AgentConsole[] = []
      let characters = 0
      for (const { contest, match, seats } of all.slice(offset, offset + limit)) {
        const text = textOf(await matches.only(contest, match, 'console'), seats)
        characters += text.length
        if (items.length > 0 && characters > CONSOLE_CHARACTERS) break
        items.push({ contest, match, text })
      }
      return { items, offset, total: all.length }
    },

    async submit(fileName, content, game) {
      if (!games.has(game))
        throw new Trouble('usage', `There is no game "${game}"; there is ${[...games.keys()].join(', ')}.`)
      const { name, script } = readSubmission(fileName, content, game)
      const other = home.content.agents.find(({ manifest }) => manifest.name === name && manifest.game !== game)
      if (other !== undefined)
        throw new Trouble(
          'usage',
          `There is an agent "${name}" already, which plays ${other.manifest.game}; rename the file.`,
        )
      const { agent: hash } = await storeAgent(home.folder, script).catch((error: unknown) => {
        throw troubleOf(error, 'store an agent in', home.folder)
      })
      const submitted = new Date().toISOString()
      await home.change(({ agents }) => {
        const at = agents.findIndex((each) => each.hash === hash && each.manifest.name === name)
        // Handed in again it is the newest version once more, and keeps what is known of it.
        const [known] = at === -1 ? [] : agents.splice(at, 1)
        agents.push({ hash, manifest: { name, game, kind: 'script' }, submitted, smoke: known?.smoke ?? null })
      })
      onChange()
      const [newest] = versionsOf(name)
      if (newest!.smoke === null) await queueSmoke(newest!)
      return summary(name)
    },

    tryUntried() {
      const all = async (): Promise<void> => {
        for (const name of names()) {
          const [newest] = versionsOf(name)
          if (stop.signal.aborted) return
          if (newest!.smoke === null) await smoke(newest!).catch(passOver)
        }
      }
      const done = trying.then(all)
      trying = done.catch(() => undefined)
      return done
    },

    async close() {
      stop.abort()
      await Promise.all([smoking, trying])
    },
  }
}

/** A match of an agent, with a number for each of its seats. */
interface Counted {
  readonly contest: ContestId
  readonly match: number
  readonly seats: ReadonlyMap<number, number>
}

/**
 * Which entrants of a contest are this agent: those of its name with one of its packages, and those with one of its packages
 * under a name that no agent with that package has, if it was the first to hand it in.
 */
function ownEntrants(
  { agents }: Classroom,
  name: EntrantId,
  entrants: readonly { readonly name: EntrantId; readonly agent: Sha256 }[],
): readonly EntrantId[] {
  const owners = new Map<Sha256, EntrantId[]>()
  for (const { hash, manifest } of agents) owners.set(hash, [...(owners.get(hash) ?? []), manifest.name])
  return entrants.flatMap((entrant) => {
    const known = owners.get(entrant.agent) ?? []
    const owner = known.includes(entrant.name) ? entrant.name : known[0]
    return owner === name ? [entrant.name] : []
  })
}

function textOf(events: readonly MatchEvent[], seats: ReadonlyMap<number, number>): string {
  const lines = events.flatMap((event) => (event.kind === 'console' && seats.has(event.seat) ? [event.text] : []))
  return lines.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('')
}
