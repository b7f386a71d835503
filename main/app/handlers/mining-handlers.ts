import type { Caller } from '../../contract/people/caller.ts'
import { ROWS_MAX, type Asked } from '../../contract/histories/mining-procedures.ts'
import type { ContestId } from '../../contract/ids.ts'
import { agentOf } from '../../services/agents/entrant-agents.ts'
import type { Asker } from '../../services/record/askers.ts'
import type { RecordViewer } from '../../services/record/contest-record.ts'
import { questionsOf } from '../../services/record/questions.ts'
import { schemaOf } from '../../services/record/schema.ts'
import type { Rooms } from '../rooms.ts'
import type { HandlersOf } from './handlers-of.ts'

/** Maximum characters of a text in a page of rows. */
const CELL_MAX = 2_000
/** Questions of all guests that are answered at a time: nobody can tell one guest from another. */
const OF_GUESTS = 2

/** Contests over which versions are compared at a time, the newest ones. */
const COMPARED = 50

/** The procedures of questions about the events of a contest. */
export function miningHandlers({ home, contests, records, askers, downloads, views }: Rooms): HandlersOf<'mining'> {
  const viewerOf = (caller: Caller, contest: ContestId): RecordViewer => {
    if (caller.role === 'educator' || caller.role === 'assistant') return { as: 'staff' }
    const [view, agent] = [views.of(caller), agentOf(home.content)]
    const isOwn = (name: string | null): boolean => name !== null && view.ownsAgent(name)
    const { entrants } = contests.entry(contest).description
    return { as: 'public', own: entrants.filter((each) => isOwn(agent(each))).map(({ name }) => name) }
  }
  return {
    'mining.questions': async ({ game }) =>
      Object.entries(questionsOf(game)).map(([name, question]) => ({ name, ...question })),
    'mining.tables': async ({ game }) => schemaOf(game),
    'mining.ask': ({ contest, request, offset, limit, ...asked }, caller) =>
      askers.answer(askerOf(caller), request, async (signal) => {
        const wanted = { offset, rowsMax: rowsIn(offset, limit), cellMax: CELL_MAX, signal }
        return records.of(contest, (record, place) => record.ask(place, asked, wanted))
      }),
    'mining.compare': ({ request, game, question, first, second, chosen = [], limit }, caller) =>
      askers.answer(askerOf(caller), request, async (signal) => {
        const { seesContest } = views.of(caller)
        const found = home.content.contests
          .filter(({ description }) => description.game === game)
          .filter(({ description }) => description.entrants.some(({ agent }) => agent === first || agent === second))
          .map(({ id }) => id)
          .filter(seesContest)
          .toReversed()
          // The others are those for which room is left.
          .sort((a, b) => Number(chosen.includes(b)) - Number(chosen.includes(a)))
        const wanted = { game, question, versions: [first, second], rowsMax: limit, cellMax: CELL_MAX, signal } as const
        const compared = await records.ofAll(found.slice(0, COMPARED), (record, places) =>
          record.compare(places, wanted),
        )
        return { ...compared, leftOut: Math.max(0, found.length - COMPARED) }
      }),
    'mining.query': ({ contest, request, sql, offset, limit }, caller) =>
      askers.answer(askerOf(caller), request, async (signal) => {
        const wanted = { offset, rowsMax: rowsIn(offset, limit), cellMax: CELL_MAX, signal }
        return records.of(contest, (record, place) => record.ask(place, { sql }, wanted))
      }),
    'mining.search': ({ contest, request, words, offset, limit }, caller) =>
      askers.answer(askerOf(caller), request, async (signal) => {
        const wanted = { words, offset, rowsMax: rowsIn(offset, limit), signal }
        return records.of(contest, (record, place) => record.search(place, viewerOf(caller, contest), wanted))
      }),
    'mining.download': ({ contest, request, asked, as }, caller) =>
      askers.answer(askerOf(caller), request, async (signal) => {
        let written = { rows: 0, more: false }
        const download = await downloads.beginFile(caller, async (path) => {
          written = await records.of(contest, (record, place) =>
            record.write(place, asked, { path, as, rowsMax: ROWS_MAX, signal }),
          )
        })
        return { download, fileName: `${contest}-${nameOf(asked)}.${as}`, ...written }
      }),
    async 'mining.stop'({ request }, caller) {
      askers.stop(askerOf(caller).who, request)
      return null
    },
  }
}

/** Somebody who looks at the class as a student sees it does not stand in that student's way. */
function askerOf({ role, person, isSeen }: Caller): Asker {
  const who = `${isSeen === true ? 'seen ' : ''}${person ?? role ?? ''}`
  return { who, atATime: role === 'guest' ? OF_GUESTS : 1 }
}

/** Pages end where a download does. */
const rowsIn = (offset: number, limit: number): number => Math.min(limit, ROWS_MAX - offset)

const nameOf = (asked: Asked): string => ('sql' in asked ? 'query' : asked.question)
