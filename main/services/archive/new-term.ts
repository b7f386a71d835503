import { copyFile, cp, lstat, mkdir } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { activePolicies } from '../../administrator/classroom/active-versions.ts'
import { isStored, storeAgent, storedAgentFile, storedAgentKind } from '../../administrator/classroom/agents.ts'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { gradebookIfReadable, schemeAlone, writeGradebook } from '../../administrator/classroom/gradebook-file.ts'
import { PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import { isMeantFor, policyOf } from '../../contract/contests/policy.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId, GameId, Sha256 } from '../../contract/ids.ts'
import { freeName, nameKey, numberedName } from '../../contract/names.ts'
import type { Classroom, ContestEntry, StoredAgentVersion } from '../../contract/procedures/classroom.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { keyText } from '../../histories/keys.ts'
import { newNonce } from '../../histories/nonce.ts'
import { shippedAgents } from '../agents/opponents.ts'
import { hasPerson, newContest } from '../contests/descriptions/new-contest.ts'
import { sampleTitles } from '../contests/descriptions/sample-class.ts'
import { requireDataFolder } from '../machine/existing-class.ts'
import { dayOf, movedTime, type Move } from './moved-dates.ts'
import { inNewFolder } from './new-folder.ts'

export interface NewTermOptions {
  /** The name of the new class; absent: that of the old one. */
  readonly name?: string
  /** The first day of the new term, such as 2027-02-22; null: today. */
  readonly firstDay: string | null
  /** True: the newest active version of each team's agent plays on, as an agent of the educator. */
  readonly oldAgents: boolean
  /** ms since the epoch. */
  readonly now: number
  /** The time zone of the machine, for a class that has set none. */
  readonly zone: string
}

/** A contest of the new term. */
interface PlannedContest {
  readonly id: string
  readonly title: string
  /** Until when teams register and hand in, ISO 8601. */
  readonly closes: string
  /** True: that is past already, so nobody can register. */
  readonly isOver: boolean
}

interface NewTerm {
  readonly contests: readonly PlannedContest[]
  /** The names of the agents that the new class has. */
  readonly agents: readonly string[]
  /** A sentence for each contest that is not planned again, and for a scheme of grades that cannot be read. */
  readonly leftOut: readonly string[]
}

/**
 * Makes a class for a new term from an old one, which is only read: its settings, challenges, texts, scheme of grades and contests, with their times moved, and agents of
 * the house; no people, no results, and a key of its own. Histories of the old class are genuine in the new one. Throws ExpectedError and MachineError; then
 * nothing is made.
 */
export async function newTerm(from: string, data: string, options: NewTermOptions): Promise<NewTerm> {
  requireDataFolder(from)
  const { content: old, fresh } = await loadClass(from)
  if (fresh) throw new ExpectedError('usage', 'data-folder-unknown', `The folder ${from} has no class.`)
  const zone = old.settings.timeZone || options.zone
  const today = dayOf(new Date(options.now).toISOString(), zone)
  const all = plannedOf(old)
  const move: Move = {
    from: firstDayOf(old, all.kept, { zone, now: options.now }) ?? today,
    to: options.firstDay ?? today,
    zone,
  }
  const plans = withoutEarlier(old, all, move)
  return inNewFolder(data, async (growing) => {
    const gradebook = await gradebookIfReadable(from)
    if (gradebook !== null && gradebook.scheme !== '') await writeGradebook(growing, schemeAlone(gradebook))
    for (const name of ['challenges', 'texts']) await copyPlain(join(from, name), join(growing, name))
    const agents = old.agents.filter(({ hash }) => isStored(from, hash))
    const house = houseAgents({ ...old, agents }, options.oldAgents)
    for (const { version } of house.values()) await copyAgent(from, growing, version.hash)
    const babies = await storeBabies(growing, [
      ...plans.kept.map(({ description }) => description.game),
      ...old.recurring.map(({ description }) => description.game),
    ])
    const home = await openClassFolder(growing)
    try {
      const contests: PlannedContest[] = []
      await home.change((content) => {
        const school = options.name ?? old.settings.school
        content.settings = { ...settingsFor(from, old, move), school, kitGiven: false }
        content.handInRules = structuredClone(old.handInRules)
        content.agents.push(...[...house.values()].map(({ version }) => version))
        for (const entry of plans.kept) {
          const entrants = entrantsOf(entry.description, house, babies)
          contests.push(
            plan(
              content,
              growing,
              { ...entry, description: { ...entry.description, entrants } },
              old,
              move,
              options.now,
            ),
          )
        }
        for (const recurring of old.recurring) {
          if (recurring.entrants !== 'all') continue
          const entrants = entrantsOf(recurring.description, house, babies)
          const description = { ...recurring.description, entrants, seed: newNonce().slice(0, 16) }
          content.recurring.push({
            ...recurring,
            description,
            until: new Date(options.now).toISOString(),
            paused: true,
            skipped: [],
          })
        }
      })
      const listed = old.recurring.filter(({ entrants }) => entrants === 'listed')
      return {
        contests,
        agents: [...new Set(home.content.agents.map(({ manifest }) => manifest.name))].sort(),
        leftOut: [
          ...(gradebook === null ? ['The scheme of grades: gradebook.json of the old class cannot be read.'] : []),
          ...plans.leftOut,
          ...listed.map(({ description }) => `${description.title}: it recurs with chosen agents.`),
        ],
      }
    } finally {
      await home.close()
    }
  })
}

/** The contests that a new term has again, oldest first, and sentences about the others. */
interface Plans {
  readonly kept: readonly ContestEntry[]
  readonly leftOut: readonly string[]
}

/** Leaves out the contests of terms before the old one: they would be over before the new term begins. */
function withoutEarlier(old: Classroom, { kept, leftOut }: Plans, { from, zone }: Move): Plans {
  if (!old.settings.terms.some((term) => dayOf(term.from, zone) < from)) return { kept, leftOut }
  const isEarlier = (entry: ContestEntry): boolean => dayOf(timeOf(entry, old) ?? entry.added ?? from, zone) < from
  const earlier = kept
    .filter(isEarlier)
    .map(({ description }) => `${description.title}: it belongs to an earlier term.`)
  return { kept: kept.filter((entry) => !isEarlier(entry)), leftOut: [...leftOut, ...earlier] }
}

function plannedOf({ contests }: Classroom): Plans {
  const kept: ContestEntry[] = []
  const leftOut: string[] = []
  for (const entry of contests) {
    const { title, phase, practice } = entry.description
    // They belong to a team, to a recurring contest, or to the sample class.
    const isOfItself = entry.practiceOf !== undefined || entry.recurring !== undefined || sampleTitles.has(title)
    if (isOfItself || practice === true || entry.rerun !== undefined) continue
    const why =
      phase !== undefined
        ? 'it is a later phase, which is added when the first one has ended'
        : hasPerson(entry.description)
          ? 'a person played in it'
          : entry.rebuilt !== undefined
            ? 'its description was rebuilt from its histories'
            : null
    if (why === null) kept.push(entry)
    else leftOut.push(`${title}: ${why}.`)
  }
  return { kept, leftOut }
}

/** The time by which a contest is planned. */
const timeOf = (entry: ContestEntry, { deadlines }: Classroom): string | undefined =>
  deadlines.find(({ contest }) => contest === entry.id)?.closes ?? entry.entriesUntil ?? entry.ended ?? entry.added

/** The first day of the old term: that of the last term that has begun, since the coming one may be entered already, or the day of its first contest. */
function firstDayOf(
  old: Classroom,
  kept: readonly ContestEntry[],
  { zone, now }: { readonly zone: string; readonly now: number },
): string | undefined {
  const terms = old.settings.terms.map(({ from }) => from).sort()
  const times = kept.flatMap((entry) => timeOf(entry, old) ?? []).map((time) => new Date(time).toISOString())
  const first = terms.findLast((from) => Date.parse(from) <= now) ?? terms.at(-1) ?? times.sort()[0]
  return first === undefined ? undefined : dayOf(first, zone)
}

function settingsFor(from: string, { settings }: Classroom, { to }: Move): Classroom['settings'] {
  // Copies of two classes belong in two folders.
  const copied = { ...structuredClone(settings), terms: [], backups: { folder: '', everyHours: 0 } }
  const read = readPublicKey(join(from, 'keys', 'class.pub'))
  const key = read.ok ? keyText(read.key) : null
  if (key === null || copied.trustedKeys.some((known) => known.key === key)) return copied
  const taken = new Set(copied.trustedKeys.map(({ name }) => nameKey(name)))
  const name = freeName(`The class before ${to}`, (each) => taken.has(nameKey(each)))
  return { ...copied, trustedKeys: [...copied.trustedKeys, { name, key }] }
}

/** An agent of the house under its new name. */
interface House {
  readonly version: StoredAgentVersion
  /** Its former names in the old class, under which it may have played. */
  readonly formerly: readonly EntrantId[]
}

/** The agents that the new class has, by their names in the old one: those of the educator, and with `all` those of teams under new names. */
function houseAgents({ agents }: Classroom, all: boolean): ReadonlyMap<EntrantId, House> {
  const active = activePolicies(agents)
  const house = new Map<EntrantId, House>()
  const taken = new Set<string>()
  const newest = agents.filter(
    ({ manifest, entry }) => entry === undefined && ['script', 'program'].includes(manifest.kind),
  )
  const add = (version: StoredAgentVersion, wanted: string): void => {
    const manifest = { ...version.manifest }
    delete manifest.team
    const name = freeName(wanted, (each) => taken.has(nameKey(each)))
    taken.add(nameKey(name))
    const { hash, submitted, smoke } = version
    house.set(version.manifest.name, {
      version: { hash, number: 1, manifest: { ...manifest, name }, submitted, smoke },
      formerly: version.formerly ?? [],
    })
  }
  const isOwn = ({ owner, manifest }: StoredAgentVersion): boolean => owner === undefined && manifest.team === undefined
  const last = (versions: readonly StoredAgentVersion[]): readonly StoredAgentVersion[] => [
    ...new Map(versions.map((version) => [version.manifest.name, version])).values(),
  ]
  for (const version of last(newest.filter(isOwn))) add(version, version.manifest.name)
  if (!all) return house
  const playing = newest.filter((version) => !isOwn(version) && (active.get(version)?.length ?? 0) > 0)
  for (const version of last(playing))
    add(version, numberedName(version.manifest.name, ` ${version.submitted.slice(0, 4)}`))
  return house
}

/** The agents of the house among the entrants that are meant for the contest's policy; if there are none, the baby of the game. */
function entrantsOf(
  description: ContestDescription,
  house: ReadonlyMap<EntrantId, House>,
  babies: ReadonlyMap<GameId, { readonly name: string; readonly agent: Sha256 }>,
): ContestDescription['entrants'] {
  const { game, entrants } = description
  const policy = policyOf(description)
  const kept = entrants.flatMap(({ name }) => {
    const renamed = [...house.values()].find(({ formerly }) => formerly.includes(name))
    const version = (house.get(name) ?? renamed)?.version
    // A later version than the one that played may be meant for other policies.
    const plays = version?.manifest.game === game && isMeantFor(version.manifest.policies ?? ['***'], policy)
    return plays ? [{ name: version.manifest.name, agent: version.hash }] : []
  })
  const baby = babies.get(game)
  return kept.length > 0 || baby === undefined ? kept : [{ ...baby }]
}

async function storeBabies(
  data: string,
  games: readonly GameId[],
): Promise<ReadonlyMap<GameId, { readonly name: string; readonly agent: Sha256 }>> {
  const babies = new Map<GameId, { readonly name: string; readonly agent: Sha256 }>()
  for (const game of new Set(games)) {
    const shipped = await shippedAgents(game)
    const baby = shipped.find(({ name }) => name === 'baby') ?? shipped[0]
    if (baby === undefined) continue
    const { agent } = await storeAgent(data, { kind: 'script', bytes: await baby.read() })
    babies.set(game, { name: baby.name, agent })
  }
  return babies
}

/** Adds a contest for which teams register until its moved time. */
function plan(
  content: Classroom,
  data: string,
  { id: before, description, registration, ...entry }: ContestEntry,
  old: Classroom,
  move: Move,
  now: number,
): PlannedContest {
  const { late = 'closed' } = old.deadlines.find(({ contest }) => contest === before) ?? {}
  const closes = movedTime(timeOf({ id: before, description, ...entry }, old) ?? new Date(now).toISOString(), move)
  const seed = newNonce().slice(0, 16)
  const id = newContest(content, data, { ...description, seed }, { nonce: newNonce(), now, entriesUntil: closes })
  content.deadlines.push({ contest: id, closes, late })
  const { agentsATeam = 1, network = false } = registration ?? {}
  const added = content.contests.find((each) => each.id === id)
  if (added !== undefined) added.registration = { agentsATeam, network, entries: [] }
  return { id, title: description.title, closes, isOver: Date.parse(closes) <= now }
}

async function copyAgent(from: string, to: string, agent: Sha256): Promise<void> {
  const kind = storedAgentKind(from, agent)
  await mkdir(join(to, 'agents'), { recursive: true, mode: PRIVATE_FOLDER })
  await copyFile(storedAgentFile(from, agent, kind), storedAgentFile(to, agent, kind))
}

/** Copies the files and folders of a folder, if it exists; links are left out. */
async function copyPlain(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  await cp(from, to, {
    recursive: true,
    filter: async (path) => {
      const found = await lstat(path)
      return found.isFile() || found.isDirectory()
    },
  })
}
