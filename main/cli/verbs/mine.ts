import { Option, type Command } from 'commander'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { ReadyQuestion } from '../../contract/game/event-tables.ts'
import { matchLink } from '../../contract/histories/match-link.ts'
import { gameTitles } from '../../services/game-facts.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { createContestRecords, type ContestRecords } from '../../services/record/contest-record.ts'
import { csvLines } from '../../services/record/csv.ts'
import { keptContest, type KeptContest } from '../../services/record/kept-contest.ts'
import { questionNamed, questionsOf } from '../../services/record/questions.ts'
import { schemaOf } from '../../services/record/schema.ts'
import { addVerb, dataOption, wholeNumber, type Context } from '../context.ts'
import { count, left, safeLine, table, tableOf, type TextColumn } from '../text.ts'

interface MineOptions {
  readonly data?: string
  readonly game?: string
  readonly query?: string
  readonly question?: string
  readonly agent?: string
  readonly with: Readonly<Record<string, string>>
  readonly search?: string
  readonly schema?: true
  readonly questions?: true
  readonly rebuild?: true
  readonly verify?: true
  readonly csv?: true
  readonly limit: number
}

/** The wishes of which a command line has exactly one. */
const wishes = ['query', 'question', 'search', 'schema', 'questions', 'rebuild', 'verify'] as const

/** The maximum number of rows that are printed, if the user does not say. */
const ROWS = 1_000

/** `tartaglia mine`: questions about the events of a contest. */
export function addMine(program: Command, context: Context): void {
  addVerb(
    program,
    'mine',
    'Ask about all events of a contest: with SQL, with questions that are ready, or by words',
    'tartaglia mine week-1 --question worst-losses --agent anna',
  )
    .argument('[contest]', 'its id in `tartaglia contest list`; not needed for --schema and --questions')
    .option('--query <sql>', 'one SELECT over the tables that --schema lists')
    .option('--question <name>', 'a question that --questions lists')
    .option('--agent <name>', 'the agent that the question is about (default: all)')
    .addOption(
      new Option('--with <name=value>', 'a value for another parameter of the question; may be given several times')
        .argParser(withValue)
        .default({}, 'those that --questions shows'),
    )
    .option('--search <words>', 'search the sentences about events, and the output of agents')
    .option('--schema', 'list the tables and their columns')
    .option('--questions', 'list the questions that are ready')
    .addOption(
      new Option('--game <id>', 'the game, for --schema and --questions without a contest').choices(
        gameTitles.map(({ id }) => id),
      ),
    )
    .option(
      '--rebuild',
      'build the database of the contest again from its histories; that of --search is built by the next search',
    )
    .option('--verify', 'compare the database of the contest with its histories')
    .option('--csv', 'print the rows as CSV')
    .option('--limit <rows>', 'the most rows to print', wholeNumber, ROWS)
    .addOption(dataOption())
    .action((contest: string | undefined, options: MineOptions) => mine(context, contest, options))
}

