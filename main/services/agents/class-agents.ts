import { activePolicies, teamOf, type ActivePolicies } from '../../administrator/classroom/active-versions.ts'
import { readAgent } from '../../administrator/classroom/agents.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import { nameKey, searchKey } from '../../contract/names.ts'
import type {
  AgentConsole,
  AgentFault,
  AgentResults,
  AgentSummary,
  LookedAt,
  MatchEvent,
  OutputOf,
  Page,
  SimilarAgent,
} from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { FinishedRow, SeatCount } from '../../histories/segments/finished-table.ts'
import { endingOf } from '../../histories/match-ending.ts'
import { recordedComponents } from '../packages/component-files.ts'
import { readableText } from '../packages/readable.ts'
import { agentResults } from './agent-results.ts'
import { removeAgent, renameAgent, takesPart } from './agent-edits.ts'
import { ownEntrants } from './entrant-agents.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import { checkGame, lookAt, addSubmission, type HandedIn } from './hand-in.ts'
import type { Matches } from '../matches/class-matches.ts'
import { shippedAgents } from './opponents.ts'
import { schoolOf, showsSource } from '../../administrator/classroom/schools.ts'
import { ignoreExpectedErrors } from '../ignore-expected-errors.ts'
import { openReveals } from './reveals.ts'
import { removeTrialHistory, trialHistory } from './trial-histories.ts'
import { similarAgents } from './similarity/similar-agents.ts'
import { createSmokeMatches } from './smoke-matches.ts'

interface Paging {
  readonly offset: number
  readonly limit: number
}

/** The agents of an open classroom: packages stored by hash and grouped by name, newest version first. */
export interface Agents {
  list(page: Paging & { readonly search: string }): Promise<Page<AgentSummary>>
  get(name: EntrantId): Promise<OutputOf<'agents.get'>>
  /** See the procedure of this name. */
  similar(name: EntrantId): Promise<readonly SimilarAgent[]>
  faults(name: EntrantId, page: Paging): Promise<Page<AgentFault>>
  results(name: EntrantId): Promise<AgentResults>
  /** Opens the history of a version's last trial match; returns its id as an opened file. */
  trialMatch(name: EntrantId, agent: Sha256): Promise<string>
  console(name: EntrantId, page: Paging): Promise<Page<AgentConsole>>
  look(file: Pick<HandedIn, 'fileName' | 'content' | 'game'>): Promise<LookedAt>
  /** `wait`: whether to wait for the smoke match; otherwise it is played in the background. */
  submit(handedIn: HandedIn & { readonly wait: boolean }): Promise<OutputOf<'agents.submit'>>
  rename(name: EntrantId, to: EntrantId): Promise<void>
  remove(name: EntrantId): Promise<void>
  /**
   * Adds the agents that ship with a game and returns their names; agents that the class already has stay unchanged.
   */
  adopt(game: GameId): Promise<readonly EntrantId[]>
  /** Plays the smoke match of the newest version again. */
  tryAgain(name: EntrantId): void
  stopTrying(name: EntrantId): void
  /** In the order in which they were first handed in. */
  names(): readonly EntrantId[]
  /**
   * Plays the smoke match of each newest version without a verdict. Matches that the machine prevents are left for
   * later.
   */
  tryUntried(): Promise<void>
  close(): Promise<void>
}

/** Longer sources are not shown. */
const SOURCE_LENGTH_MAX = 1024 * 1024
/** The maximum number of characters of console output on a page; the first match may exceed it. */
const CONSOLE_CHARACTERS = 1024 * 1024

export interface AgentsOptions {
  readonly home: ClassFolder
  readonly contests: Contests
  readonly matches: Matches
  onChange(): void
  /** Called on unexpected errors of background work. */
  onFatal(error: unknown): void
}

