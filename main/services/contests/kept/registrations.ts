import { hash, randomBytes } from 'node:crypto'
import { activePolicies, playingVersion } from '../../../administrator/classroom/active-versions.ts'
import { entriesUntilFor } from '../../../administrator/classroom/team-closing.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import { policyBits, policyName, policyOf } from '../../../contract/contests/policy.ts'
import { bitsMeant } from '../../../contract/contests/policy-patterns.ts'
import type {
  NewCredentials,
  Registered,
  RegistrationRule,
  RegistrationView,
} from '../../../contract/contests/registration.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import type { ContestId, EntrantId, Sha256 } from '../../../contract/ids.ts'
import { namesInUse } from '../../../contract/look-alike-names.ts'
import { NETWORK } from '../../../contract/players/agents.ts'
import type { Team, TeamId } from '../../../contract/people/teams.ts'
import type { Classroom, ContestEntry, StoredAgentVersion } from '../../../contract/procedures/classroom.ts'
import { checkConnecting, postsOf } from '../arena/network-contest.ts'
import { checkEntrants, gameContests } from '../descriptions/new-contest.ts'
import { scheduleFault } from '../schedule/schedule.ts'
import { editEntry, entryOf, type KeptContests } from './kept-entries.ts'

// Teams register agents for an announced contest; see `registration` in the contract. A registered agent is an entrant at once, so that
// its page, the estimate and the closing of entries know it.

/** The registration of the contests of a class. */
export interface Registrations {
  /** `team` null: the caller is in none. `isStaff`: they act for all teams. Throws ExpectedError 'usage' if there is no such contest. */
  of(id: ContestId, team: Team | null, isStaff: boolean): RegistrationView
  /** See `allowRegistration`. */
  allow(id: ContestId, rule: RegistrationRule | null): Promise<void>
  /** See `register`. */
  register(id: ContestId, wish: Wish & { readonly agent: EntrantId | null }): Promise<void>
  withdraw(id: ContestId, wish: Wish & { readonly entrant: EntrantId }): Promise<void>
  /** See `renewCredentials`. */
  renewCredentials(id: ContestId, team: TeamId): Promise<NewCredentials>
}

/** The registration of a contest; see `Registrations`. */
export function registrationOf(
  { home: { content }, now }: KeptContests,
  entry: ContestEntry,
  team: Team | null,
  isStaff: boolean,
): RegistrationView {
  const { id, registration, entriesUntil, state } = entry
  const nobody = { rule: null, isOpen: false, closes: entriesUntil ?? null, entries: [], addresses: [] }
  if (registration === undefined) return nobody
  const { agentsATeam, network, entries } = registration
  const isKept = state === 'open' && entriesUntil !== undefined
  const closes = isKept ? entriesUntilFor(content, { id, entriesUntil }, team ?? undefined) : null
  const inTime = closes !== null && (isStaff || now() <= Date.parse(closes))
  return {
    rule: { agentsATeam, network },
    isOpen: inTime && (isStaff || team !== null),
    closes,
    entries: entries.map(({ credentials, absent = null, ...each }) => ({
      ...each,
      absent,
      teamName:
        isStaff || each.team === team?.id ? (teamIn(content, each.team)?.name ?? '') : publicTeam(content, each),
      hasCredentials: credentials !== undefined,
    })),
    addresses: [],
  }
}

const teamIn = ({ teams }: Pick<Classroom, 'teams'>, id: TeamId): Team | undefined =>
  teams.find((known) => known.id === id)

/** The name of a team for others. Under a pseudonym that it got later it has the name under which it registered. */
function publicTeam(content: Pick<Classroom, 'teams' | 'agents'>, { team: id, entrant, kind }: Registered): string {
  const team = teamIn(content, id)
  if (team?.called === undefined) return team?.name ?? ''
  const isPresent =
    kind === 'network'
      ? entrant === team.name
      : content.agents.some(({ owner, manifest }) => owner === id && manifest.name === entrant)
  return isPresent ? team.name : entrant
}

/** Opens the registration of a contest, or ends it. Throws ExpectedError 'usage' if the contest has no deadline, or has begun. */
export async function allowRegistration(
  kept: KeptContests,
  id: ContestId,
  rule: RegistrationRule | null,
): Promise<void> {
  await editEntry(kept, id, (entry) => {
    if (entry.state !== 'open' || entry.entriesUntil === undefined)
      throw closed(
        `Teams register until the deadline of a contest, and "${entry.description.title}" has none, or its entries are closed.`,
      )
    if (rule?.network === true)
      checkConnecting({ ...entry.description, entrants: [{ name: 'any', agent: NETWORK }] }, entry.arena)
    const { entries = [] } = entry.registration ?? {}
    if (rule !== null) entry.registration = { ...rule, entries }
    // Those who have registered stay entrants, as if the educator had chosen them.
    else delete entry.registration
  })
}

