import { hash } from 'node:crypto'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ErasedGame, Replayer } from '../../contract/game/game.ts'
import type { HeaderBody } from '../../contract/histories/history.ts'
import type { NarratedInput } from '../../contract/game/narration.ts'
import { FOUND } from '../../contract/histories/mining-procedures.ts'
import type { EntrantId, MatchNumber } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'
import type { DatabaseContents } from './build-database.ts'
import { damageOf } from './damage.ts'
import type { EventBody, RunFacts, RunReader } from './read-runs.ts'

/** The version of the tables of texts; a database of another one is built again. */
const TEXTS_VERSION = 2

/** Characters of a text that are searched. */
const TEXT_MAX = 20_000

const place = 'match UNINDEXED, line UNINDEXED, move UNINDEXED, part UNINDEXED'

/** The sentences of all matches, and the lines that agents printed, in two tables for full-text search. */
export const textContents: DatabaseContents = {
  form: ({ id, version }) => hash('sha256', JSON.stringify([TEXTS_VERSION, id, version])),
  create(database) {
    database.exec(`CREATE VIRTUAL TABLE sentences USING fts5 (text, ${place}, rule UNINDEXED)`)
    database.exec(`CREATE VIRTUAL TABLE prints USING fts5 (text, ${place}, entrant UNINDEXED)`)
  },
  open(database, game) {
    const sentences = database.prepare('INSERT INTO sentences VALUES (?, ?, ?, ?, ?, ?)')
    const prints = database.prepare('INSERT INTO prints VALUES (?, ?, ?, ?, ?, ?)')
    return {
      begin: (header, facts) => fillTexts({ sentences, prints }, game, header, facts),
      finish: () => undefined,
    }
  },
  index(database) {
    database.exec("INSERT INTO sentences (sentences) VALUES ('optimize')")
    database.exec("INSERT INTO prints (prints) VALUES ('optimize')")
  },
}

interface TextTables {
  readonly sentences: StatementSync
  readonly prints: StatementSync
}

function fillTexts(
  { sentences, prints }: TextTables,
  game: ErasedGame,
  header: HeaderBody,
  facts: RunFacts,
): RunReader {
  const names = header.seats.map(({ name }) => name)
  let replayer = replayerOf(game, header, facts)
  const addSentences = (body: Extract<EventBody, { readonly k: 'input' }>, move: number): void => {
    const narrated = narratedBy(replayer, body.input, names)
    if (narrated === null) {
      // A match that cannot be replayed to its end keeps the sentences so far.
      replayer = null
      return
    }
    for (const [at, { text, rule }] of narrated.lines.entries()) {
      const part = narrated.lines.length > 1 ? at + 1 : null
      sentences.run(searched(text), header.match, body.n, move, part, rule)
    }
  }
  return {
    event(body, move) {
      if (body.k === 'input') addSentences(body, move)
      else if (body.k === 'fault') {
        const text = `${names[body.post.seat] ?? ''}: ${body.fault.kind}: ${body.fault.text}`
        sentences.run(searched(text), header.match, body.n, move, null, null)
      } else {
        prints.run(searched(body.text), header.match, body.n, move, null, names[body.post.seat] ?? '')
      }
    },
    end: () => undefined,
  }
}

/** A text as it is stored: none has the marks of found words. */
const searched = (text: string): string =>
  text.slice(0, TEXT_MAX).replaceAll(FOUND.begin, ' ').replaceAll(FOUND.end, ' ')

/** Null: the match cannot be replayed, for example because it needs other rules. */
function replayerOf(game: ErasedGame, header: HeaderBody, { config, seed }: RunFacts): Replayer | null {
  if (header.game !== game.id || header.version !== game.version || config === null) return null
  const seats = header.seats.map(({ id, entrant, role, bodies }) => ({ id, entrant, role, bodies }))
  try {
    return game.fold(config, seats, seed)
  } catch {
    return null
  }
}

