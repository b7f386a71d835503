import { randomInt } from 'node:crypto'
import { teamOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { EntrantId } from '../../contract/ids.ts'
import { freeName, nameKey } from '../../contract/names.ts'
import { isPseudonymous, needsPseudonym, ownNameOf, personNamedIn } from '../../contract/people/pseudonyms.ts'
import type { PersonId } from '../../contract/people/people.ts'
import type { Team } from '../../contract/people/teams.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'

/** 32 colours and qualities, and 64 birds, trees and stones: 2,048 names that say nothing about anybody. */
const first =
  'Amber Autumn Azure Birch Brass Bronze Calm Cedar Clear Copper Coral Crimson Early Ember Flint Golden Green Indigo Ivory Jade Late Lunar Maple Marble Ochre Olive Opal Quiet Ruby Silver Violet Winter'
const second =
  'Alder Aspen Badger Basalt Beech Bittern Bunting Chough Crane Curlew Dipper Dunlin Egret Elm Falcon Fern Finch Gannet Garnet Goose Granite Grebe Hare Harrier Hazel Heron Hobby Ibis Jackdaw Juniper Kestrel Kite Lapwing Larch Lark Linden Linnet Lynx Magpie Marten Merlin Osprey Otter Ouzel Pine Pipit Plover Quartz Raven Redstart Robin Rook Rowan Siskin Slate Sparrow Starling Stork Swallow Swift Tern Thrush Willow Wren'
const [firsts, seconds] = [first.split(' '), second.split(' ')] as const
const oneOf = (words: readonly string[]): string => words[randomInt(words.length)]!

/** Draws a name that no team, agent or author of the class has. Nothing about it depends on the people. */
export function drawPseudonym({
  teams,
  agents,
  components,
}: Pick<Classroom, 'teams' | 'agents' | 'components'>): EntrantId {
  const taken = new Set(
    [
      ...teams.map(({ name }) => name),
      ...agents.flatMap(({ manifest, formerly = [] }) => [manifest.name, teamOf(manifest), ...formerly]),
      ...components.map(({ author }) => author),
    ].map(nameKey),
  )
  return freeName(`${oneOf(firsts)} ${oneOf(seconds)}`, (name) => taken.has(nameKey(name)))
}

/** The public name of a team's next new agent: its own, or with the first free number. */
export function agentPseudonym({ agents }: Pick<Classroom, 'agents'>, { name: team }: Pick<Team, 'name'>): EntrantId {
  const taken = new Set(agents.flatMap(({ manifest, formerly = [] }) => [manifest.name, ...formerly]).map(nameKey))
  return freeName(team, (name) => taken.has(nameKey(name)))
}

/** Gives a team another public name, and with it its agents and components. Histories and receipts keep the former one. */
export function namePublicly(content: Classroom, team: Team, name: EntrantId): void {
  team.name = name
  // Standings by team go by the name that an agent has.
  for (const version of content.agents) if (version.owner === team.id) version.manifest.team = name
  // Shares go to the team by the name of the author.
  for (const component of content.components) if (component.owner === team.id) component.author = name
}

/** Gives pseudonyms to all teams that need one and have none, and to their agents. */
export function givePseudonyms(content: Classroom): void {
  for (const team of content.teams) {
    if (team.called !== undefined || !needsPseudonym(content, team.members)) continue
    team.called = team.name
    namePublicly(content, team, drawPseudonym(content))
    const own = content.agents.filter(({ owner }) => owner === team.id)
    for (const name of new Set(own.map(({ manifest }) => manifest.name))) {
      const to = agentPseudonym(content, team)
      for (const version of own) {
        if (version.manifest.name !== name) continue
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

/** Throws ExpectedError 'usage' if a text that becomes public names somebody who appears under a pseudonym. */
export function checkNamesNobody(content: Pick<Classroom, 'settings' | 'people'>, texts: readonly string[]): void {
  const hidden = content.people.filter((person) => person.erased === undefined && isPseudonymous(content, person))
  const named = personNamedIn(hidden, texts)
  if (named !== undefined)
    throw new ExpectedError(
      'usage',
      'person-named',
      `This would become public, and it names ${named.name}, who appears under a pseudonym: leave name, address and numbers out.`,
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
