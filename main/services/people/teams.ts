import { randomBytes, randomInt } from 'node:crypto'
import { teamOf } from '../../administrator/classroom/active-versions.ts'
import { namesAreLocked } from '../../administrator/classroom/name-lock.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { namesInUse } from '../../contract/look-alike-names.ts'
import { nameKey } from '../../contract/names.ts'
import { lockedTeam } from '../../contract/people/locked-names.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { TeamView } from '../../contract/people/team-procedures.ts'
import { needsPseudonym } from '../../contract/people/pseudonyms.ts'
import { TEAM_MEMBERS_MAX, TEAMS_MAX, type Team, type TeamId } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { checkNamesNobody, drawPseudonym, givePseudonyms, namePublicly } from '../pseudonyms/pseudonyms.ts'

// The teams of a class. A student is in one at most; a team without members is dissolved, and keeps its agents and receipts.

type Home = Pick<ClassFolder, 'content' | 'change'>

/** The team of a person; undefined: they are in none. */
export function teamWith({ teams }: Pick<Classroom, 'teams'>, person: PersonId | null): Team | undefined {
  return person === null ? undefined : teams.find(({ members }) => members.includes(person))
}

/** Throws ExpectedError 'usage' if there is no such team. */
export function teamNumbered({ teams }: Pick<Classroom, 'teams'>, id: TeamId): Team {
  const team = teams.find((each) => each.id === id)
  if (team === undefined) throw new ExpectedError('usage', 'team-unknown', 'There is no such team.')
  return team
}

/** The team of a person. Throws ExpectedError 'usage' if they are in none. */
export function requireTeam(content: Pick<Classroom, 'teams'>, person: PersonId | null): Team {
  const team = teamWith(content, person)
  if (team === undefined) throw new ExpectedError('usage', 'team-needed', 'You are in no team: form or join one first.')
  return team
}

/** A team as its members and educators see it. */
export function teamView({ people }: Pick<Classroom, 'people'>, team: Team): TeamView {
  const { id, name, called, members, invitation = null } = team
  return {
    ...{ id, name, invitation },
    ...(called === undefined ? {} : { called }),
    members: members.map((person) => ({ person, name: people.find((each) => each.id === person)?.name ?? '' })),
  }
}

/** Forms a team with one member. Throws ExpectedError 'usage' if they are in a team or the name is taken. */
export async function formTeam(home: Home, name: EntrantId, person: PersonId, now: Date): Promise<Team> {
  const id = randomBytes(8).toString('hex')
  await home.change((content) => {
    checkFreeOf(content, person)
    checkNumber(content)
    content.teams.push({ id, ...namesOf(content, name, [person], false), members: [person], formed: now.toISOString() })
  })
  return teamNumbered(home.content, id)
}

/** Throws ExpectedError 'usage' if the class can have no more teams; those that are dissolved do not count. */
function checkNumber({ teams }: Pick<Classroom, 'teams'>): void {
  if (teams.filter(isLive).length >= TEAMS_MAX)
    throw new ExpectedError('usage', 'limit-reached', `A class has at most ${TEAMS_MAX} teams.`)
}

/** Digits and letters that nobody takes for one another. */
const CODE_CHARACTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** Makes a new code for joining a team. */
export async function inviteTo(home: Home, person: PersonId | null): Promise<string> {
  const code = newInvitation()
  await home.change((content) => void (requireTeam(content, person).invitation = code))
  return code
}

function newInvitation(): string {
  return Array.from({ length: 10 }, () => CODE_CHARACTERS[randomInt(CODE_CHARACTERS.length)]).join('')
}

