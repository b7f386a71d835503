import { randomInt } from 'node:crypto'
import { teamOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { Registered } from '../../contract/contests/registration.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { freeName, nameKey, searchKey } from '../../contract/names.ts'
import { namesState } from '../../contract/people/locked-names.ts'
import {
  isPseudonymous,
  namedIn,
  needsPseudonym,
  ownNameOf,
  pseudonymWords,
  wordsOfPeople,
} from '../../contract/people/pseudonyms.ts'
import type { Person, PersonId } from '../../contract/people/people.ts'
import { NETWORK } from '../../contract/players/agents.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

const oneOf = (words: readonly string[]): string => words[randomInt(words.length)]!

/** The draws before free names are looked for one by one: there are few of them then. */
const DRAWS = 64

type Named = Pick<Classroom, 'teams' | 'agents' | 'components'>
type Nameable = Named & Pick<Classroom, 'people' | 'names'>

/** The public names that teams, agents and authors of a class have or had, in the form in which names are compared. */
function namesTaken({ teams, agents, components }: Named): Set<string> {
  return new Set(
    [
      ...teams.flatMap(({ name, formerly = [] }) => [name, ...formerly]),
      ...agents.flatMap(({ manifest, formerly = [] }) => [manifest.name, teamOf(manifest), ...formerly]),
      ...components.map(({ author }) => author),
    ].map(nameKey),
  )
}

/** Draws public names of teams and their agents, each of them once. */
interface Drawing {
  /** A name that no team, agent or author has or had, without words of the roster. With a number only if all others are taken. */
  forTeam(): EntrantId
  /** The public name of a team's next new agent: the team's own, or with the first number that nobody has. */
  forAgent(team: Pick<Team, 'name'>): EntrantId
}

function drawing(content: Nameable): Drawing {
  const taken = namesTaken(content)
  const ofAgents = new Set(
    content.agents.flatMap(({ manifest, formerly = [] }) => [manifest.name, ...formerly]).map(nameKey),
  )
  const people = wordsOfPeople(content.people)
  const drawn = namesState(content) === 'locked' ? content.names?.drawn : undefined
  const without = (words: readonly string[]): readonly string[] => {
    const free = words.filter((word) => !people.has(searchKey(word)) && drawn?.includes(word) !== false)
    return free.length > 0 ? free : words
  }
  const [a, b] = [without(pseudonymWords[0]), without(pseudonymWords[1])]
  const draw = (): string => `${oneOf(a)} ${oneOf(b)}`
  const isTaken = (name: string): boolean => taken.has(nameKey(name))
  const free = (): EntrantId => {
    for (let number = 0; number < DRAWS; number++) {
      const name = draw()
      if (!isTaken(name)) return name
    }
    const left = a.flatMap((one) => b.map((other) => `${one} ${other}`)).filter((name) => !isTaken(name))
    return left.length > 0 ? oneOf(left) : freeName(draw(), isTaken)
  }
  const keep = (name: EntrantId): EntrantId => {
    taken.add(nameKey(name))
    return name
  }
  return {
    forTeam: () => keep(free()),
    forAgent({ name: team }) {
      const own = nameKey(team)
      const name = freeName(team, (each) => ofAgents.has(nameKey(each)) || (nameKey(each) !== own && isTaken(each)))
      ofAgents.add(nameKey(name))
      return keep(name)
    },
  }
}

/** See `Drawing`. */
export const drawPseudonym = (content: Nameable): EntrantId => drawing(content).forTeam()

/** See `Drawing`. */
export const agentPseudonym = (content: Nameable, team: Pick<Team, 'name'>): EntrantId =>
  drawing(content).forAgent(team)

/** True for the names of the agents of a team under a pseudonym. */
const isNameOf = ({ name: team }: Pick<Team, 'name'>, name: EntrantId): boolean =>
  name === team || (name.startsWith(`${team} `) && /^\d+$/.test(name.slice(team.length + 1)))

/**
 * Renames an agent of a team, or its agent on machines of its own, in the contests that have not begun and in their registrations: nothing of them is
 * signed so far.
 */
function renameEntrants(
  { contests, agents }: Pick<Classroom, 'contests' | 'agents'>,
  { id: owner }: Pick<Team, 'id'>,
  kind: Registered['kind'],
  { from, to }: { readonly from: EntrantId; readonly to: EntrantId },
): void {
  const own = new Set(agents.filter((each) => each.owner === owner).map(({ hash }) => hash))
  for (const { state, entriesUntil, registration, description } of contests) {
    if (state !== 'open' || entriesUntil === undefined) continue
    const registered = (registration?.entries ?? []).filter(
      (each) => each.team === owner && each.kind === kind && each.entrant === from,
    )
    for (const each of registered) each.entrant = to
    description.entrants = description.entrants.map((each) => {
      const isMeant = kind === 'agent' ? own.has(each.agent) : each.agent === NETWORK && registered.length > 0
      return each.name === from && isMeant ? { ...each, name: to } : each
    })
  }
}

/** Gives a team another public name, and with it its agents and components. Histories and receipts keep the former one. */
export function namePublicly(content: Classroom, team: Team, name: EntrantId): void {
  // Agents of the team's own machines play under its name.
  renameEntrants(content, team, 'network', { from: team.name, to: name })
  team.name = name
  // Standings by team go by the name that an agent has.
  for (const version of content.agents) if (version.owner === team.id) version.manifest.team = name
  // Shares go to the team by the name of the author.
  for (const component of content.components) if (component.owner === team.id) component.author = name
}

/** True for a team of which nobody is left and somebody is erased: its own name went with them, and its public one stays. */
const isErased = ({ people }: Pick<Classroom, 'people'>, { members, former = [] }: Team): boolean =>
  members.length === 0 && people.some(({ id, erased }) => erased !== undefined && former.includes(id))

/**
 * Gives pseudonyms to all teams that need one and have none, and to those of their agents that never had one, also if they came in while the team
 * got its own. Agents that staff renamed since keep their names.
 */
export function givePseudonyms(content: Classroom): void {
  const drawn = drawing(content)
  const owned = Map.groupBy(content.agents, ({ owner }) => owner)
  for (const team of content.teams) {
    if (team.called === undefined) {
      if (!needsPseudonym(content, team.members) || isErased(content, team)) continue
      team.called = team.name
      namePublicly(content, team, drawn.forTeam())
    }
    const agents = Map.groupBy(owned.get(team.id) ?? [], ({ manifest }) => manifest.name)
    for (const [name, versions] of agents) {
      for (const { manifest } of versions) manifest.team = team.name
      const names = [name, ...versions.flatMap(({ formerly = [] }) => formerly)]
      if (names.some((each) => isNameOf(team, each))) continue
      const to = drawn.forAgent(team)
      renameEntrants(content, team, 'agent', { from: name, to })
      for (const version of versions) {
        version.manifest.name = to
        version.formerly = [...(version.formerly ?? []), name]
      }
    }
  }
}

/** Lets all students of a class appear under pseudonyms from now on, or no longer: then teams keep theirs until they are renamed. */
export async function setPseudonyms(home: Pick<ClassFolder, 'change'>, areUsed: boolean): Promise<void> {
  await home.change((content) => {
    content.settings.pseudonyms = areUsed
    givePseudonyms(content)
  })
}

/** Lets a student appear under a pseudonym from now on, or no longer. Throws ExpectedError 'usage' if they are not a student of the class. */
export async function wishPseudonym(home: Pick<ClassFolder, 'change'>, id: PersonId, isWished: boolean): Promise<void> {
  await home.change((content) => {
    const person = content.people.find((each) => each.id === id && each.removed === undefined)
    if (person?.role !== 'student')
      throw new ExpectedError('usage', 'person-unknown', 'Only students of the class appear under pseudonyms.')
    if (isWished) person.pseudonym = true
    else delete person.pseudonym
    givePseudonyms(content)
  })
}

/** The writer of texts that become public. `own`: the writer, or the members of the team that is named. */
interface Writer {
  readonly isStaff: boolean
  readonly own: readonly PersonId[]
}

/**
 * Throws ExpectedError 'usage' if a text that becomes public names somebody who appears under a pseudonym. Students learn nothing about others
 * by trying: texts of theirs name no other student, whoever has a pseudonym, and nobody's identifiers are looked for in them but their own.
 */
export function checkNamesNobody(
  content: Pick<Classroom, 'settings' | 'people'>,
  texts: readonly string[],
  { isStaff, own }: Writer,
): void {
  const students = content.people.filter(({ role, erased }) => role === 'student' && erased === undefined)
  const hidden = students.filter((person) => isPseudonymous(content, person))
  if (hidden.length === 0) return
  const isOwn = ({ id }: Pick<Person, 'id'>): boolean => own.includes(id)
  const others = students.filter((person) => !isOwn(person)).map((person) => ({ ...person, ids: {} }))
  const named = namedIn(isStaff ? hidden : [...hidden.filter(isOwn), ...others], texts)
  if (named !== undefined)
    throw new ExpectedError(
      'usage',
      'person-named',
      `This would become public, and "${named}" may name somebody who appears under a pseudonym: leave names, addresses and numbers out.`,
    )
}

/** A line of the mapping, which is for staff alone. */
export interface PseudonymLine {
  readonly pseudonym: EntrantId
  readonly team: string
  readonly members: readonly string[]
}

/** The teams that appear under pseudonyms, by pseudonym. */
export function pseudonymsOf({ teams, people }: Pick<Classroom, 'teams' | 'people'>): readonly PseudonymLine[] {
  const names = new Map(people.map(({ id, name }) => [id, name]))
  return teams
    .filter(({ called }) => called !== undefined)
    .map((team) => ({
      ...{ pseudonym: team.name, team: ownNameOf(team) },
      members: [...team.members, ...(team.former ?? [])].map((id) => names.get(id) ?? id),
    }))
    .toSorted((a, b) => a.pseudonym.localeCompare(b.pseudonym))
}