/** Null: the rules refuse the input, or fail. */
function narratedBy(replayer: Replayer | null, input: Json, names: readonly string[]): NarratedInput | null {
  try {
    const narrated = replayer?.narrate(input, names) ?? null
    return typeof narrated === 'string' ? null : narrated
  } catch {
    return null
  }
}

/** A search in the texts of a contest. */
export interface SearchOrder {
  readonly file: string
  /** Words that a text contains, all of them; words in quotation marks stand beside each other. A star ends the beginning of a word. */
  readonly words: string
  /** The agents whose output is searched; null: all. */
  readonly own: readonly EntrantId[] | null
  /** The number of texts that are left out at the beginning. */
  readonly offset: number
  readonly rowsMax: number
}

/** The words as FTS5 has them: quoted, so that nothing in them is an operator. Null: there are none. */
export function searchExpression(words: string): string | null {
  const found = [
    ...words
      .normalize('NFC')
      .replaceAll('\0', ' ')
      .matchAll(/"([^"]*)"(\*?)|([^\s"]+)/g),
  ].map(([, phrase, star = '', word = '']) => {
    const isPrefix = star !== '' || (phrase === undefined && word.endsWith('*'))
    const text = phrase ?? word.replace(/\*+$/, '')
    return /[\p{L}\p{N}]/u.test(text) ? `"${text}"${isPrefix ? '*' : ''}` : ''
  })
  const expression = found.filter((each) => each !== '').join(' ')
  return expression === '' ? null : expression
}

/** A text that was found. */
export interface FoundText {
  /** `sentence`: about an event, in the words of its game; `print`: a line that an agent printed. */
  readonly kind: 'sentence' | 'print'
  readonly match: MatchNumber
  readonly line: number
  readonly move: number
  readonly part: number | null
  /** The agent that printed it; null for sentences. */
  readonly entrant: EntrantId | null
  /** The words around those that were found, each between the marks `FOUND`. */
  readonly text: string
}

export interface FoundTexts {
  readonly found: readonly FoundText[]
  /** True: there are more. */
  readonly more: boolean
}

/** Maximum characters of the words of a search. */
const WORDS_MAX = 500

/** Searches the texts of a contest, sentences first, the best matches first. Throws ExpectedError 'usage' if there are no words. */
export function searchTexts({ file, words, own, offset, rowsMax }: SearchOrder): FoundTexts {
  const expression = words.length > WORDS_MAX ? null : searchExpression(words)
  if (expression === null)
    throw new ExpectedError('usage', 'query-invalid', `A search needs a word, and takes ${WORDS_MAX} characters.`)
  const end = offset + rowsMax
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const found = [
      ...rowsOf(database, 'sentences', 'NULL', '', [expression, end + 1]),
      ...rowsOf(database, 'prints', 'entrant', ...printsOf(expression, own, end + 1)),
    ]
    return { found: found.slice(offset, end), more: found.length > end }
  } catch (error) {
    throw damageOf(error) ?? error
  } finally {
    database.close()
  }
}

/** The condition and the values of a search in the output of some agents. */
function printsOf(
  expression: string,
  own: SearchOrder['own'],
  most: number,
): [condition: string, values: readonly (string | number)[]] {
  if (own === null) return ['', [expression, most]]
  return ['AND entrant IN (SELECT value FROM json_each(?))', [expression, JSON.stringify(own), most]]
}

function rowsOf(
  database: DatabaseSync,
  table: 'sentences' | 'prints',
  entrant: string,
  condition: string,
  values: readonly (string | number)[],
): readonly FoundText[] {
  const rows = database
    .prepare(
      `SELECT match, line, move, part, ${entrant} AS entrant, snippet(${table}, 0, char(1), char(2), '…', 24) AS text
       FROM ${table} WHERE ${table} MATCH ? ${condition} ORDER BY rank LIMIT ?`,
    )
    .all(...values)
  const kind = table === 'sentences' ? 'sentence' : 'print'
  return rows.map(({ match, line, move, part, entrant: who, text }) => ({
    ...{ kind, match: Number(match), line: Number(line), move: Number(move) },
    ...{ part: part === null ? null : Number(part), entrant: who === null ? null : String(who), text: String(text) },
  }))
}
