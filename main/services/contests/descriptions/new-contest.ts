import { existsSync } from 'node:fs'
import { versionsOf } from '../../../administrator/classroom/active-versions.ts'
import { ruleAtHandIn } from '../../../administrator/classroom/revealed.ts'
import { completeFormat } from '../formats/registry.ts'
import { tableSize } from '../schedule/schedule.ts'
import { HUMAN, NETWORK, type AgentManifest } from '../../../contract/players/agents.ts'
import { whyNotOffered } from '../../../contract/players/toolchains.ts'
import type { Classroom, ContestEntry, StoredAgentVersion } from '../../../contract/procedures/classroom.ts'
import type { GameContests } from '../../../contract/contests/contest-format.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { isRecord } from './contest-file.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId, GameId, Sha256 } from '../../../contract/ids.ts'
import { freeName, nameKey } from '../../../contract/names.ts'
import type { TeamId } from '../../../contract/people/teams.ts'
import type { Occurrence } from '../../../contract/contests/recurring.ts'
import { isMeantFor, policyName, policyOf } from '../../../contract/contests/policy.ts'
import { patternText } from '../../../contract/contests/policy-patterns.ts'
import { checkAddress } from '../../../players/web/address.ts'
import { games } from '../../../referees/games.ts'
import { withStatements } from '../../entries/stated-entrants.ts'
import { contestFolder } from '../../machine/data-folder.ts'
import { withReferences } from '../../texts/kept-texts.ts'

/** The manifests of packages by their hashes. */
export type Manifests = ReadonlyMap<Sha256, AgentManifest>

/** The contest settings of a contest's game. */
export const gameContests = ({ game }: Pick<ContestDescription, 'game'>): GameContests =>
  games.get(game)?.contests ?? {}

/**
 * Throws ExpectedError 'usage' if an agent has no command for one of the game's roles: any entrant may get any seat.
 */
function checkRoles(name: EntrantId, roles: readonly string[], description: ContestDescription): void {
  const seats =
    games.get(description.game)?.seats(description.config, tableSize(description, gameContests(description))) ?? []
  if (typeof seats === 'string') throw new ExpectedError('usage', 'entrants-invalid', seats)
  const missing = seats.find(({ role }) => !roles.includes(role))
  if (missing === undefined) return
  const has = `its "commands" are for ${roles.join(', ')}`
  throw new ExpectedError(
    'usage',
    'role-missing',
    `Entrant "${name}" has no program for the role ${missing.role}: ${has}.`,
  )
}

/** Throws ExpectedError 'usage' if an agent needs a toolchain that the contest does not offer. `whose`: the agent in the sentence. */
function checkToolchains(
  whose: string,
  { title, toolchains }: Pick<ContestDescription, 'title' | 'toolchains'>,
  manifest: AgentManifest,
): void {
  const why = toolchains === undefined ? null : whyNotOffered(toolchains, manifest)
  if (why === null) return
  throw new ExpectedError('usage', 'toolchain-not-offered', `${whose} cannot play in "${title}": ${why}.`)
}

/**
 * Throws ExpectedError 'usage' if an entrant may not play in a contest: it does not accept the security policy, is a web
 * application at an address that the class does not allow, or is in the same team as another.
 */
export function checkEntrants(
  { agents, settings }: Pick<Classroom, 'agents' | 'settings'>,
  description: ContestDescription,
  manifests: Manifests = new Map(),
): void {
  const ofTeam = new Map<string, { readonly name: string; readonly agent: Sha256 }>()
  for (const { name, agent } of description.entrants) {
    const manifest = manifests.get(agent) ?? versionsOf(agents, { name, agent })[0]?.manifest
    const { policies, address, team, commands } = manifest ?? {}
    const other = team === undefined ? undefined : ofTeam.get(nameKey(team))
    if (other !== undefined && other.agent !== agent && description.practice !== true) {
      const both = `Entrants "${other.name}" and "${name}" are of one team, "${team}"`
      throw new ExpectedError('usage', 'team-twice', `${both}; a team may have only one active agent under a policy.`)
    }
    if (team !== undefined) ofTeam.set(nameKey(team), { name, agent })
    if (address !== undefined) checkAddress(address, settings.webAddresses, `Entrant "${name}"`)
    const policy = policyOf(description)
    if (manifest !== undefined) checkToolchains(`Entrant "${name}"`, description, manifest)
    if (commands !== undefined) checkRoles(name, Object.keys(commands), description)
    if (policies === undefined || isMeantFor(policies, policy)) continue
    const meant = policies.map((pattern) => `${pattern} (${patternText(pattern)})`).join(', ')
    throw new ExpectedError(
      'usage',
      'policy-not-meant',
      `Entrant "${name}" is meant for ${meant}, and this contest has the policy "${policyName(policy)}".`,
    )
  }
}

/**
 * A description with the settings that new contests of its game and its format have, where they are absent: what is begun
 * now, and the form in which a contest of an older version equals it.
 */
