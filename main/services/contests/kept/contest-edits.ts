import { existsSync } from 'node:fs'
import type { ClassFolder } from '../../../administrator/classroom/classroom.ts'
import type { Classroom, ContestEntry } from '../../../contract/procedures/classroom.ts'
import type { ContestDescription } from '../../../contract/contests/contests.ts'
import type { ContestId, EntrantId, Sha256 } from '../../../contract/ids.ts'
import { policyName, policyOf, type Bounty } from '../../../contract/contests/policy.ts'
import type { Deadline } from '../../../contract/people/closing-time.ts'
import { hasReceipt, withRules, type HandInRulesChange } from '../../../contract/people/hand-in.ts'
import type { TeamId } from '../../../contract/people/teams.ts'
import { didYouMean } from '../../../contract/near-miss.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { canonicalText } from '../../../histories/canonical.ts'
import { newNonce } from '../../../histories/nonce.ts'
import { checkEntrants, newContest, withNewSettings, type NewContest } from '../descriptions/new-contest.ts'
import { ownEntrants } from '../../agents/entrant-agents.ts'
import { whyForeign } from '../../agents/foreign-scripts.ts'
import { withStatements } from '../../entries/stated-entrants.ts'
import { keepTexts, withReferences } from '../../texts/kept-texts.ts'
import {
  editEntry,
  entryOf,
  folderOf,
  noteComponents,
  withoutLateEntries,
  type KeptContests,
  type UntriedHandIn,
} from './kept-entries.ts'
import { leaveOutAbsent } from './registrations.ts'
import { playingVersion, versionsOf } from '../../../administrator/classroom/active-versions.ts'
import { whyNotOffered } from '../../../contract/players/toolchains.ts'
import { entriesUntilFor, lastEntries } from '../../../administrator/classroom/team-closing.ts'
import type { StoredAgentVersion } from '../../../contract/procedures/classroom.ts'

// Changes to the contests that a class keeps.

export async function addContest(
  kept: KeptContests,
  description: ContestDescription,
  more: Omit<NewContest, 'nonce' | 'now'>,
): Promise<ContestEntry> {
  const nonce = newNonce()
  await keepTexts(kept.home.folder, description)
  let id = ''
  await kept.home.change((content) => {
    id = newContest(content, kept.home.folder, description, { ...more, nonce, now: kept.now() })
  })
  await noteComponents(kept, id)
  return entryOf(kept, id)
}

export async function closeEntries(kept: KeptContests, id: ContestId, early: boolean): Promise<readonly EntrantId[]> {
  const { entriesUntil, state, description } = entryOf(kept, id)
  if (entriesUntil === undefined) return []
  let behind: readonly EntrantId[] = []
  if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
  const { folder, content: now } = kept.home
  checkMayClose(kept, id, early)
  const foreign = await foreignIn(
    folder,
    description,
    adaptedEntrants(versionsInTime(now, id, entriesUntil), description),
  )
  await kept.home.change((content) => {
    const found = content.contests.find((each) => each.id === id)
    if (found === undefined) return
    // Another hand-in may have arrived, or more time been granted, while packages were read.
    checkMayClose(kept, id, early)
    // An entrant plays with the version that it has if its newest one is a script of another game, or needs a toolchain that is not
    // offered.
    for (const version of content.agents)
      if (isCandidateFor(content, version, id, entriesUntil)) delete version.inactive
    const versions = versionsInTime(content, id, entriesUntil)
    leaveOutAbsent(found, versions)
    const adapted = adaptedEntrants(versions, found.description)
    const unfit = adapted.filter(
      (entrant) => foreign.has(entrant.agent) || lacksToolchain(content, found.description, entrant),
    )
    const entrants = adapted.map((entrant, at) => (unfit.includes(entrant) ? found.description.entrants[at]! : entrant))
    behind = unfit.filter((entrant) => entrants.every(({ agent }) => agent !== entrant.agent)).map(({ name }) => name)
    found.description = withStatements(content.agents, { ...found.description, entrants })
    checkEntrants(content, found.description)
    delete found.entriesUntil
  })
  // It was made with the entrants of the announcement; nothing has been played.
  kept.records.forget(id)
  await noteComponents(kept, id)
  return behind
}

/** True if the version of an entrant needs a toolchain that the contest does not offer. */
function lacksToolchain(
  { agents }: Pick<Classroom, 'agents'>,
  { toolchains }: ContestDescription,
  entrant: ContestDescription['entrants'][number],
): boolean {
  const manifest = versionsOf(agents, entrant)[0]?.manifest
  return toolchains !== undefined && manifest !== undefined && whyNotOffered(toolchains, manifest) !== null
}

/** Throws ExpectedError `too-early` if teams still have time, unless `early`, or hand-ins that may play have no verdict. */
function checkMayClose(kept: KeptContests, id: ContestId, early: boolean): void {
  const entries = openEntries(kept, id)
  if (entries === null) return
  if (!early && kept.now() < Date.parse(entries.until))
    throw new ExpectedError(
      'usage',
      'too-early',
      `Entries of ${id} may be adapted until ${entries.until}; it begins after that.`,
    )
  const left = entries.untried()
  if (left > 0)
    throw new ExpectedError(
      'usage',
      'too-early',
      `Hand-ins that may play in ${id} wait for their trial matches (${left}): its entries close after these.`,
    )
}

