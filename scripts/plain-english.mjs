// Finds one bad habit of our English, transferred from German: a sentence that opens with a free relative ("What the user sees.",
// "Whether it is over.") in place of a noun, and negation by "is no". `node scripts/plain-english.mjs FOLDER...` prints each place.
import { readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import { argv } from 'node:process'
import { fileURLToPath } from 'node:url'
import { proseOf } from './prose.mjs'

/** The begin of a piece or of a sentence in it, after the tag of a doc comment if there is one. */
const opening =
  /(?<=^|(?:^|\n)\s*@\w+(?: \w+ -)?\s+|[.!?:;]["')’”]?\s+|[("“])(?:What|Whether|Who|Whose|Whom|Where|Of)\s+(?!course\b)\S/g
const negations = [
  /(?<!\bthere\s+(?:\w+\s+)?)\b(?:is|are|was|were)\s+no\s+(?!longer|more|less|later|earlier|fewer)[a-z]+/gi,
  /(?<!\b[Tt]here\s+)\b(?:is|are|was|were)\s+none\b(?!\s+of\b)/g,
  /\b(?:which\s+there\s+(?:is|are|was|were)\s+(?:not|none)|that\s+there\s+(?:is|are|was|were)\s+not)\b/gi,
  /\bso\s+many\b(?!(?:\s+\S+){0,8}\s+that\b)/gi,
]

/** Places that may stay, as they are printed but for the line, each with its reason. */
const allowed = new Map([])

/** The places in a piece of English, each as its first words. */
export function placesIn(text) {
  const openings = [...text.matchAll(opening)].filter(({ index, 0: found }) => !isQuestion(text, index + found.length))
  const found = [...openings, ...negations.flatMap((pattern) => [...text.matchAll(pattern)])]
  return found
    .sort((a, b) => a.index - b.index)
    .map(({ index }) => ({ start: index, words: text.slice(index).split(/\s+/).slice(0, 8).join(' ') }))
}

/** True if the sentence that goes on at `at` ends with a question mark. */
const isQuestion = (text, at) => /[.!?](?=["')’”]?(?:\s|$))/.exec(text.slice(at - 1))?.[0] === '?'

/** Every place below `folders` of `root`, as `file:line: words`, and the number of comments that were read. */
export function findPlaces(root, folders) {
  const places = []
  let comments = 0
  for (const file of filesIn(root, folders)) {
    for (const { kind, line, text } of proseOf(file, readFileSync(join(root, file), 'utf8')) ?? []) {
      if (kind === 'comment') comments += 1
      for (const { start, words } of placesIn(text)) {
        const at = line + text.slice(0, start).split('\n').length - 1
        if (!allowed.has(`${file}: ${words}`)) places.push({ file, line: at, kind, words })
      }
    }
  }
  return { places, comments }
}

/** Data of tests, files of others, and the test that shows the pattern. */
const unread = /(?:^|\/)(?:node_modules|dist|release|golden|\.\w+)\/|^(?:LICENSE|package-lock\.json)|\/plain-english\.test\.ts$/

function filesIn(root, folders) {
  const all = folders.flatMap((folder) => {
    if (/\.\w+$/.test(folder)) return [folder]
    return readdirSync(join(root, folder), { withFileTypes: true, recursive: folder !== '.' })
      .filter((item) => item.isFile())
      .map((item) => join(item.parentPath, item.name).slice(root.length).split(sep).join('/').replace(/^\/+/, ''))
  })
  return all.filter((file) => !unread.test(file)).sort()
}

export const rooms = ['.', 'main', 'renderer', 'grammars', 'agents', 'scripts', 'test', 'docs']

if (realpathSync(argv[1]) === fileURLToPath(import.meta.url)) {
  const root = join(fileURLToPath(import.meta.url), '..', '..')
  const named = argv.slice(2).map((folder) => folder.replace(/\/+$/, ''))
  const { places, comments } = findPlaces(root, named.length > 0 ? named : rooms)
  for (const { file, line, words } of places) console.error(`${file}:${line}: ${words}`)
  const counts = new Map()
  for (const { file } of places) {
    const folder = file
      .split('/')
      .slice(0, Math.min(file.split('/').length - 1, 2))
      .join('/')
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  for (const [folder, count] of counts) console.error(`${String(count).padStart(5)}  ${folder === '' ? '.' : folder}`)
  const inComments = places.filter(({ kind }) => kind === 'comment').length
  console.error(`${places.length} places, ${inComments} of them in ${comments} comments`)
}
