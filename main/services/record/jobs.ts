import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ErasedGame } from '../../contract/game/game.ts'
import { entrantId, matchNumber, type GameId } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import { readingJob } from '../machine/reading.ts'
import { buildDatabase, type BuildOrder, type BuiltDatabase } from './build-database.ts'
import { checkEvents, type CheckedEvents } from './check-events.ts'
import { compareVersions, type ComparedVersions, type CompareOrder } from './compare-versions.ts'
import { eventContents } from './event-writer.ts'
import { answerQuery, type QueryAnswer, type QueryOrder } from './query.ts'
import { writeRows, type WriteOrder, type WrittenRows } from './write-rows.ts'
import { searchTexts, textContents, type FoundTexts, type SearchOrder } from './text-search.ts'

// The work on databases of contests, all of which runs in processes of its own.

/** An order about the contest of a game. */
export type OfGame<T> = T & { readonly game: GameId }

const whole = z.int().min(0)

const built = z.strictObject({
  ...{ matches: whole, bytes: whole, anew: z.boolean() },
  added: z.strictObject({ matches: whole, events: whole }),
})

export const buildEventsJob = readingJob<OfGame<BuildOrder>, BuiltDatabase>({
  name: 'build-events',
  what: 'the histories of the contest',
  long: true,
  result: built,
  read: async ({ game, ...order }) => buildDatabase(gameOf(game), order, eventContents),
})

export const buildTextsJob = readingJob<OfGame<BuildOrder>, BuiltDatabase>({
  name: 'build-texts',
  what: 'the histories of the contest',
  long: true,
  result: built,
  read: async ({ game, ...order }) => buildDatabase(gameOf(game), order, textContents),
})

export const checkEventsJob = readingJob<OfGame<BuildOrder>, CheckedEvents>({
  name: 'check-events',
  what: 'the histories of the contest',
  long: true,
  result: z.strictObject({ matches: whole, problems: z.array(z.string()) }),
  read: async ({ game, ...order }) =>
    checkEvents(gameOf(game), order, order.file, () => buildDatabase(gameOf(game), order, eventContents)),
})

const answer = z.strictObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.union([z.string(), z.number(), z.null()]))),
  ...{ more: z.boolean(), cut: z.boolean() },
})

export const queryJob = readingJob<QueryOrder, QueryAnswer>({
  name: 'query-events',
  what: 'the query',
  result: answer,
  read: answerQuery,
})

const ofVersion = z.strictObject({ ...answer.shape, matches: whole, contests: whole })

export const compareJob = readingJob<CompareOrder, ComparedVersions>({
  name: 'compare-versions',
  what: 'the query',
  result: z.strictObject({ opponents: z.array(z.string()), first: ofVersion, second: ofVersion }),
  read: compareVersions,
})

export const writeRowsJob = readingJob<WriteOrder, WrittenRows>({
  name: 'write-rows',
  what: 'the query',
  result: z.strictObject({ rows: whole, more: z.boolean() }),
  read: writeRows,
})

export const searchJob = readingJob<SearchOrder, FoundTexts>({
  name: 'search-texts',
  what: 'the search',
  result: z.strictObject({
    found: z.array(
      z.strictObject({
        kind: z.enum(['sentence', 'print']),
        ...{ match: matchNumber, line: whole, move: whole, part: whole.nullable(), entrant: entrantId.nullable() },
        text: z.string(),
      }),
    ),
    more: z.boolean(),
  }),
  read: searchTexts,
})

function gameOf(id: GameId): ErasedGame {
  const game = games.get(id)
  if (game === undefined)
    throw new ExpectedError('usage', 'not-supported', `There is no game ${id} in this version of Tartaglia.`)
  return game
}
