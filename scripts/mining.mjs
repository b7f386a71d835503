// `npm run mining`: writes docs/mining.md, the manual of `tartaglia mine`, with the tables and questions of each game.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { entry, note, root } from './setup.mjs'

const preamble = `# Mining histories

<!-- Written by \`npm run mining\` from the tables and questions of the games. Edit those, or scripts/mining.mjs, instead. -->

The weaknesses of other agents show in their behaviour, and histories record it. \`tartaglia mine\` answers questions about all events of a
contest: ready questions, your own SQL, or a search for words.

\`\`\`
tartaglia mine week-1 --questions
tartaglia mine week-1 --question worst-losses --agent anna
tartaglia mine week-1 --query "SELECT entrant, avg(score) FROM seats GROUP BY entrant" --csv
tartaglia mine week-1 --search "is removed"
tartaglia mine --schema
\`\`\`

\`--json\` prints one object with the columns and the rows, \`--csv\` a table for spreadsheets; without them the command prints a table for
people. A row that comes from an event has its \`match\`, its \`line\` in the history and its \`move\`, which is its place in the address of
the match. The table for people ends with that address, such as \`tartaglia://match/week-1/4?move=37\`. \`--limit\` sets the number of rows
that are printed, 1,000 by default; if there are more, a notice says so.

## The database

The first question about a contest builds a database, \`events.db\`, from the histories of its finished matches and from nothing else.
It lies beside them and can be deleted at any time. Later questions add the matches that have finished meanwhile, so a running
contest can be mined too. A long build saves its progress every five minutes; if it is stopped, the next question continues it.
A match that is still being played is not in the database, so that sealed inputs stay sealed until the match is over. The lines that
agents print are for their own teams and never in a table; \`--search\` finds them in a second database, \`texts.db\`.

\`--verify\` compares the numbers of rows and the head of every match with the histories, also while the contest goes on, and exits with
code 1 if they differ. \`--rebuild\` builds the database again, and the next \`--search\` its own. A database is written only while the disk
keeps twice the size of the contest's histories free, at least 100 MB and at most 1 GB. A match whose rules this
version of Tartaglia does not have, or whose inputs they refuse, has no rows in the tables of its game; \`matches.broken\` says why.

## In the window

The screen **Analysis** of a contest, which its page, its matches and Histories lead to, asks the same questions. An answer is a table with
a chart beside it; the chart and its columns can be chosen. Each row that comes from an event leads to the event in its match, and **Keep** puts
the event into a [dossier](evidence.md) with the question and the values of the row as its note.

- **Ready questions** are asked with their parameters. From a match, **Beside** leads to **matches like it**: those with the same entrants and settings
  first, then those with the same entrants, then those whose ranks, removals and kinds of faults are the same by seat. Two of them are shown side by side in step, with the first event that differs.
- **Own query** has an editor with the tables beside it. Ctrl or Cmd Enter runs the query. A link to a query shows it with its chart and does not run it.
  The browser keeps the last 30 queries of a person.
- **Search in texts** finds sentences about events, and printed lines: a student those of their own team, educators all.
- **Two versions** asks one question about two versions of an agent and shows both answers with the change, over all of their matches against the
  same opponents, in the newest 50 of all contests that you see. A match counts if all its other players are opponents that both versions have
  met, in the same version.

Everybody who sees a contest can ask about it. A person asks one question at a time and can stop it; a new question stops it, too. Answers come
in pages; CSV and JSON files have up to 100,000 rows.

## Own queries

A query is one SELECT, as [SQLite](https://www.sqlite.org/lang_select.html) has it, with the tables below, common table expressions, window
functions, and the usual functions for numbers, texts, dates and JSON. It is answered in a process of its own that can only read: it cannot
change anything, attach other databases, set pragmas or load extensions. It takes 10 seconds and 256 MB at most.
An error names the line and column of the mistake.

A column with an entrant, such as \`seller\`, has its name; \`seller_seat\` beside it has the seat, from 0. \`match\` joins all tables.

## Search

\`--search\` finds all sentences about events, and printed lines, that contain all words. A word that ends with \`*\` stands for all
words that begin with its letters, and words in quotation marks must stand beside each other.
`

const file = join(root, 'docs', 'mining.md')

/** The text of the page. */
export async function miningPage() {
  const { gameTitles } = await import('../main/services/game-facts.ts')
  const { schemaOf } = await import('../main/services/record/schema.ts')
  const { questionsOf } = await import('../main/services/record/questions.ts')
  const { commonTables } = await import('../main/services/record/common-tables.ts')
  const { commonQuestions } = await import('../main/services/record/common-questions.ts')
  const [anyGame] = gameTitles
  const isCommon = ({ name }) => Object.hasOwn(commonTables, name)
  const sections = [
    ['## Every game', schemaOf(anyGame.id).filter(isCommon), Object.entries(commonQuestions)],
    ...gameTitles.map(({ id, title }) => [
      `## ${title}`,
      schemaOf(id).filter((table) => !isCommon(table)),
      Object.entries(questionsOf(id)).filter(([name]) => !Object.hasOwn(commonQuestions, name)),
    ]),
  ]
  const page = [preamble, ...sections.map(section)].join('\n')
  const { format, resolveConfig } = await import('prettier')
  return format(page, { ...(await resolveConfig(file)), filepath: file })
}

function section([heading, tables, questions]) {
  const asked = questions.map(
    ([name, question]) => `| \`${name}\` | ${cell(question.about)} | ${parametersOf(question)} |`,
  )
  const list = ['| Question | Answer | Parameters |', '| --- | --- | --- |', ...asked].join('\n')
  return `${heading}\n\n${list}\n\n${tables.map(tableOf).join('\n')}`
}

function parametersOf({ parameters }) {
  return Object.entries(parameters)
    .map(([name, { about }]) => `\`${name}\`: ${cell(about)}`)
    .join('; ')
}

function tableOf({ name, about, isView, columns }) {
  const rows = columns.map((column) => `| \`${column.name}\` | ${column.type ?? ''} | ${cell(column.about)} |`)
  const head = ['| Column | Type | Meaning |', '| --- | --- | --- |']
  return `**\`${name}\`**${isView ? ' (a view)' : ''}: ${about}\n\n${[...head, ...rows].join('\n')}\n`
}

const cell = (text) => text.replaceAll('|', '\\|')

if (pathToFileURL(process.argv[1]).href === import.meta.url) {
  await entry(async () => {
    writeFileSync(file, await miningPage())
    note(`${file} is written.`)
    return 0
  })
}