/** A registration that somebody asks for. */
interface Wish {
  readonly team: TeamId
  /** True: an educator acts for the team, until entries are closed. */
  readonly isStaff: boolean
}

/**
 * Registers an agent of a team, or with null one on its own machine. Throws ExpectedError 'usage' if registration is closed for the
 * team, or the agent may not play.
 */
export async function register(
  kept: KeptContests,
  id: ContestId,
  wish: Wish & { readonly agent: EntrantId | null },
): Promise<void> {
  const now = kept.now()
  await kept.home.change((content) => {
    const { entry, team } = openFor(content, id, wish, now)
    const { registration, description } = entry
    if (wish.agent === null && !registration.network)
      throw new ExpectedError(
        'usage',
        'network-unsupported',
        `Agents on other machines do not take part in "${description.title}".`,
      )
    const version = wish.agent === null ? null : versionFor(content, description, team, wish.agent)
    const plays = version === null || version.isMeant
    if (!plays && registration.agentsATeam === 1)
      throw new ExpectedError(
        'usage',
        'policy-not-meant',
        `"${wish.agent}" is not meant for the policy "${policyName(policyOf(description))}" of "${description.title}", and each team has one agent there.`,
      )
    const former = registration.entries.find((each) => each.team === team.id && each.plays === plays)
    if (former !== undefined) takeOut(entry, former)
    const entrant = version?.name ?? team.name
    const kind = version === null ? 'network' : 'agent'
    registration.entries.push({ ...{ team: team.id, entrant, kind, plays }, at: new Date(now).toISOString() })
    if (plays) addEntrant(content, entry, { name: entrant, agent: version?.agent ?? NETWORK })
  })
  kept.records.forget(id)
}

/** Takes a registered agent of a team out of a contest. Throws ExpectedError 'usage' like `register`. */
export async function withdrawRegistered(
  kept: KeptContests,
  id: ContestId,
  wish: Wish & { readonly entrant: EntrantId },
): Promise<void> {
  const now = kept.now()
  await kept.home.change((content) => {
    const { entry, team } = openFor(content, id, wish, now)
    const found = entry.registration.entries.find((each) => each.team === team.id && each.entrant === wish.entrant)
    if (found === undefined)
      throw new ExpectedError(
        'usage',
        'entrant-unknown',
        `The team has not registered "${wish.entrant}" for "${entry.description.title}".`,
      )
    takeOut(entry, found)
    checkPlayable(entry.description)
  })
  kept.records.forget(id)
}

/** Makes new credentials for the network agent of a team, and ends the old. Only their hashes are kept. */
export async function renewCredentials(kept: KeptContests, id: ContestId, team: TeamId): Promise<NewCredentials> {
  const { description } = entryOf(kept, id)
  const credentials = Array.from({ length: postsOf(description) }, () => randomBytes(32).toString('base64url'))
  let entrant = ''
  await editEntry(kept, id, (entry) => {
    const found = entry.registration?.entries.find((each) => each.team === team && each.kind === 'network')
    if (found === undefined)
      throw new ExpectedError(
        'usage',
        'entrant-unknown',
        `The team has no agent of its own machine in "${description.title}".`,
      )
    if (entry.state !== 'open')
      throw new ExpectedError('usage', 'contest-over', `The contest "${description.title}" is already ${entry.state}.`)
    found.credentials = credentials.map((each) => hash('sha256', each))
    entrant = found.entrant
  })
  return { entrant, credentials }
}

/** The hashes of the credentials that teams have, by entrant. */
export function teamCredentials({
  registration,
}: Pick<ContestEntry, 'registration'>): ReadonlyMap<EntrantId, readonly Sha256[]> {
  const { entries = [] } = registration ?? {}
  return new Map(
    entries.flatMap(({ entrant, credentials }) => (credentials === undefined ? [] : [[entrant, credentials] as const])),
  )
}

/**
 * Leaves those out that were registered and have no version that plays when entries are closed. `versions`: of the class, as they are
 * then. Throws ExpectedError 'usage' if the others are too few.
 */
export function leaveOutAbsent(entry: ContestEntry, versions: readonly StoredAgentVersion[]): void {
  const { registration, description } = entry
  if (registration === undefined) return
  for (const each of registration.entries) {
    if (each.kind === 'network' || !each.plays) continue
    const entrant = description.entrants.find(({ name }) => name === each.entrant)
    if (entrant === undefined || playingVersion(versions, description, entrant) !== undefined) continue
    each.absent = 'No version of it had passed its trial match by the closing time.'
    description.entrants = description.entrants.filter((other) => other !== entrant)
  }
  checkPlayable(description)
}