export function openAgents({ home, contests, matches, onChange, onFatal }: AgentsOptions): Agents {
  const trials = createSmokeMatches(home, onChange)
  /** The current run of `tryUntried`. */
  let going: Promise<unknown> = Promise.resolve()
  let closed = false

  /** A cache for one list of agents; every change makes a new list. */
  let remembered: { readonly agents: readonly StoredAgentVersion[]; readonly active: ActivePolicies } | null = null
  const activeNow = (): ActivePolicies => {
    const { agents } = home.content
    if (remembered?.agents !== agents) remembered = { agents, active: activePolicies(agents) }
    return remembered.active
  }

  const reveals = openReveals(home)

  const versionsOf = (name: EntrantId): readonly StoredAgentVersion[] => {
    const versions = home.content.agents.filter(({ manifest }) => manifest.name === name)
    if (versions.length === 0) throw new ExpectedError('usage', `There is no agent "${name}".`)
    return versions.toReversed()
  }

  /** The matches of an agent with nonzero counts, newest first. `seats` maps its seats to their counts. */
  async function* counted(name: EntrantId, ...what: readonly SeatCount[]): AsyncGenerator<Counted> {
    for (const { id, description } of home.content.contests.toReversed()) {
      const own = new Set(ownEntrants(home.content, name, description.entrants))
      if (own.size === 0) continue
      // Damaged histories are reported when their contest is opened.
      const counts = await contests.counts(id).catch(() => null)
      if (counts === null || ![...own].some((entrant) => what.some((each) => counts[each].has(entrant)))) continue
      const { finished } = await contests.record(id)
      for (const row of finished.noticed(what, own)) {
        const seats = new Map<number, number>()
        for (const [seat, entrant] of row.entrants.entries()) {
          const count = what.reduce((sum, each) => sum + (row[each][seat] ?? 0), 0)
          if (own.has(entrant) && count > 0) seats.set(seat, count)
        }
        const entrants = new Map(description.entrants.map((entrant) => [entrant.name, entrant.agent]))
        const versions = row.entrants.map((entrant) => entrants.get(entrant) ?? '')
        yield { contest: id, title: description.title, row, match: row.match, seats, versions }
      }
    }
  }

  const faultsOf = async (name: EntrantId): Promise<number> => {
    let faults = 0
    for (const { id, description } of home.content.contests) {
      const own = new Set(ownEntrants(home.content, name, description.entrants))
      if (own.size === 0) continue
      // Damaged histories are reported when their contest is opened.
      const counts = await contests.counts(id).catch(() => null)
      for (const entrant of own) faults += (counts?.faults.get(entrant) ?? 0) + (counts?.removals.get(entrant) ?? 0)
    }
    return faults
  }

  const faultsIn = async ({ contest, title, match, row, seats, versions }: Counted): Promise<readonly AgentFault[]> => {
    if (row.faults.every((count) => count === 0)) return []
    return (await matches.only(contest, match, 'fault')).flatMap((event) =>
      event.kind === 'fault' && seats.has(event.seat)
        ? [
            {
              contest,
              title,
              match,
              seat: event.seat,
              agent: versions[event.seat]!,
              what: { at: event.at, fault: event.fault },
            },
          ]
        : [],
    )
  }

  const removalsIn = async ({
    contest,
    title,
    match,
    row,
    seats,
    versions,
  }: Counted): Promise<readonly AgentFault[]> => {
    const removed = [...seats.keys()].filter((seat) => row.removals[seat] === 1)
    if (removed.length === 0) return []
    const { outcome } = await endingOf(contests.folder(contest), row)
    return removed.map((seat) => {
      const removal = outcome.places[seat]?.reason ?? 'It was removed from the match.'
      return { contest, title, match, seat, agent: versions[seat]!, what: { removal } }
    })
  }

  const summary = async (name: EntrantId): Promise<AgentSummary> => {
    const versions = versionsOf(name)
    const { game, kind } = versions[0]!.manifest
    return {
      name,
      game,
      kind,
      school: schoolOf(versions[0]!.entry, home.content),
      versions: versions.map((version) => {
        const { hash, manifest, submitted, smoke } = version
        const { policies = null, packages } = manifest
        const active = activeNow().get(version) ?? []
        const reveal = reveals.of().get(version)
        return {
          agent: hash,
          team: teamOf(manifest),
          policies,
          ...(packages === undefined ? {} : { packages }),
          active,
          submitted,
          smoke,
          trial: trials.standing(version),
          ...(reveal === undefined ? {} : { reveal }),
        }
      }),
      faults: await faultsOf(name),
    }
  }

  const submit: Agents['submit'] = async ({ wait, ...handedIn }) => {
    const { name, note } = await addSubmission(home, handedIn)
    onChange()
    const [newest] = versionsOf(name)
    if (newest!.smoke === null) {
      const played = trials.play(newest!)
      if (wait) await played
      else played.catch(ignoreExpectedErrors).catch(onFatal)
    }
    return { ...(await summary(name)), note }
  }

  const names = (): readonly EntrantId[] => [...new Set(home.content.agents.map(({ manifest }) => manifest.name))]

  return {
    names,

    async list({ offset, limit, search }) {
      const wanted = searchKey(search)
      const found = names().filter((name) => searchKey(name).includes(wanted))
      const items = await Promise.all(found.slice(offset, offset + limit).map(summary))
      return { items, offset, total: found.length }
    },

    async get(name) {
      const told = await summary(name)
      const [newest] = versionsOf(name)
      const stored = await readAgent(home.folder, newest!.hash)
      const components = stored.kind === 'script' ? recordedComponents(stored.bytes) : []
      const more = { components, takesPart: takesPart(home.content, name) }
      if (!showsSource(newest!)) return { ...told, ...more, source: null }
      const text = readableText(stored)
      const source = text.length > SOURCE_LENGTH_MAX ? null : text
      return { ...told, ...more, source }
    },

    async similar(name) {
      const [newest] = versionsOf(name)
      const { game } = newest!.manifest
      const { kind, bytes } = await readAgent(home.folder, newest!.hash)
      const same = (await shippedAgents(game)).find(({ agent }) => agent === newest!.hash)
      // The class's own copy of a shipped agent is meant to be like it.
      if (kind !== 'script' || (same !== undefined && namesOfShipped(same.name, game).includes(name))) return []
      return similarAgents(game, bytes)
    },

    async faults(name, { offset, limit }) {
      versionsOf(name)
      const items: AgentFault[] = []
      let before = 0
      for await (const one of counted(name, 'faults', 'removals')) {
        const here = [...one.seats.values()].reduce((sum, each) => sum + each, 0)
        if (before + here > offset && items.length < limit) {
          const told = [...(await faultsIn(one)), ...(await removalsIn(one))]
          items.push(...told.slice(Math.max(0, offset - before), offset + limit - before))
        }
        before += here
      }
      return { items, offset, total: before }
    },

    results: (name) =>
      agentResults(
        home,
        contests,
        name,
        versionsOf(name).map(({ hash }) => hash),
      ),

    async trialMatch(name, agent) {
      const version = versionsOf(name).find(({ hash }) => hash === agent)
      if (version === undefined) throw new ExpectedError('usage', `The agent "${name}" has no such version.`)
      return matches.open(trialHistory(home.folder, version))
    },

    async console(name, { offset, limit }) {
      versionsOf(name)
      const items: AgentConsole[] = []
      let characters = 0
      let total = 0
      for await (const { contest, title, match, seats } of counted(name, 'printed')) {
        if (++total <= offset || items.length >= limit || characters > CONSOLE_CHARACTERS) continue
        const text = textOf(await matches.only(contest, match, 'console'), seats)
        characters += text.length
        if (items.length > 0 && characters > CONSOLE_CHARACTERS) continue
        items.push({ contest, title, match, text })
      }
      return { items, offset, total }
    },

    look: (file) => lookAt(home, file),
    submit,

    async rename(name, to) {
      await renameAgent(home, name, to)
      onChange()
    },

    async remove(name) {
      const versions = versionsOf(name)
      const gone = await removeAgent(home, name)
      for (const version of versions) {
        if (!gone.includes(version.hash)) continue
        trials.stop(version)
        removeTrialHistory(home.folder, version)
      }
      onChange()
    },

    async adopt(game) {
      checkGame(game)
      const adopted: EntrantId[] = []
      for (const { name, agent, bytes } of await shippedAgents(game)) {
        if (home.content.agents.some(({ hash, manifest }) => hash === agent && manifest.game === game)) continue
        const taken = new Set(names().map(nameKey))
        const free = namesOfShipped(name, game).find((each) => !taken.has(nameKey(each)))
        // Both names belong to agents of the class itself.
        if (free === undefined) continue
        const becomes = { what: 'agent', name: free } as const
        await submit({ fileName: `${free}.js`, content: bytes, game, belonging: {}, becomes, wait: false })
        adopted.push(free)
      }
      return adopted
    },

    tryAgain: (name) => void trials.play(versionsOf(name)[0]!).catch(ignoreExpectedErrors).catch(onFatal),
    stopTrying: (name) => trials.stop(versionsOf(name)[0]!),

    tryUntried() {
      const all = async (): Promise<void> => {
        for (const name of names()) {
          // It may have been removed while others were tried.
          const newest = home.content.agents.findLast(({ manifest }) => manifest.name === name)
          if (closed) return
          if (newest?.smoke === null) await trials.play(newest).catch(ignoreExpectedErrors)
        }
      }
      const done = going.then(all)
      going = done.catch(() => undefined)
      return done
    },

    async close() {
      closed = true
      await Promise.all([trials.close(), going])
    },
  }
}

/** The names that a shipped agent may get in the class: its own, and another one if that is taken. */
function namesOfShipped(name: EntrantId, game: GameId): readonly EntrantId[] {
  return [name, `${name}-${game}`]
}

/** A match of an agent, with a number for each of its seats. */
interface Counted {
  readonly contest: ContestId
  readonly title: string
  readonly match: number
  readonly row: FinishedRow
  readonly seats: ReadonlyMap<number, number>
  /** The package of each seat. */
  readonly versions: readonly Sha256[]
}

function textOf(events: readonly MatchEvent[], seats: ReadonlyMap<number, number>): string {
  const lines = events.flatMap((event) => (event.kind === 'console' && seats.has(event.seat) ? [event.text] : []))
  return lines.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('')
}
