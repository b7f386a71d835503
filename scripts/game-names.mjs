// Shared code names no game: `node scripts/game-names.mjs` prints each place where it does, and fails if there is one.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'

/** Names of games that were planned. */
const planned = ['punter', 'cows', 'herders', 'robbers']

/** The files that list games, the sample term's own among them, and this file. */
const registries = [
  'main/referees/games.ts',
  'main/cli/games.ts',
  'main/contract/outputs/games-outputs.ts',
  'main/app/sample-term/script.ts',
  'renderer/games.ts',
  'scripts/game-names.mjs',
]

/** Files that may still name a game. One that does no more has to be taken off the list. */
const exceptions = []

/** Texts for people; licences and lockfiles are not ours. */
const unread = /(\.md|\.cff|\.png|^LICENSE|^package-lock\.json)$/

/**
 * Names of games in the shared code below `root`, each as `file:line: text`, and exceptions that are not needed any more. A
 * folder that is called as a game, wherever it lies, is that game's own.
 */
export function gameNames(root, excepted = exceptions) {
  const referees = join(root, 'main', 'referees')
  const games = readdirSync(referees, { withFileTypes: true }).filter((item) => item.isDirectory())
  const ids = games.map(({ name }) => name)
  const words = [...ids, ...ids.flatMap((id) => titleIn(join(referees, id, `${id}.ts`))), ...planned]
  const name = new RegExp(words.map(patternOf).join('|'))
  const shared = filesIn(root).filter(
    (file) =>
      !unread.test(file) &&
      !registries.includes(file) &&
      !file
        .split('/')
        .slice(0, -1)
        .some((folder) => ids.includes(folder)),
  )
  const found = new Map(shared.map((file) => [file, placesIn(root, file, name)]))
  return [
    ...[...found].flatMap(([file, places]) => (excepted.includes(file) ? [] : places)),
    ...excepted
      .filter((file) => (found.get(file) ?? []).length === 0)
      .map((file) => `${file} names no game any more: take it off the exceptions in scripts/game-names.mjs.`),
  ]
}

/**
 * The pattern of a name in code: in lower case, with a capital letter, or in capitals. A short one may be a part of other words, so it
 * counts only as a word of its own or a part of a camelCase name.
 */
function patternOf(word) {
  const escaped = word.toLowerCase().replaceAll(/[^\w ]/g, String.raw`\$&`)
  if (word.length > 4)
    return [...escaped].map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter)).join('')
  const capital = escaped[0].toUpperCase() + escaped.slice(1)
  return `(?<![a-zA-Z])${escaped}(?![a-z])|${capital}(?![a-z])|(?<![A-Z])${escaped.toUpperCase()}(?![A-Z])`
}

/** A game's title, as its folder says it. */
function titleIn(file) {
  const title = existsSync(file) ? /^ {2}title: '([^']+)'/m.exec(readFileSync(file, 'utf8')) : null
  return title === null ? [] : [title[1]]
}

function placesIn(root, file, name) {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return [
    ...(name.test(file) ? [`${file}: the name of the file`] : []),
    ...lines.flatMap((text, at) => (name.test(text) ? [`${file}:${at + 1}: ${text.trim()}`] : [])),
  ]
}

/** The code, and the files of settings beside it. */
function filesIn(root) {
  const top = readdirSync(root, { withFileTypes: true }).filter((item) => item.isFile())
  const folders = ['main', 'renderer', 'grammars', 'agents', 'scripts'].filter((folder) =>
    existsSync(join(root, folder)),
  )
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name).slice(root.length + 1)),
  )
  return [...top.map(({ name }) => name), ...below.map((file) => file.split(sep).join('/'))].sort()
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const lines = gameNames(join(fileURLToPath(import.meta.url), '..', '..'))
  for (const line of lines) console.error(line)
  if (lines.length > 0) {
    console.error(
      'Shared code names no game: what it has to know of one is an optional member of Game (main/contract/game/game.ts). If the words only look like a name, give the game an id and a title that nobody uses otherwise.',
    )
    process.exitCode = 1
  }
}