/** The contest and the team, if it can register now. */
function openFor(
  content: Classroom,
  id: ContestId,
  { team: wanted, isStaff }: Wish,
  now: number,
): { readonly entry: ContestEntry & Required<Pick<ContestEntry, 'registration'>>; readonly team: Team } {
  const entry = content.contests.find((each) => each.id === id)
  if (entry === undefined) throw new ExpectedError('usage', 'contest-unknown', `There is no contest "${id}".`)
  const team = content.teams.find((each) => each.id === wanted)
  if (team === undefined) throw new ExpectedError('usage', 'team-unknown', 'There is no such team.')
  const {
    registration,
    entriesUntil,
    state,
    description: { title },
  } = entry
  if (registration === undefined) throw closed(`Teams do not register for "${title}": the educator chooses who plays.`)
  if (state !== 'open' || entriesUntil === undefined) throw closed(`The entries of "${title}" are closed.`)
  const until = entriesUntilFor(content, { id, entriesUntil }, team)
  if (!isStaff && now > Date.parse(until)) throw closed(`Registration for "${title}" closed at ${until}.`)
  // The same object, with the member that was just found in it.
  return { entry: entry as ContestEntry & { registration: typeof registration }, team }
}

/** The version with which a team's agent registers: the newest one that may play. Its closing version replaces it. */
function versionFor(
  { agents }: Classroom,
  description: ContestDescription,
  { id: owner, name: team }: Team,
  name: EntrantId,
): { readonly name: EntrantId; readonly agent: Sha256; readonly isMeant: boolean } {
  const { game } = description
  const own = agents.filter((each) => each.owner === owner && each.manifest.game === game)
  if (!own.some(({ manifest }) => manifest.name === name))
    throw new ExpectedError('usage', 'agent-unknown', `The team "${team}" has no agent "${name}" for ${game}.`)
  const bits = policyBits(policyOf(description))
  const isMeant = ({ manifest }: StoredAgentVersion): boolean => bitsMeant(manifest.policies).includes(bits)
  const able = own.filter(({ inactive, smoke }) => mayYetPlay(inactive) && smoke?.ok !== false)
  const version = able.findLast(({ manifest }) => manifest.name === name)
  if (version === undefined)
    throw new ExpectedError(
      'usage',
      'agent-version-unknown',
      `No version of "${name}" can play: hand in one that passes its trial match.`,
    )
  if (!isMeant(version)) return { name, agent: version.hash, isMeant: false }
  const other = able.findLast(isMeant)!
  if (other.manifest.name !== name)
    throw new ExpectedError(
      'usage',
      'team-agent-inactive',
      `The newest agent of the team for this policy is "${other.manifest.name}", which plays for it: register that one, or hand in "${name}" again.`,
    )
  const playing = own.find(
    (each) => each.manifest.name === name && activePolicies(agents).get(each)?.includes(bits) === true,
  )
  return { name, agent: (playing ?? version).hash, isMeant: true }
}

const mayYetPlay = (inactive: StoredAgentVersion['inactive']): boolean =>
  inactive === undefined || inactive === 'candidate'

/** Adds an entrant. One that the educator has chosen before is the team's own agent. */
function addEntrant(content: Classroom, entry: ContestEntry, entrant: { name: EntrantId; agent: Sha256 }): void {
  const { description } = entry
  const names = description.entrants.map(({ name }) => name)
  const other = namesInUse(names).like(entrant.name)
  const isOwn =
    other === entrant.name &&
    entrant.agent !== NETWORK &&
    description.entrants.some(({ name, agent }) => name === other && ownsPackage(content, entrant.name, agent))
  if (isOwn) return
  if (other !== undefined)
    throw new ExpectedError('usage', 'name-taken', `There is an entrant "${other}" in "${description.title}" already.`)
  description.entrants = [...description.entrants, entrant]
  if (entrant.agent === NETWORK) checkConnecting(description, entry.arena)
  checkEntrants(content, description)
  checkPlayable(description)
}

const ownsPackage = ({ agents }: Classroom, name: EntrantId, agent: Sha256): boolean =>
  agents.some((each) => each.hash === agent && each.manifest.name === name)

function takeOut(entry: ContestEntry & Required<Pick<ContestEntry, 'registration'>>, gone: Registered): void {
  const { registration, description } = entry
  registration.entries = registration.entries.filter((each) => each !== gone)
  if (gone.plays) description.entrants = description.entrants.filter(({ name }) => name !== gone.entrant)
}

/** Throws ExpectedError 'usage' if there are too few entrants, or too many, for the format. */
function checkPlayable(description: ContestDescription): void {
  const fault =
    description.entrants.length === 0
      ? 'A contest needs an entrant.'
      : scheduleFault(description, gameContests(description))
  if (fault !== null) throw new ExpectedError('usage', 'schedule-invalid', fault)
}

const closed = (message: string): ExpectedError => new ExpectedError('usage', 'registration-closed', message)
