import { storeWritten } from '../../administrator/classroom/agents.ts'
import { teamKey, teamOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { ruleAtHandIn } from '../../administrator/classroom/revealed.ts'
import type { TeamId } from '../../contract/people/teams.ts'
import type { AgentManifest, Belonging } from '../../contract/players/agents.ts'
import type { OfferedToolchain } from '../../contract/players/toolchains.ts'
import type { StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import type { EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import { namesInUse } from '../../contract/look-alike-names.ts'
import { freeName, nameKey, whyNoNewName } from '../../contract/names.ts'
import { isKitName } from '../../contract/players/kit-names.ts'
import type { Becomes, LookedAt } from '../../contract/procedures/procedures.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { games } from '../../referees/games.ts'
import { readText } from '../machine/reading.ts'
import type { GivenFile } from '../packages/uploaded-packages.ts'
import { lookJob, withWritten, type WrittenSubmission } from './handed-in-files.ts'
import { nameOfNew, presentNames, withPresentNames } from '../pseudonyms/present-names.ts'
import { similarAgents, similarWords } from './similarity/similar-agents.ts'

/** A file that is handed in. */
export interface HandedIn {
  readonly file: GivenFile
  readonly game: GameId
  /** Used where the package's agent.json does not say otherwise. */
  readonly belonging: Belonging
  readonly becomes: Becomes
  /** The toolchains that its contest offers; absent: any will do. */
  readonly toolchains?: readonly OfferedToolchain[] | undefined
  /** The time at which it arrived, by the clock of the class. ms since the epoch. */
  readonly at: number
  /** Absent: the educator hands it in. */
  readonly team?: HandingTeam
  /** Stops the reading, before anything is stored: rejects with ExpectedError 'stopped'. */
  readonly signal?: AbortSignal | undefined
}

/** The team that hands in a file. Its agents are its own: no file decides to whom an agent belongs. */
export interface HandingTeam {
  readonly id: TeamId
  readonly name: EntrantId
  /**
   * Completes the new version before the class has it; the last moment to refuse it. `known`: the class's version of the same bytes.
   * `note`: the remark, instead of the usual one; null: the usual one.
   */
  complete(
    version: StoredAgentVersion,
    known: StoredAgentVersion | undefined,
  ): Promise<{ readonly version: StoredAgentVersion; readonly note: string | null }>
}

/** The result of handing in a file. */
export interface AddedSubmission {
  readonly name: EntrantId
  /** A remark for the person who handed the file in, or null. */
  readonly note: string | null
}

/** The remark on an agent of the class that is handed in again after a component of it was withdrawn. */
const WITHDRAWN_NOTE =
  'It imports a component that has been withdrawn. It was accepted because the class has this agent already; a changed one is not.'

/** Reads a file without storing it. Throws ExpectedError 'usage' if it cannot be an agent. */
export async function lookAt(home: ClassFolder, { file, game }: Pick<HandedIn, 'file' | 'game'>): Promise<LookedAt> {
  checkGame(game)
  const { name, agent } = await readText(lookJob, { file, game })
  const same = agent === null ? [] : namesWith(home.content.agents, agent, game)
  return { name, agent, same }
}

/**
 * Stores a file's agent and adds it to the class as a new agent or as the newest version of one. Throws ExpectedError
 * 'usage' if the file is not an agent or cannot become what is requested.
 */
export async function addSubmission(
  home: ClassFolder,
  { file, game, belonging, becomes, toolchains, at, team, signal }: HandedIn,
): Promise<AddedSubmission> {
  checkGame(game)
  return withWritten(
    home,
    { file, game, toolchains, known: knownTo(home, becomes) },
    async (submission) => {
      const { kind, file: script } = submission.written
      const similar = kind === 'script' ? similarWords(await similarAgents(game, { file: script }, signal)) : null
      return home.inTurn(() =>
        addWritten(home, { game, belonging, becomes, at, ...(team && { team }) }, { ...submission, similar }),
      )
    },
    team?.id,
    signal,
  )
}

/**
 * Reads, bundles and builds a file like `addSubmission` and throws like it, but keeps nothing. Resolves to the version that it would
 * become; null: the agent has one of the very same bytes.
 */
export async function lookAtSubmission(
  home: ClassFolder,
  { file, toolchains, ...place }: WantedPlace & Pick<HandedIn, 'file' | 'toolchains'>,
): Promise<{ readonly name: EntrantId; readonly version: number | null }> {
  const { game, becomes } = place
  checkGame(game)
  return withWritten(
    home,
    { file, game, toolchains, known: knownTo(home, becomes) },
    async ({ manifest, written: { agent } }) => {
      const { name } = placeOf(home, place, manifest)
      const versions = home.content.agents.filter(({ manifest }) => manifest.name === name)
      if (versions.some(({ hash }) => hash === agent)) return { name, version: null }
      return { name, version: 1 + Math.max(0, ...versions.map(({ number = 0 }) => number)) }
    },
    place.team?.id,
  )
}

/** The same bytes may be handed in again as a version of their agent, but nobody else may begin to use a withdrawn component. */
function knownTo({ content }: ClassFolder, becomes: Becomes): readonly Sha256[] {
  const versions = content.agents.filter(({ manifest }) => becomes.what === 'version' && manifest.name === becomes.of)
  return versions.map(({ hash }) => hash)
}

/** The place that a file takes in the class. */
interface WantedPlace extends Pick<HandedIn, 'game' | 'belonging' | 'becomes'> {
  readonly team?: Pick<HandingTeam, 'id' | 'name'>
}

/** The agent that a file becomes, and the team that hands it in. Throws ExpectedError 'usage' if it cannot become what is requested. */
function placeOf(
  home: ClassFolder,
  { game, belonging, becomes: wanted, team: handing }: WantedPlace,
  own: AgentManifest,
): { readonly name: EntrantId; readonly team: EntrantId | undefined } {
  const present = handing && presentNames(home.content, handing, wanted)
  const becomes = present?.becomes ?? wanted
  const team = present?.team ?? own.team ?? belonging.team
  if (handing !== undefined) checkOwned(home, becomes, handing)
  const name = nameFor(home, becomes, game, own.name, { team, by: handing?.id ?? null })
  checkOwnTeam(home.content.agents, name, team)
  checkTeam(home.content.agents, team)
  return { name, team: present?.team }
}

async function addWritten(
  home: ClassFolder,
  { game, belonging, becomes, at, team: handing }: Omit<HandedIn, 'file' | 'signal'>,
  { manifest: own, written, withdrawn, similar }: WrittenSubmission & { readonly similar: string | null },
): Promise<AddedSubmission> {
  const { name, team } = placeOf(home, { game, belonging, becomes, ...(handing && { team: handing }) }, own)
  const { agent } = await storeWritten(home.folder, written).catch((error: unknown) => {
    throw machineErrorFrom(error, 'store an agent in', home.folder)
  })
  const note = noteOn(visibleTo(home.content.agents, handing), { name, game, agent })
  // The package's agent.json takes precedence over choices made for many files at once.
  const manifest = { ...belonging, ...own, name, ...(team === undefined ? {} : { team }) }
  const version = newVersion(home, { agent, manifest, at, ...(handing && { owner: handing.id }) })
  const known = home.content.agents.find((each) => each.hash === agent && each.manifest.name === name)
  const completed = await handing?.complete(version, known)
  const present = await addVersion(home, completed?.version ?? version)
  const old = withdrawn ? WITHDRAWN_NOTE : null
  return {
    name: present,
    note: [completed?.note ?? note, old, similar].filter((text) => text !== null).join(' ') || null,
  }
}

/** Adds a version to the class, under the present names of its team and agent. Resolves to the name of its agent. */
export async function addVersion(home: Pick<ClassFolder, 'change'>, version: StoredAgentVersion): Promise<EntrantId> {
  let name = version.manifest.name
  await home.change((content) => {
    const present = withPresentNames(content, version)
    placeVersion(content.agents, present)
    name = nameOfNew(content, present)
  })
  return name
}

/**
 * Puts a version among those of the class. One that is handed in again becomes the newest one, unless its time stays the earlier one; it
 * keeps its verdict. Hand-ins of a team stand in the order in which they arrived, also if an earlier one was read later.
 */
function placeVersion(agents: StoredAgentVersion[], version: StoredAgentVersion): void {
  const at = agents.findIndex((each) => each.hash === version.hash && each.manifest.name === version.manifest.name)
  const known = agents[at]
  const placed = { ...version, smoke: known?.smoke ?? version.smoke }
  if (known !== undefined && known.submitted === version.submitted) {
    agents[at] = placed
    return
  }
  if (known !== undefined) agents.splice(at, 1)
  const later = version.handIn === undefined ? -1 : agents.findIndex((each) => isLater(each, version))
  agents.splice(later === -1 ? agents.length : later, 0, placed)
}

/** True if a version of the same team and game was handed in after another one. */
function isLater(each: StoredAgentVersion, { owner, manifest, submitted }: StoredAgentVersion): boolean {
  return (
    each.owner === owner && each.manifest.game === manifest.game && Date.parse(each.submitted) > Date.parse(submitted)
  )
}

/** A version as it enters the class. One that the class has already keeps its number and its verdict. */
function newVersion(
  { content: { agents, settings } }: ClassFolder,
  {
    agent,
    manifest,
    at,
    owner: handing,
  }: { readonly agent: Sha256; readonly manifest: AgentManifest; readonly at: number; readonly owner?: TeamId },
): StoredAgentVersion {
  const own = agents.filter((each) => each.manifest.name === manifest.name)
  const known = own.find(({ hash }) => hash === agent)
  // The educator may hand in a version for a team.
  const owner = handing ?? own.at(-1)?.owner
  const kept = { ...known }
  delete kept.inactive
  return {
    ...kept,
    ...{ hash: agent, manifest, submitted: new Date(at).toISOString() },
    number: known?.number ?? 1 + Math.max(0, ...own.map(({ number = 0 }) => number)),
    ...(owner === undefined ? {} : { owner }),
    ...ruleAtHandIn(settings, known),
    smoke: known?.smoke ?? null,
  }
}

/** Throws ExpectedError 'usage' if a file is to become a version of an agent that is not the team's, as if there were no such agent. */
function checkOwned({ content }: ClassFolder, becomes: Becomes, { id }: Pick<HandingTeam, 'id'>): void {
  if (becomes.what !== 'version') return
  const newest = content.agents.findLast(({ manifest }) => manifest.name === becomes.of)
  if (newest?.owner !== id) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${becomes.of}".`)
}

/**
 * Throws ExpectedError 'usage' if another agent has this name or one that people would confuse with it. `by`: the team that wants the
 * name, which is told nothing about agents of others; null: the educator hands a file in; absent: no file is handed in.
 */
export function checkFree(agents: readonly StoredAgentVersion[], name: EntrantId, by?: TeamId | null): void {
  const other = namesInUse(agents.map(({ manifest }) => manifest.name)).like(name)
  if (other === undefined) return
  const owner = agents.findLast(({ manifest }) => manifest.name === other)?.owner
  if (typeof by === 'string' && owner !== by)
    throw new ExpectedError(
      'usage',
      'name-taken',
      `The name "${name}" is taken, or looks like one that is taken: give the agent another name.`,
    )
  const isSame = nameKey(other) === nameKey(name)
  const text = `There is an agent "${other}" already${isSame ? '' : `, which looks like "${name}"`}`
  const orVersion = by === undefined ? '' : ', or hand the file in as a new version of that agent'
  throw new ExpectedError('usage', 'name-taken', `${text}: give another name${orVersion}.`)
}

/** Throws ExpectedError 'usage' if a team is new and people would confuse its name with that of another team. */
function checkTeam(agents: readonly StoredAgentVersion[], team: EntrantId | undefined): void {
  const teams = agents.map(({ manifest }) => teamOf(manifest))
  if (team === undefined || teams.some((each) => nameKey(each) === nameKey(team))) return
  const problem = whyNoNewName(team)
  if (problem !== null) throw new ExpectedError('usage', 'input-invalid', `The team "${team}": ${problem}.`)
  const other = namesInUse(teams).like(team)
  if (other === undefined) return
  throw new ExpectedError(
    'usage',
    'name-taken',
    `There is a team "${other}" already, which looks like "${team}": give another name.`,
  )
}

/**
 * Throws ExpectedError 'usage' if an agent that names no `team` would join another agent's team only because of its own
 * name. An existing member of that team may stay.
 */
export function checkOwnTeam(
  agents: readonly StoredAgentVersion[],
  name: EntrantId,
  team: EntrantId | undefined,
): void {
  if (team !== undefined) return
  const members = agents.filter(({ manifest }) => teamKey(manifest) === nameKey(name))
  const [other] = members
  if (other === undefined || members.some(({ manifest }) => manifest.name === name)) return
  const text = `There is a team "${teamOf(other.manifest)}", of the agent "${other.manifest.name}"`
  throw new ExpectedError(
    'usage',
    'name-taken',
    `${text}, and an agent without a team forms a team under its own name: give another name, or name its team.`,
  )
}

/** Throws ExpectedError 'usage' if these are versions of an entry of another school. `then`: what follows from that. */
export function checkOwn(versions: readonly StoredAgentVersion[], then: string): void {
  const foreign = versions.find(({ entry }) => entry !== undefined)
  if (foreign?.entry === undefined) return
  throw new ExpectedError(
    'usage',
    'entry-of-other-school',
    `"${foreign.manifest.name}" is an entry of ${foreign.entry.statement.school}: ${then}.`,
  )
}

export function checkGame(game: GameId): void {
  if (!games.has(game))
    throw new ExpectedError(
      'usage',
      'game-unknown',
      `There is no game "${game}"; there is ${[...games.keys()].join(', ')}.`,
    )
}

/**
 * The name of the agent that a file becomes or is a version of. `usual`: the name in its agent.json, or its file name. `by`: see
 * `checkFree`.
 */
function nameFor(
  { content }: ClassFolder,
  becomes: Becomes,
  game: GameId,
  usual: EntrantId,
  { team, by }: { readonly team: EntrantId | undefined; readonly by: TeamId | null },
): EntrantId {
  const { agents } = content
  if (becomes.what === 'version') {
    const known = agents.find(({ manifest }) => manifest.name === becomes.of)
    if (known === undefined) throw new ExpectedError('usage', 'agent-unknown', `There is no agent "${becomes.of}".`)
    checkOwn([known], 'hand the file in as a new agent')
    if (known.manifest.game === game) return becomes.of
    throw new ExpectedError(
      'usage',
      'other-game',
      `"${becomes.of}" plays ${known.manifest.game}; an agent for ${game} is a new one.`,
    )
  }
  if (becomes.name !== null) {
    checkFree(agents, becomes.name, by)
    return becomes.name
  }
  if (isKitName(usual))
    throw new ExpectedError(
      'usage',
      'name-missing',
      `Everybody who began with a kit has an agent "${usual}": give the agent a name of its own.`,
    )
  // An agent that names no team forms a team of its own name.
  const teams = team === undefined ? agents.map(({ manifest }) => teamKey(manifest)) : []
  const taken = new Set([...agents.map(({ manifest }) => nameKey(manifest.name)), ...teams])
  const name = freeName(usual, (each) => taken.has(nameKey(each)))
  const problem = whyNoNewName(name)
  if (problem !== null) throw new ExpectedError('usage', 'input-invalid', `The name "${name}": ${problem}.`)
  checkFree(agents, name, by)
  return name
}

/** The versions that a remark may name: a team does not learn from it who else has the same code. */
function visibleTo(
  agents: readonly StoredAgentVersion[],
  team: Pick<HandingTeam, 'id'> | undefined,
): readonly StoredAgentVersion[] {
  return team === undefined ? agents : agents.filter(({ owner }) => owner === team.id)
}

function noteOn(
  agents: readonly StoredAgentVersion[],
  { name, game, agent }: { readonly name: EntrantId; readonly game: GameId; readonly agent: Sha256 },
): string | null {
  const own = agents.filter(({ manifest }) => manifest.name === name)
  if (own.at(-1)?.hash === agent) return `This is the newest version of "${name}" already: the very same bytes.`
  if (own.some(({ hash: known }) => known === agent))
    return `"${name}" had the very same bytes before: an older version is the newest one again.`
  const others = namesWith(agents, agent, game)
  return others.length === 0 ? null : `The very same bytes as ${others.map((other) => `"${other}"`).join(', ')}.`
}

function namesWith(agents: readonly StoredAgentVersion[], agent: Sha256, game: GameId): readonly EntrantId[] {
  const found = agents.filter(({ hash: known, manifest }) => known === agent && manifest.game === game)
  return [...new Set(found.map(({ manifest }) => manifest.name))]
}