/** Lets a person into the team with an invitation. Throws ExpectedError 'usage' if no team has it, or they cannot join. */
export async function joinTeam(home: Home, invitation: string, person: PersonId, now: Date): Promise<Team> {
  await home.change((content) => {
    const team = content.teams.find((each) => each.invitation === invitation)
    if (team === undefined)
      throw new ExpectedError(
        'usage',
        'team-unknown',
        'No team has this invitation: ask its members for their newest one.',
      )
    checkFreeOf(content, person)
    if (team.members.length >= TEAM_MEMBERS_MAX)
      throw new ExpectedError('usage', 'team-refused', `The team has its maximum of ${TEAM_MEMBERS_MAX} members.`)
    addMembers(team, [person], now)
    givePseudonyms(content)
  })
  return requireTeam(home.content, person)
}

/**
 * Takes a person out of their team. A team that is dissolved by that and has left no trace is removed, so that its name is free again.
 * `handedIn`: true if the team has handed something in.
 */
export async function leaveTeam(home: Home, person: PersonId | null, handedIn: (team: Team) => boolean): Promise<void> {
  await home.change((content) => {
    const team = requireTeam(content, person)
    removeMember(team, person)
    if (isLive(team) || handedIn(team) || isNamed(content, team)) return
    content.teams = content.teams.filter(({ id }) => id !== team.id)
  })
}

/** True if something of the class belongs to a team. */
function isNamed({ agents, components, extensions }: Classroom, { id }: Team): boolean {
  const isOwn = ({ owner }: { readonly owner?: TeamId | undefined }): boolean => owner === id
  return (
    agents.some(isOwn) || components.some(isOwn) || extensions.some(({ of }) => of.who === 'team' && of.team === id)
  )
}

/** Renames a team and its agents' team; histories and receipts keep the former name. One under a pseudonym keeps that. */
export async function renameTeam(home: Home, id: TeamId, name: EntrantId): Promise<void> {
  await home.change((content) => nameTeam(content, teamNumbered(content, id), name, false))
}

/** Sets name and members of a team. `id` null: a new one. Its members leave the teams in which they are. */
export async function changeTeam(
  home: Home,
  {
    team: id,
    name,
    members,
  }: { readonly team: TeamId | null; readonly name: EntrantId; readonly members: readonly PersonId[] },
  now: Date,
): Promise<Team> {
  const changed = id ?? randomBytes(8).toString('hex')
  await home.change((content) => {
    for (const person of members) {
      const found = content.people.find((each) => each.id === person)
      if (found?.role !== 'student' || found.removed !== undefined)
        throw new ExpectedError('usage', 'person-unknown', 'A member of the team is not a student of the class.')
    }
    for (const team of content.teams) if (team.id !== changed) for (const person of members) removeMember(team, person)
    if (id === null) {
      if (members.length === 0) throw new ExpectedError('usage', 'team-refused', 'A new team has at least one member.')
      checkNumber(content)
      const named = namesOf(content, name, members, true)
      content.teams.push({ id: changed, ...named, members: [...new Set(members)], formed: now.toISOString() })
    } else {
      const team = teamNumbered(content, id)
      nameTeam(content, team, name, true)
      for (const person of team.members) if (!members.includes(person)) removeMember(team, person)
      addMembers(team, members, now)
      team.members = [...new Set(members)]
      givePseudonyms(content)
    }
  })
  return teamNumbered(home.content, changed)
}

/** Removes people from their teams who are not students of the class any more: they have left it, or have another role. */
export function removeGoneMembers({ people, teams }: Pick<Classroom, 'people' | 'teams'>): void {
  const students = new Set(
    people.filter(({ role, removed }) => role === 'student' && removed === undefined).map(({ id }) => id),
  )
  for (const team of teams) for (const person of team.members) if (!students.has(person)) removeMember(team, person)
}

/** False: the team is dissolved. Its agents and receipts stay; nobody hands in for it any more. */
export const isLive = ({ members }: Pick<Team, 'members'>): boolean => members.length > 0

/** Throws ExpectedError 'usage' if a team is dissolved. */
export function requireLive(team: Team): Team {
  if (!isLive(team))
    throw new ExpectedError(
      'usage',
      'team-unknown',
      `The team "${team.name}" is dissolved: it has no members any more.`,
    )
  return team
}