/** Adds a value of `--with` to those before it. Throws ExpectedError 'usage' if it has no name. */
function withValue(text: string, before: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf('=')
  if (at < 1)
    throw new ExpectedError('usage', 'input-invalid', `--with needs a name and a value, as in move=3, not "${text}".`)
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

async function mine(context: Context, contest: string | undefined, options: MineOptions): Promise<void> {
  const asked = wishes.filter((wish) => options[wish] !== undefined)
  if (asked.length !== 1) {
    const all = wishes.map((wish) => `--${wish}`).join(', ')
    throw new ExpectedError(
      'usage',
      asked.length === 0 ? 'option-missing' : 'options-conflict',
      `The command needs one of ${all}${asked.length === 0 ? '' : `, not ${asked.length}`}.`,
    )
  }
  if (options.csv === true && context.terminal.json)
    throw new ExpectedError('usage', 'options-conflict', 'Choose one of --csv and --json.')
  const isAboutGame = options.schema === true || options.questions === true
  if (isAboutGame && contest === undefined) {
    listFor(context, options.game === undefined ? gameTitles.map(({ id }) => id) : [options.game], options)
    return
  }
  if (contest === undefined)
    throw new ExpectedError('usage', 'argument-missing', 'The command needs the id of a contest.')
  const kept = await keptContest(options.data ?? defaultDataFolder(), contest)
  const records = createContestRecords()
  try {
    if (isAboutGame) listFor(context, [kept.game], options)
    else await answer(context, records, kept, options)
  } finally {
    records.close()
    kept.close()
  }
}

async function answer(
  context: Context,
  records: ContestRecords,
  kept: KeptContest,
  options: MineOptions,
): Promise<void> {
  const { query, question, search, limit: rowsMax, agent } = options
  const wanted = { offset: 0, rowsMax, cellMax: null }
  if (query !== undefined) printRows(context, kept, options, await records.ask(kept, { sql: query }, wanted))
  else if (question !== undefined) {
    const parameters = agent === undefined ? options.with : { ...options.with, agent }
    const answered = await records.ask(kept, { question, parameters }, wanted)
    printRows(context, kept, options, answered, questionNamed(kept.game, question))
  } else if (search !== undefined) {
    const { found, more } = await records.search(kept, { as: 'staff' }, { words: search, offset: 0, rowsMax })
    const columns = ['kind', 'match', 'line', 'move', 'part', 'entrant', 'text'] as const
    const rows = found.map((each) => columns.map((column) => each[column]))
    printRows(context, kept, options, { columns, rows, more })
  } else if (options.rebuild === true) {
    const built = await records.refresh(kept, true)
    context.terminal.output('mine', { contest: kept.contest, ...built })
    context.terminal.print(
      `The database of ${safeLine(kept.contest)} has ${count(built.matches, 'match', 'matches')} and ${built.bytes} bytes.`,
    )
  } else await verify(context, records, kept)
}

async function verify({ terminal, done }: Context, records: ContestRecords, kept: KeptContest): Promise<void> {
  await records.refresh(kept)
  const { matches, problems } = await records.check(kept)
  terminal.output('mine', { contest: kept.contest, ok: problems.length === 0, matches, problems })
  if (problems.length > 0) done(1)
  terminal.print(
    ...(problems.length === 0
      ? [
          `${terminal.paint('green', 'fits')}: ${count(matches, 'match', 'matches')} with the numbers of rows and the heads that the histories have.`,
        ]
      : problems.map(safeLine)),
  )
}

/** The rows of an answer, and what is needed to understand them. */
interface Printed {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly more: boolean
}

function printRows(
  { terminal }: Context,
  { contest, game }: KeptContest,
  { csv, question: name }: MineOptions,
  { columns, rows, more }: Printed,
  question?: Pick<ReadyQuestion, 'about' | 'chart'>,
): void {
  const about = question === undefined ? {} : { question: name ?? '', about: question.about, chart: question.chart }
  terminal.output('mine', { contest, game, ...about, columns, rows, more })
  if (csv === true) terminal.text(csvLines({ columns, rows }).join('\n'))
  else {
    if (question !== undefined) terminal.print(question.about, '')
    const isNumber = columns.map((_, at) => rows.every((row) => typeof row[at] !== 'string'))
    const places = rows.map((row) => addressOf(contest, columns, row))
    const hasPlaces = places.some((place) => place !== null)
    terminal.print(
      ...table(
        [
          ...columns.map((title, at): TextColumn => ({ title, align: isNumber[at] === true ? 'right' : 'left' })),
          ...(hasPlaces ? [{ title: 'address', align: 'left' } as const] : []),
        ],
        rows.map((row, at) => [...row.map(shownCell), ...(hasPlaces ? [places[at] ?? ''] : [])]),
      ),
    )
  }
  if (more) terminal.note(`There are more rows: --limit shows more than ${rows.length}.`)
}

/** Digits after the point of a number in a table for people. */
const DIGITS = 4

function shownCell(cell: string | number | null): string {
  if (cell === null) return ''
  return typeof cell === 'number' && !Number.isInteger(cell) ? String(Number(cell.toFixed(DIGITS))) : String(cell)
}

/** The address of the event of a row, which the desktop app opens; null: the row names no match. */
function addressOf(
  contest: string,
  columns: readonly string[],
  row: readonly (string | number | null)[],
): string | null {
  const value = (column: string): number | undefined => {
    const cell = row[columns.indexOf(column)]
    return typeof cell === 'number' && Number.isSafeInteger(cell) && cell >= 0 ? cell : undefined
  }
  const [match, move, part] = [value('match'), value('move'), value('part')]
  if (match === undefined) return null
  return matchLink({
    ...{ contest, match },
    ...(move === undefined ? {} : { move }),
    ...(move === undefined || part === undefined ? {} : { line: part }),
  })
}

function listFor(context: Context, games: readonly string[], { questions }: MineOptions): void {
  if (questions === true) listQuestions(context, games)
  else listTables(context, games)
}

function listTables({ terminal }: Context, games: readonly string[]): void {
  const all = games.map((game) => ({ game, tables: schemaOf(game) }))
  terminal.output('mine', { games: all })
  for (const { game, tables } of all) {
    for (const { name, about, columns } of tables) {
      terminal.print(
        `${games.length > 1 ? `${game}: ` : ''}${name}: ${about}`,
        ...tableOf(columns, [
          left('  column', (column) => `  ${column.name}`),
          left('type', ({ type }) => type ?? ''),
          left('meaning', (column) => column.about),
        ]),
        '',
      )
    }
  }
}

function listQuestions({ terminal }: Context, games: readonly string[]): void {
  const all = games.map((game) => ({ game, questions: questionsOf(game) }))
  terminal.output('mine', { games: all })
  for (const { game, questions } of all) {
    if (games.length > 1) terminal.print(`${game}:`)
    for (const [name, { about, parameters }] of Object.entries(questions)) {
      terminal.print(`${name}: ${about}`)
      for (const [parameter, { about: meaning, default: usual }] of Object.entries(parameters))
        terminal.print(`  ${parameter}: ${meaning}${usual === null ? '' : ` (default: ${usual})`}`)
    }
    terminal.print('')
  }
}