export function withNewSettings(description: ContestDescription): ContestDescription {
  const { config } = description
  const added = games.get(description.game)?.settings.forNewContests ?? {}
  return {
    ...description,
    format: completeFormat(description.format, gameContests(description)),
    config: isRecord(config) ? ({ ...added, ...config } as ContestDescription['config']) : config,
  }
}

/** The parts of a new contest besides its description. */
export interface NewContest {
  readonly nonce: Sha256
  /** By the clock of the class, ms since the epoch; absent: that of the machine. */
  readonly now?: number | undefined
  /** The manifests of all agents that are not scripts. */
  readonly manifests?: Manifests | undefined
  /** Until when entries may be adapted; absent: they are closed. */
  readonly entriesUntil?: string | undefined
  /** It is one of a recurring contest, which has begun then, and starts by itself. */
  readonly occurrence?: Occurrence | undefined
  /** The settings that it has besides those of the older contest from which it was made. Absent or empty: none. */
  readonly renewed?: readonly string[] | undefined
  /** It is for this team, which the rest of the class does not see. Absent: it is not. */
  readonly practiceOf?: TeamId | undefined
  /** It repeats a contest: its seeds follow as they did there. */
  readonly rerun?: { readonly of: ContestId } & {
    readonly [K in 'phrase' | 'seeds']: ContestEntry[K] | undefined
  } & { readonly decisions?: ContestEntry['decisions'] | undefined }
}

/**
 * Adds a contest to a class and returns its id. New agents among its entrants become versions of the agents with their
 * names, except in practice. Throws like `checkEntrants`.
 */
export function newContest(
  content: Classroom,
  data: string,
  written: ContestDescription,
  {
    nonce,
    now = Date.now(),
    manifests = new Map(),
    entriesUntil,
    occurrence,
    renewed = [],
    practiceOf,
    rerun,
  }: NewContest,
): ContestId {
  const { contests, agents, settings, deleted } = content
  const format = completeFormat(written.format, gameContests(written))
  const description = rerun === undefined ? { ...written, format } : written
  checkEntrants(content, description, manifests)
  const script = { game: description.game, kind: 'script' } as const
  const slug = slugOf(description.title)
  let number = 1
  // Nor the id of a folder that remains from another contest.
  const taken = (id: ContestId): boolean =>
    contests.some((each) => each.id === id) || deleted.includes(id) || existsSync(contestFolder(data, id))
  while (taken(`${slug}-${number}`)) number++
  const id = `${slug}-${number}`
  const added = new Date(now).toISOString()
  contests.push({
    id,
    description: withReferences(withStatements(content.agents, description)),
    added,
    nonce,
    ...(rerun === undefined ? { seeds: 'hmac' as const } : seedsOf(rerun)),
    ...(entriesUntil === undefined ? {} : { entriesUntil }),
    ...(renewed.length === 0 ? {} : { renewed: [...renewed] }),
    ...(practiceOf === undefined ? {} : { practiceOf }),
    state: 'open',
    // In the same change, so that a process that is killed now has either begun this contest or not.
    ...(occurrence === undefined ? {} : { recurring: occurrence, goesOn: true }),
  })
  const recurring = content.recurring.find((each) => each.id === occurrence?.of)
  if (recurring !== undefined && occurrence !== undefined) recurring.until = occurrence.at
  // A contest with a person, a practice contest and a repeated contest do not hand in their agents.
  if (hasPerson(description) || description.practice === true || rerun !== undefined) return id
  for (const { name, agent } of description.entrants) {
    if (agent === NETWORK || agents.some(({ hash }) => hash === agent)) continue
    const manifest = { ...(manifests.get(agent) ?? script), name: agentNameFor(agents, name, description.game) }
    agents.push({ hash: agent, manifest, submitted: added, ...ruleAtHandIn(settings), smoke: null })
  }
  return id
}

function seedsOf({
  of,
  phrase,
  seeds,
  decisions,
}: NonNullable<NewContest['rerun']>): Pick<ContestEntry, 'phrase' | 'seeds' | 'decisions' | 'rerun'> {
  const decided = decisions === undefined ? {} : { decisions }
  return {
    ...decided,
    ...(phrase === undefined ? {} : { phrase }),
    ...(seeds === undefined ? {} : { seeds }),
    rerun: { of },
  }
}

/** The name of the class's own agent that plays the game under an entrant's name, ignoring case; otherwise a new name. */
function agentNameFor(agents: readonly StoredAgentVersion[], entrant: EntrantId, game: GameId): EntrantId {
  const named = (name: EntrantId): StoredAgentVersion | undefined =>
    agents.find(({ manifest }) => nameKey(manifest.name) === nameKey(name))
  const own = named(entrant)
  if (own?.manifest.game === game && own.entry === undefined) return own.manifest.name
  return freeName(entrant, (name) => named(name) !== undefined)
}

/** True if a person plays in a contest. */
export const hasPerson = ({ entrants }: ContestDescription): boolean => entrants.some(({ agent }) => agent === HUMAN)

/** The beginning of an id. */
export function slugOf(title: string): string {
  const slug = title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
  return slug === '' ? 'contest' : slug
}