/** Lets people into a team, with the time: their extensions of deadlines that are over stay behind. Members stay as they are. */
function addMembers(team: Team, people: readonly PersonId[], now: Date): void {
  for (const person of people) {
    if (team.members.includes(person)) continue
    team.members.push(person)
    keepFormer(
      team,
      (team.former ?? []).filter((each) => each !== person),
    )
    team.joined = { ...team.joined, [person]: now.toISOString() }
  }
}

/** Takes somebody out of a team. They know its invitation, so that it has another from then on. */
function removeMember(team: Team, person: PersonId | null): void {
  if (person === null || !team.members.includes(person)) return
  team.members = team.members.filter((each) => each !== person)
  keepFormer(team, [...(team.former ?? []), person])
  const joined = Object.entries(team.joined ?? {}).filter(([each]) => each !== person)
  if (joined.length > 0) team.joined = Object.fromEntries(joined)
  else delete team.joined
  // Nobody joins a team that is dissolved.
  if (team.members.length === 0) delete team.invitation
  else if (team.invitation !== undefined) team.invitation = newInvitation()
}

function keepFormer(team: Team, people: readonly PersonId[]): void {
  if (people.length > 0) team.former = [...new Set(people)]
  else delete team.former
}

function nameTeam(content: Classroom, team: Team, name: EntrantId, isStaff: boolean): void {
  // The placeholder of a locked name is sent back as it was shown.
  if (name === lockedTeam(team.id)) return
  // Under a public name, agents that bear the pseudonym would tell whose it was: members who left with their wish keep it.
  const staysHidden = team.called !== undefined && needsPseudonym(content, [...team.members, ...(team.former ?? [])])
  if (staysHidden) team.called = name
  if (staysHidden || team.name === name) return
  if (team.called === lockedTeam(team.id)) throw namesAreLocked()
  checkNamesNobody(content, [name], { isStaff, own: team.members })
  checkTeamName(content, name, team.id)
  if (team.called !== undefined) team.formerly = [...new Set([...(team.formerly ?? []), team.name])]
  delete team.called
  namePublicly(content, team, name)
}

/** The names of a new team. Its own one may be that of another team if the public does not get it. Throws like `checkTeamName`, and if it names somebody under a pseudonym. */
function namesOf(
  content: Classroom,
  name: EntrantId,
  members: readonly PersonId[],
  isStaff: boolean,
): Pick<Team, 'name' | 'called'> {
  if (needsPseudonym(content, members)) return { name: drawPseudonym(content), called: name }
  checkNamesNobody(content, [name], { isStaff, own: members })
  checkTeamName(content, name, null)
  return { name }
}

function checkFreeOf(content: Classroom, person: PersonId): void {
  const team = teamWith(content, person)
  if (team !== undefined)
    throw new ExpectedError('usage', 'team-refused', `You are in the team "${team.name}": leave it first.`)
}

/** Throws ExpectedError 'usage' if another team, also one without people such as an agent's or an author's, has this name or one that looks like it. */
function checkTeamName({ teams, agents, components }: Classroom, name: EntrantId, own: TeamId | null): void {
  const names = [
    ...teams.filter(({ id }) => id !== own).map((team) => team.name),
    ...agents.filter(({ owner }) => own === null || owner !== own).map(({ manifest }) => teamOf(manifest)),
    // Under the name of an author, a team would have the author's components and shares.
    ...components.filter(({ owner }) => own === null || owner !== own).map(({ author }) => author),
  ]
  const other = namesInUse(names).like(name)
  if (other === undefined) return
  const like = nameKey(other) === nameKey(name) ? '' : `, which looks like "${name}"`
  throw new ExpectedError('usage', 'name-taken', `There is a team "${other}" already${like}: give another name.`)
}
