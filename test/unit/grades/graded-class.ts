import type { ClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import type { Contests } from '../../../main/services/contests/kept/class-contests.ts'
import { addMatch } from '../contests/kept-match.ts'

const hashes: Readonly<Record<string, string>> = { anna: '1'.repeat(64), bea: '2'.repeat(64), baby: '3'.repeat(64) }
/** The teams of the agents anna and bea. */
const teams = { anna: 'a'.repeat(16), bea: 'b'.repeat(16) }
/** The students of these teams. */
export const students = { ada: 'a'.repeat(16), bob: 'b'.repeat(16) }

/** A contest that is over, in which each entrant beat those after it. The class has to be opened again to read it. */
export async function playContest(
  home: ClassFolder,
  contests: Contests,
  title: string,
  names: readonly string[],
  {
    format = { type: 'round-robin' },
    score = 1,
    ...more
  }: { readonly format?: object; readonly score?: number; readonly phase?: object } = {},
): Promise<string> {
  const entrants = names.map((name) => ({ name, agent: hashes[name]! }))
  const description = contestDescription.parse({
    ...{ title, game: 'haggle', format, seed: 'x', entrants },
    ...more,
  })
  const { id } = await contests.add(description)
  for (const { match, entrants: seats } of [...(await contests.record(id)).stage(0)!]) {
    const seated = seats.toSorted((a, b) => a - b).map((at) => names[at]!)
    await addMatch(home, contests.folder(id), { contest: id, match, names: seated, game: 'haggle', score })
  }
  await contests.settle(id, 'ended')
  return id
}

/** Gives the agents anna and bea to teams. */
export async function formTeamsIn(home: ClassFolder): Promise<void> {
  await home.change((content) => {
    for (const [name, id] of Object.entries(teams)) {
      content.teams.push({ id, name: `Team ${name}`, members: [], formed: '2026-09-01T08:00:00.000Z' })
      for (const version of content.agents) if (version.manifest.name === name) version.owner = id
    }
  })
}

/** Adds the students ada and bob to the teams of anna and bea. */
export async function addStudentsTo(home: ClassFolder): Promise<void> {
  await home.change((content) => {
    for (const [name, id] of Object.entries(students)) {
      content.people.push({ id, name, ids: {}, role: 'student', added: '2026-09-01T08:00:00.000Z' })
      content.teams.find((team) => team.id === id)!.members.push(id)
    }
  })
}
