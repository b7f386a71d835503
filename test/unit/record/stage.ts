import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ErasedGame } from '../../../main/contract/game/game.ts'
import type { Fault } from '../../../main/contract/faults.ts'
import type { MatchFacts } from '../../../main/contract/histories/history.ts'
import type { ContestId, Sha256 } from '../../../main/contract/ids.ts'
import type { Json } from '../../../main/contract/json.ts'
import { hashOf, sha256 } from '../../../main/histories/canonical.ts'
import { passingKey, type SigningKey } from '../../../main/histories/keys.ts'
import { createRecorder } from '../../../main/histories/recorder.ts'
import { openSegments } from '../../../main/histories/segments/writer.ts'
import { buildDatabase, type BuiltDatabase } from '../../../main/services/record/build-database.ts'
import { eventContents } from '../../../main/services/record/event-writer.ts'
import { answerQuery, type QueryAnswer } from '../../../main/services/record/query.ts'
import { schemaOf } from '../../../main/services/record/schema.ts'
import { boundParameters, questionsOf } from '../../../main/services/record/questions.ts'

export const key: SigningKey = passingKey()
export const CONTEST = 'mined-1'

/** Something that happens in a match of a test. */
export type Happening =
  | { readonly input: Json; readonly hidden?: true }
  | { readonly fault: Fault; readonly seat: number }
  | { readonly printed: string; readonly seat: number }

/** A match of a test. */
export interface Played {
  readonly match: number
  readonly config: Json
  /** The names of the entrants, by seat. */
  readonly names: readonly string[]
  readonly happenings: readonly Happening[]
  /** The SHA-256 of their agents; default: one for each name. */
  readonly agents?: readonly Sha256[]
  /** False: it stops without an end, as when the program is killed. Default: true. */
  readonly ends?: boolean
}

export const seedOf = (match: number): string => sha256(`seed ${match}`)

/** The config with all defaults. */
export function completed(game: ErasedGame, config: Json): Json {
  const parsed = game.config(config, 'recorded')
  if (!parsed.ok) throw new Error(parsed.error)
  return parsed.value
}

/** The text of a run, made with the rules of its game. */
function runText(
  { game, contest }: { readonly game: ErasedGame; readonly contest: ContestId },
  run: number,
  { match, config, names, agents, happenings, ends = true }: Played,
): string {
  const seats = game.seats(config, names.length)
  if (typeof seats === 'string') throw new Error(seats)
  const seed = seedOf(match)
  const facts: MatchFacts = {
    ...{ contest, match, attempt: 1, game: game.id, version: game.version },
    ...{ config: hashOf(config), description: hashOf(description(game)) },
    seats: seats.map((seat) => ({
      ...seat,
      name: names[seat.entrant]!,
      agent: agents?.[seat.entrant] ?? sha256(`agent of ${names[seat.entrant]!}`),
    })),
    limits: { startMs: 10_000, moveMs: 1_000, memoryMb: 512, messageBytes: 1_048_576, consoleBytes: 65_536 },
    ...{ isolation: 'none', clock: 'frozen', host: { node: 'v26.10.0', platform: 'linux', cores: 2 } },
  }
  const recorder = createRecorder({ run, facts, seed, nonce: sha256(`nonce ${run}`), secret: 'secret' })
  const replayer = game.fold(config, seats, seed)
  for (const [at, happening] of happenings.entries()) {
    if ('fault' in happening) recorder.fault(at, { seat: happening.seat, body: 0 }, null, happening.fault)
    else if ('printed' in happening) recorder.console(at, { seat: happening.seat, body: 0 }, happening.printed)
    else {
      const refusal = replayer.apply(happening.input)
      if (refusal !== null) throw new Error(refusal)
      recorder.input(at, happening.hidden === true ? 'sealed' : 'public', happening.input, replayer.findings())
    }
  }
  if (!ends) return recorder.lines()
  const outcome = replayer.outcome()
  if (outcome === null) throw new Error(`match ${match} has not ended`)
  recorder.finish(happenings.length, outcome, replayer.save(), replayer.removals())
  return recorder.lines()
}

function description(game: ErasedGame): Json {
  return { title: 'A contest to mine', game: game.id }
}

/** Appends matches to the segments of a contest. Their lines alternate, as those of matches that are played at a time do. */
export async function record(
  dir: string,
  game: ErasedGame,
  matches: readonly Played[],
  segmentBytes?: number,
  signer = key,
  contest = CONTEST,
): Promise<void> {
  const blobs = [description(game), ...new Map(matches.map(({ config }) => [hashOf(config), config])).values()]
  const limit = segmentBytes === undefined ? {} : { segmentBytes }
  const opened = await openSegments({ dir, contest, key: signer, blobs, ...limit })
  if (!opened.ok) throw new Error(opened.damage.message)
  const { writer, scan } = opened
  const lines = matches.map((match, at) => runText({ game, contest }, scan.nextRun + at, match).split(/(?<=\n)/))
  for (let at = 0; lines.some(({ length }) => at < length); at += 2) {
    for (const each of lines) writer.append(each.slice(at, at + 2).join(''))
    if (at % 8 === 0) await writer.commit()
  }
  await writer.commit()
  await writer.close()
}

/** Builds the events database of a contest, in this process. */
export function build(dir: string, game: ErasedGame, anew = false, name = 'events.db'): Promise<BuiltDatabase> {
  return buildDatabase(game, { ...segmentsIn(dir), file: join(dir, name), anew }, eventContents)
}

export const segmentsIn = (dir: string) => ({ folder: dir, contest: CONTEST, key: key.publicKey })

/** All rows of all tables, in an order that does not depend on how they came in. */
export function dump(file: string): Readonly<Record<string, readonly string[]>> {
  const database = new DatabaseSync(file, { readOnly: true, returnArrays: true })
  try {
    const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all()
    return Object.fromEntries(
      names.flatMap((row) => {
        const [name] = row as unknown as readonly [string]
        // The position depends on how often it was brought up to date.
        if (name === 'made_of') return []
        const rows = database.prepare(`SELECT * FROM "${name}"`).all()
        return [[name, rows.map((each) => JSON.stringify(each)).sort()]]
      }),
    )
  } finally {
    database.close()
  }
}

/** The rows of a query over the events database of a contest, by column. */
export function rowsOf(dir: string, game: ErasedGame, sql: string): readonly Readonly<Record<string, Json>>[] {
  return objectsOf(
    answerQuery({ file: join(dir, 'events.db'), sql, parameters: {}, tables: tableNames(game), ...everything }),
  )
}

/** The answer to a ready question, by column. */
export function askedOf(
  dir: string,
  game: ErasedGame,
  name: string,
  chosen: Readonly<Record<string, string>> = {},
): readonly Readonly<Record<string, Json>>[] {
  const question = questionsOf(game.id)[name]
  if (question === undefined) throw new Error(`there is no question ${name}`)
  const answer = answerQuery({
    ...{ file: join(dir, 'events.db'), sql: question.sql, parameters: boundParameters(question, chosen) },
    ...{ tables: tableNames(game), ...everything },
  })
  // The descriptions fit the columns.
  if (answer.columns.join() !== Object.keys(question.columns).join())
    throw new Error(`the columns of ${name} are ${answer.columns.join(', ')}`)
  return objectsOf(answer)
}

const everything = { offset: 0, rowsMax: 1_000_000, cellMax: null }
const tableNames = (game: ErasedGame): readonly string[] => schemaOf(game.id).map(({ name }) => name)

function objectsOf({ columns, rows }: QueryAnswer): readonly Readonly<Record<string, Json>>[] {
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at] ?? null])))
}
