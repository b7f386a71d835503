// Finds one bad habit of our English, transferred from German: a sentence that opens with a free relative in place of a noun,
// and negation by "is no". `node scripts/plain-english.mjs` fails if a folder has more such places than scripts/plain-english.json
// permits; with folders as arguments it lists their places; with `--lower` it lowers the permitted numbers to what is left. It also
// fails if one of the sentences `retired` there, which nobody understood, is in a string or a text again.
import { readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import process, { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { proseOf } from './prose.mjs'

/** The begin of a piece or of a sentence in it, after the tag of a doc comment if there is one. */
const opening =
  /(?<=^|(?:^|\n)\s*@\w+(?: \w+ -)?\s+|[.!?:;]["')’”]?\s+|\()(?:What|Whether|Who|Whose|Whom|Where|Of)\s+(?!course\b)\S/g
const negations = [
  /(?<!\bthere\s+(?:\w+\s+)?)\b(?:is|are|was|were)\s+no\s+(?!longer|more|less|later|earlier|fewer)[a-z]+/gi,
  /(?<!\b[Tt]here\s+)\b(?:is|are|was|were)\s+none\b(?!\s+of\b)/g,
  /\b(?:which\s+there\s+(?:is|are|was|were)\s+(?:not|none)|that\s+there\s+(?:is|are|was|were)\s+not)\b/gi,
  /\bso\s+many\b(?!(?:\s+\S+){0,8}\s+that\b)/gi,
]

/** A short label of the window, such as "Who begins", is a question without its mark. */
const label = /^Who(?:\s+\S+){1,2}$/

/** The places in a piece of English, each as its first words. */
function placesIn(kind, text) {
  if (kind !== 'comment' && label.test(text.trim())) return []
  const openings = [...text.matchAll(opening)].filter(({ index, 0: found }) => !isQuestion(text, index + found.length))
  return placesAt([...openings, ...negations.flatMap((pattern) => [...text.matchAll(pattern)])], text)
}

const placesAt = (found, text) =>
  found
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => ({ start: index, words: text.slice(index).split(/\s+/).slice(0, 8).join(' ') }))

/** The retired sentences in a piece of English that people read. */
const retiredIn = (kind, text, retired) =>
  kind === 'comment'
    ? []
    : placesAt(
        retired.flatMap((pattern) => [...text.matchAll(pattern)]),
        text,
      )

/** True if the sentence that goes on at `at` ends with a question mark. */
const isQuestion = (text, at) => /[.!?](?=["')’”]?(?:\s|$))/.exec(text.slice(at - 1))?.[0] === '?'

/**
 * Every place below `folders` of `root`, with its file, line, kind and first words, and the number of comments that were read.
 * `allowed`: places that may stay, as `file: words`, each with a reason. `retired`: regular expressions, in which a space stands for any
 * white space; their places are `isRetired`.
 */
export function findPlaces(root, folders, allowed = {}, retired = []) {
  const places = []
  const patterns = retired.map((source) => new RegExp(source.replaceAll(' ', '\\s+'), 'gi'))
  let comments = 0
  for (const file of filesIn(root, folders)) {
    for (const { kind, line, text } of proseOf(file, readFileSync(join(root, file), 'utf8')) ?? []) {
      if (kind === 'comment') comments += 1
      const lineAt = (start) => line + text.slice(0, start).split('\n').length - 1
      for (const { start, words } of placesIn(kind, text))
        if (!Object.hasOwn(allowed, `${file}: ${words}`)) places.push({ file, line: lineAt(start), kind, words })
      for (const { start, words } of retiredIn(kind, text, patterns))
        places.push({ file, line: lineAt(start), kind, words, isRetired: true })
    }
  }
  return { places, comments }
}

/** The number of places of each folder, two levels deep; those of files at the top are under '.'. Retired sentences do not count. */
function countPlaces(places) {
  const counts = {}
  for (const { file, isRetired } of places) {
    if (isRetired) continue
    const folder = file.split('/').slice(0, -1).slice(0, 2).join('/') || '.'
    counts[folder] = (counts[folder] ?? 0) + 1
  }
  return counts
}

/** The places of folders that have more of them than `ceilings` permits; a folder that is not in it may have none. */
export function excess(places, ceilings) {
  const counts = countPlaces(places)
  const over = Object.keys(counts).filter((folder) => counts[folder] > (ceilings[folder] ?? 0))
  return over.map((folder) => ({
    folder,
    permitted: ceilings[folder] ?? 0,
    places: places.filter(({ file }) => countPlaces([{ file }])[folder] === 1),
  }))
}

/** Data of tests, files of others, and the test that shows the pattern. */
const unread =
  /(?:^|\/)(?:node_modules|dist|release|golden|\.\w+)\/|^(?:LICENSE|package-lock\.json)|\/plain-english\.test\.ts$/

function filesIn(root, folders) {
  const all = folders.flatMap((folder) => {
    if (/\.\w+$/.test(folder)) return [folder]
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: folder !== '.' })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name).slice(root.length).split(sep).join('/').replace(/^\/+/, ''))
  })
  return all.filter((file) => !unread.test(file)).sort()
}

const rooms = ['.', 'main', 'renderer', 'grammars', 'agents', 'scripts', 'test', 'docs']
const root = join(fileURLToPath(import.meta.url), '..', '..')
const settings = join(root, 'scripts', 'plain-english.json')
const printed = ({ file, line, words }) => `${file}:${line}: ${words}`

function list(folders, { allowed, retired }) {
  const { places, comments } = findPlaces(root, folders, allowed, retired)
  for (const place of places) console.log(printed(place))
  for (const [folder, count] of Object.entries(countPlaces(places)))
    console.log(`${String(count).padStart(5)}  ${folder}`)
  const inComments = places.filter(({ kind }) => kind === 'comment').length
  console.log(`${places.length} places, ${inComments} of them in ${comments} comments`)
}

function check({ allowed, ceilings, retired }) {
  const { places } = findPlaces(root, rooms, allowed, retired)
  const again = places.filter(({ isRetired }) => isRetired)
  for (const place of again) console.error(`retired, because nobody understood it: ${printed(place)}`)
  if (again.length > 0) process.exitCode = 1
  const found = excess(places, ceilings)
  for (const { folder, permitted, places } of found) {
    console.error(`${folder}: ${places.length} places, ${permitted} permitted:`)
    for (const place of places) console.error(`  ${printed(place)}`)
  }
  if (found.length === 0) return
  console.error('Write subject, verb and the usual word: CONTRIBUTING.md has examples.')
  process.exitCode = 1
}

function lower({ allowed, ceilings, retired }) {
  const counts = countPlaces(findPlaces(root, rooms, allowed).places)
  const left = Object.entries(ceilings).map(([folder, ceiling]) => [folder, Math.min(ceiling, counts[folder] ?? 0)])
  const lowered = Object.fromEntries(left.filter(([, count]) => count > 0))
  writeFileSync(settings, `${JSON.stringify({ allowed, retired, ceilings: lowered }, null, 2)}\n`)
}

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const read = JSON.parse(readFileSync(settings, 'utf8'))
  const folders = argv.slice(2).map((folder) => folder.replace(/\/+$/, ''))
  if (folders[0] === '--lower') lower(read)
  else if (folders.length > 0) list(folders, read)
  else check(read)
}
