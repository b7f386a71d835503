import { versionsOf } from '../../administrator/classroom/active-versions.ts'
import type { ClassFolder } from '../../administrator/classroom/classroom.ts'
import type { TermTable } from '../../contract/grades/term-table.ts'
import type { GameId } from '../../contract/ids.ts'
import type { Classroom, ContestEntry } from '../../contract/procedures/classroom.ts'
import { hasPerson } from '../contests/descriptions/new-contest.ts'
import type { Contests } from '../contests/kept/class-contests.ts'
import { afterRulingOf } from '../contests/results/ruled-results.ts'
import { PAIRED_MAX } from '../contests/standings/contest-ratings.ts'
import { computedTermTable } from './term-table-job.ts'
import type { CountedContest, TermEntrant } from './term/term-table.ts'

/** The table of the term of a class. */
export interface ClassTerm {
  /**
   * See the procedure `grades.term`. `isPublic`: results that a team under a pseudonym has under former names are rows of those names, so that the table does not
   * tell whose the pseudonym is.
   */
  table(game: GameId | null, isPublic?: boolean): Promise<TermTable>
}

interface Sources {
  readonly home: Pick<ClassFolder, 'content'>
  readonly contests: Pick<Contests, 'record' | 'counts'>
}

/** True for a contest that is neither practice nor repeats another, and in which no person plays. */
const isOfTerm = ({ description, practiceOf, rerun }: ContestEntry): boolean =>
  description.practice !== true && practiceOf === undefined && rerun === undefined && !hasPerson(description)

/** True for a contest of the term that has ended. */
export const countsInTerm = (entry: ContestEntry): boolean => entry.state === 'ended' && isOfTerm(entry)

/** True for a contest of the term that has not ended, and may still. */
export const willCountInTerm = (entry: ContestEntry): boolean =>
  entry.state !== 'ended' && entry.state !== 'cancelled' && isOfTerm(entry)

/** Tables are kept in memory until something in them may have changed, because ratings take time. */
export function openClassTerm({ home, contests }: Sources): ClassTerm {
  const kept = new Map<string, { readonly of: string; readonly table: Promise<TermTable> }>()
  return {
    async table(game, isPublic = false) {
      const { content } = home
      const key = `${isPublic ? 'public ' : ''}${game ?? ''}`
      const counted = content.contests
        .filter((entry) => countsInTerm(entry) && (game === null || entry.description.game === game))
        // The time of the end is missing in contests of older versions, which are the oldest.
        .sort((a, b) => (a.ended ?? '').localeCompare(b.ended ?? ''))
      // A match that a ruling has annulled is played again after the end.
      const done = await Promise.all(
        counted.map(({ id }) => contests.counts(id).then((counts) => counts.done, nothingDone)),
      )
      const playing = new Set(counted.flatMap(({ description }) => description.entrants.map(({ agent }) => agent)))
      const of = JSON.stringify([
        counted.map(({ id, decisions = [] }, at) => [id, decisions.length, done[at]]),
        content.teams.map(({ id, name, called }) => [id, name, called !== undefined]),
        content.agents
          .filter(({ hash }) => playing.has(hash))
          .map(({ manifest, owner = '' }) => [manifest.name, owner]),
      ])
      // Names of games that nobody plays are not kept: anybody of the class can ask for any.
      if (counted.length === 0) return { contests: [], rows: [], unreadable: [] }
      const known = kept.get(key)
      if (known?.of === of) return known.table
      const table = tableOf(content, counted, contests, isPublic)
      kept.set(key, { of, table })
      // It is computed again when somebody asks again.
      table.catch(() => kept.get(key)?.table === table && kept.delete(key))
      return table
    },
  }
}

/** Damaged histories are reported when their contest is opened. */
const nothingDone = (): number => -1

async function tableOf(
  content: Classroom,
  counted: readonly ContestEntry[],
  contests: Sources['contests'],
  isPublic: boolean,
): Promise<TermTable> {
  const [read, unreadable]: [CountedContest[], string[]] = [[], []]
  for (const entry of counted) {
    // Damaged histories are reported when their contest is opened.
    const record = await contests.record(entry.id).catch(() => null)
    if (record === null) {
      unreadable.push(entry.id)
      continue
    }
    const { id, description, ended = null } = entry
    read.push({
      ...{ contest: id, title: description.title, game: description.game, ended, ...afterRulingOf(entry) },
      isRated: description.entrants.length <= PAIRED_MAX,
      entrants: description.entrants.map((entrant) => entrantIn(content, entry, entrant, isPublic)),
      standings: record.standings(),
      meetings: record.meetings(),
      meetingsAsPlayed: record.asPlayed.meetings(),
    })
  }
  return { ...(await computedTermTable(read)), unreadable }
}

/** The contender behind an entrant: the team that registered it, the owner of its agent, or the agent itself. */
function entrantIn(
  { agents, teams }: Pick<Classroom, 'agents' | 'teams'>,
  { registration }: Pick<ContestEntry, 'registration'>,
  entrant: ContestEntry['description']['entrants'][number],
  isPublic: boolean,
): TermEntrant {
  const [version] = versionsOf(agents, entrant)
  const registered = registration?.entries.find((each) => each.plays && each.entrant === entrant.name)
  const owner = registered?.team ?? version?.owner
  const team = owner === undefined ? undefined : teams.find(({ id }) => id === owner)
  const agent = version?.manifest.name ?? entrant.name
  const isFormer = entrant.name !== (version === undefined ? team?.name : agent)
  if (isPublic && team?.called !== undefined && isFormer)
    return {
      ...{ name: entrant.name, contender: { team: null, name: entrant.name } },
      version: { agent: entrant.name, hash: entrant.agent, version: version?.number ?? null },
    }
  return {
    name: entrant.name,
    contender: team === undefined ? { team: null, name: agent } : { team: team.id, name: team.name },
    version: { agent, hash: entrant.agent, version: version?.number ?? null },
  }
}