/**
 * True for a candidate that passed its trial and that a team handed in for a contest, or in time for no contest, while its agent is an
 * entrant.
 */
function isCandidateFor(content: Classroom, version: StoredAgentVersion, id: ContestId, entriesUntil: string): boolean {
  const { handIn, inactive, smoke } = version
  if (inactive !== 'candidate' || handIn === undefined || smoke?.ok !== true) return false
  if (handIn.contest !== null) return handIn.contest === id
  const { description } = content.contests.find((each) => each.id === id)!
  const isEntrant = ownEntrants(content, version.manifest.name, description.entrants).length > 0
  return isEntrant && isInTime(content, version, id, entriesUntil)
}

function isInTime(content: Classroom, version: StoredAgentVersion, id: ContestId, entriesUntil: string): boolean {
  const team = content.teams.find((each) => each.id === version.owner)
  const until = entriesUntilFor(content, { id, entriesUntil }, team)
  return Date.parse(version.submitted) <= Date.parse(until)
}

/**
 * The versions that count for a contest when its entries close, oldest first: those handed in until then, and those that a team handed
 * in for this contest within its extension or its late days. Such a candidate plays.
 */
function versionsInTime(content: Classroom, id: ContestId, entriesUntil: string): readonly StoredAgentVersion[] {
  return content.agents.flatMap((version) => {
    if (isCandidateFor(content, version, id, entriesUntil)) {
      const active = { ...version }
      delete active.inactive
      return [active]
    }
    const isIn = version.handIn?.contest === id && version.handIn.time !== 'kept'
    return isIn || isInTime(content, version, id, entriesUntil) ? [version] : []
  })
}

/** The entries of a contest that are not closed. */
export interface OpenEntries {
  /** The last closing time of the teams whose agents are entrants or may be registered yet. ISO 8601. An educator can close entries before. */
  readonly until: string
  /** The number of hand-ins that may play and whose trials are not over: entries are not closed while there are any. */
  untried(): number
}

/** The entries of a contest; null: they are closed, or were never open. */
export function openEntries(kept: KeptContests, id: ContestId): OpenEntries | null {
  const entry = entryOf(kept, id)
  const { entriesUntil, state } = entry
  if (entriesUntil === undefined || state !== 'open') return null
  const { content } = kept.home
  return {
    until: lastEntries(content, { ...entry, entriesUntil }),
    untried: () => kept.untried().filter((handIn) => mayCount(content, handIn, id, entriesUntil)).length,
  }
}

/** True if a hand-in without a verdict plays in a contest if it passes its trial. */
function mayCount(
  content: Classroom,
  { team: id, contest: given, game, at, receipt }: UntriedHandIn,
  contest: ContestId,
  entriesUntil: string,
): boolean {
  const { description } = content.contests.find((each) => each.id === contest)!
  const version =
    receipt === null ? undefined : content.agents.find(({ handIn: record }) => hasReceipt(record, receipt))
  const team = content.teams.find((each) => each.id === id)
  const until = entriesUntilFor(content, { id: contest, entriesUntil }, team)
  const inTime = at <= Date.parse(until)
  if (given === contest) {
    const late = content.deadlines.find((each) => each.contest === contest)?.late
    return version === undefined ? inTime || late === 'late-days' : version.handIn?.time !== 'kept'
  }
  if (given !== null || game !== description.game || !inTime) return false
  const names = version === undefined ? namesOfTeam(content, id) : [version.manifest.name]
  return names.some((name) => ownEntrants(content, name, description.entrants).length > 0)
}

const namesOfTeam = ({ agents }: Classroom, team: TeamId): readonly EntrantId[] =>
  agents.filter(({ owner }) => owner === team).map(({ manifest }) => manifest.name)

/**
 * Sets the deadline of a contest, in one write. Unless it has begun or repeats another one, its entries stay open until then. `closes`
 * null: it has none any more.
 */
export async function setDeadline(
  kept: KeptContests,
  { contest, closes, late }: Pick<Deadline, 'contest' | 'late'> & { readonly closes: string | null },
  rules: HandInRulesChange = {},
): Promise<void> {
  const { state, rerun, goesOn } = entryOf(kept, contest)
  const isAhead = state === 'open' && rerun === undefined && goesOn !== true && !existsSync(folderOf(kept, contest))
  await kept.home.change((content) => {
    const former = content.deadlines.find((each) => each.contest === contest)?.closes
    content.deadlines = content.deadlines.filter((each) => each.contest !== contest)
    if (closes !== null) content.deadlines.push({ contest, closes, late })
    content.handInRules = withRules(content.handInRules, rules)
    const entry = content.contests.find(({ id }) => id === contest)
    if (!isAhead || entry === undefined) return
    if (closes !== null) entry.entriesUntil = closes
    else if (former !== undefined && entry.entriesUntil === former) delete entry.entriesUntil
  })
}

/** The packages among these entrants that are scripts of another game, except for those that the contest has already. */
async function foreignIn(
  data: string,
  { game, entrants }: ContestDescription,
  adapted: ContestDescription['entrants'],
): Promise<ReadonlySet<Sha256>> {
  const foreign = new Set<Sha256>()
  for (const [at, { agent }] of adapted.entries()) {
    if (agent !== entrants[at]?.agent && (await whyForeign(data, agent, game)) !== null) foreign.add(agent)
  }
  return foreign
}

export async function awardBounty(kept: KeptContests, id: ContestId, bounty: Bounty): Promise<void> {
  const { description } = entryOf(kept, id)
  const policy = policyOf(description)
  if (!policy.administratorAttack) {
    throw new ExpectedError(
      'usage',
      'not-supported',
      `Under the policy "${policyName(policy)}" attacks on the administrator are not allowed, so there are no bounties.`,
    )
  }
  if (!description.entrants.some(({ name }) => name === bounty.agent)) {
    const names = description.entrants.map(({ name }) => name)
    const hint = didYouMean(bounty.agent, names)
    throw new ExpectedError(
      'usage',
      'entrant-unknown',
      `There is no entrant "${bounty.agent}" in the contest ${id}.${hint}`,
    )
  }
  return editEntry(kept, id, (found) => void (found.bounties = [...(found.bounties ?? []), bounty]))
}

export async function givePhrase(kept: KeptContests, id: ContestId, phrase: string): Promise<void> {
  const { description, phrase: given, state } = entryOf(kept, id)
  if (given === phrase) return
  if (description.classPhrase !== true)
    throw new ExpectedError(
      'usage',
      'phrase-not-expected',
      `The contest ${id} asks for no phrase: "classPhrase" is not set in it.`,
    )
  if (given !== undefined)
    throw new ExpectedError('usage', 'phrase-given', `The phrase of ${id} is given already: "${given}".`)
  if (state !== 'open') throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${state}.`)
  await editEntry(kept, id, (found) => void (found.phrase = phrase))
  // It was made with the seed alone; nothing has been played.
  kept.records.forget(id)
}

export async function keepGoing(kept: KeptContests, id: ContestId, goesOn: boolean): Promise<void> {
  if ((entryOf(kept, id).goesOn ?? false) === goesOn) return
  await editEntry(kept, id, (found) => {
    if (goesOn) found.goesOn = true
    else delete found.goesOn
  })
}

export function settle(kept: KeptContests, id: ContestId, state: 'ended' | 'cancelled'): Promise<void> {
  return editEntry(kept, id, (found) => {
    if (found.state !== 'open')
      throw new ExpectedError('usage', 'contest-over', `The contest ${id} is already ${found.state}.`)
    found.state = state
    if (state === 'ended') found.ended = new Date(kept.now()).toISOString()
  })
}

/**
 * Marks contests that were rebuilt from their histories as ended if all of their matches are there, and notes the components of
 * their entrants, which their packages still name.
 */
export async function settleRebuilt(kept: KeptContests): Promise<void> {
  for (const { id, rebuilt, state, components } of kept.home.content.contests) {
    if (rebuilt === undefined) continue
    if (components === undefined) await noteComponents(kept, id)
    if (state !== 'cancelled') continue
    // One whose histories are damaged shows that where it is looked at.
    const record = await kept.records.get(id).catch(() => null)
    if (record !== null && record.done === record.total)
      await editEntry(kept, id, (found) => void (found.state = 'ended'))
  }
}

/** Throws ExpectedError 'conflict' if a contest with this description cannot go on because its seed is lost. */
export function checkNotRebuilt({ home }: KeptContests, description: ContestDescription): void {
  const text = withoutSeed(withStatements(home.content.agents, description))
  const same = home.content.contests.findLast(
    (each) =>
      each.rebuilt !== undefined && each.state === 'cancelled' && withoutSeed(withoutLateEntries(each)) === text,
  )
  if (same === undefined) return
  throw new ExpectedError(
    'conflict',
    'seed-lost',
    `The contest ${same.id} is the same. It was rebuilt from its histories, without its seed, so that it cannot go on: --again plays it from the beginning.`,
  )
}

const withoutSeed = (description: ContestDescription): string =>
  canonicalText(withNewSettings(withReferences({ ...description, seed: '' })))

/** Says what was recovered when a data folder was opened, and settles the contests that were. */
export async function reportRecovery(
  { notices }: Pick<ClassFolder, 'notices'>,
  contests: { settleRebuilt(): Promise<void> },
  { onNotice }: { onNotice(text: string): void },
): Promise<void> {
  for (const notice of notices) onNotice(notice)
  await contests.settleRebuilt()
}

/**
 * The entrants of a contest with the versions of their agents that are active among these; those that the class does not have stay as
 * they are. `agents`: oldest first.
 */
export function adaptedEntrants(
  agents: readonly StoredAgentVersion[],
  description: ContestDescription,
): ContestDescription['entrants'] {
  return description.entrants.map((entrant) => {
    const { hash: agent = entrant.agent } = playingVersion(agents, description, entrant) ?? {}
    return { ...entrant, agent }
  })
}
