import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

interface Place {
  readonly file: string
  readonly line: number
  readonly words: string
  readonly isRetired?: true
}
const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/plain-english.mjs')).href
const { findPlaces, excess } = (await import(script)) as {
  findPlaces: (
    root: string,
    folders: readonly string[],
    allowed?: Readonly<Record<string, string>>,
    retired?: readonly string[],
  ) => { places: readonly Place[]; comments: number }
  excess: (
    places: readonly Place[],
    ceilings: Readonly<Record<string, number>>,
  ) => readonly { folder: string; permitted: number; places: readonly Place[] }[]
}

let folder = ''
beforeEach(() => {
  folder = temporaryFolder('english')
})

/** The places in a file with this text, each as `line: its first words`. */
function found(file: string, text: string): readonly string[] {
  mkdirSync(dirname(join(folder, 'main', file)), { recursive: true })
  writeFileSync(join(folder, 'main', file), text)
  const { places } = findPlaces(folder, ['main'])
  return places.map(({ line, words }) => `${line}: ${words.split(' ').slice(0, 3).join(' ')}`)
}

test.each([
  ['a comment', 'a.ts', 'const a = 1 // What it sees\n', '1: What it sees'],
  ['a line of a comment', 'a.mjs', '\n// A sum. Where it\n// lies is shown.\n', '2: Where it lies'],
  ['a later line', 'a.ts', '// A sum\n// of two. Of both\n// sides.\n', '2: Of both sides.'],
  ['a doc comment', 'a.ts', '/**\n * A sum.\n * @returns Whether it is over\n */\n', '3: Whether it is'],
  ['a string', 'a.ts', "throw new Error('No. Who plays is unknown.')\n", '1: Who plays is'],
  ['a template', 'a.ts', "const a = b`x ${c({ d: '}' })}, ${e}`\n// A sum.\nconst f = `is no ${g}`\n", '3: is no x'],
  ['a string in a template', 'a.ts', "const a = `${b ? 'Mine 7 is no site' : ''}`\n", '1: is no site'],
  ['code after a regular expression', 'a.ts', "a.match(/['\"`]/g)\nconst b = 'This is no site.'\n", '2: is no site.'],
  ['code after a division', 'a.ts', "const a = (b) / c / 2\nconst d = 'This is no site.'\n", '2: is no site.'],
  [
    'the script of a component',
    'a.svelte',
    '<script lang="ts">\n  // Whether it plays\n</script>\n',
    '2: Whether it plays',
  ],
  ['text of a component', 'a.svelte', "<p>Don't.</p>\n<p>What {name} sees</p>\n", '2: What x sees'],
  ['an attribute', 'a.svelte', '<p>One</p>\n<p title="Who plays it now">Two</p>\n', '2: Who plays it'],
  ['a value in markup', 'a.svelte', "<p>\n  {a ? 'It is no site' : ''}\n</p>\n", '2: is no site'],
  ['the style of a component', 'a.svelte', '<style>\n  /* Where it is */\n</style>\n', '2: Where it is'],
  ['a style sheet', 'a.css', 'a {\n  /* What stands out */\n}\n', '2: What stands out'],
  ['a paragraph', 'a.md', 'One.\n\n**What** it is, we know.\n', '3: What it is,'],
  ['a heading', 'a.md', '# What it is\n', '1: What it is'],
  ['an item of a list', 'a.md', '- One\n- Who plays it now\n', '2: Who plays it'],
  ['a cell of a table', 'a.md', '| a | Where it is |\n', '1: Where it is'],
  ['negation of what there is', 'a.md', 'Site 9, which there is not, and 8, which is none.\n', '1: which there is'],
  ['a number that is not given', 'a.md', 'After so many moves it ends.\n', '1: so many moves'],
])('the pattern is found in %s', (_, file, text, place) => {
  expect(found(file, text)[0]).toBe(place)
})

describe('it is not found in', () => {
  test.each([
    ['questions', 'a.md', '# What is a contest?\n\nWho plays? "Where does it lie, and why?" we ask.\n'],
    [
      'idioms',
      'a.md',
      'Of course there is no site. It is no longer than that, and there are none. So many come that it is full.\n',
    ],
    ['code of a page', 'a.md', '```\nWhat it is\n```\n\nThe field `Who is it` has a value.\n'],
    ['single words', 'a.svelte', '<th>Who</th><th>Where</th>\n'],
    ['short labels', 'a.svelte', '<label>Who begins</label>\n<h2 title="Who beat whom">{text}</h2>\n'],
    ['sentences that go on', 'a.ts', '/** Tells what it sees,\n * where it is, and whether it is over. */\n'],
    ['names and regular expressions', 'a.ts', 'const What = /is no site/\nWhether(Who.Where)\n'],
    ['files of other kinds', 'a.txt', 'What it is\n'],
  ])('%s', (_, file, text) => {
    expect(found(file, text)).toEqual([])
  })
})

test('line comments that follow each other are counted as one comment', () => {
  found('a.ts', '// One\n// and the same.\nconst a = 1 // Two\n// Three\n/* Four */\n')
  expect(findPlaces(folder, ['main']).comments).toBe(4)
})

test('a folder may have as many places as are permitted, and no more', () => {
  found('room/a.ts', '// What it sees\n')
  found('room/inner/b.ts', '// Whether it plays\n')
  found('other/c.ts', '// Who plays\n')
  const { places } = findPlaces(folder, ['main'])
  expect(excess(places, { 'main/room': 2, 'main/other': 1 })).toEqual([])
  const [over, ...rest] = excess(places, { 'main/room': 1, 'main/other': 5 })
  expect([over?.folder, over?.permitted, over?.places.map(({ file }) => file)]).toEqual([
    'main/room',
    1,
    ['main/room/a.ts', 'main/room/inner/b.ts'],
  ])
  expect(rest).toEqual([])
  expect(excess(places, {}).map((each) => each.folder)).toEqual(['main/other', 'main/room'])
})

test('a place that is allowed is not counted', () => {
  found('a.ts', '// Who plays\n// and wins.\nconst label = "Where cows were"\n')
  expect(findPlaces(folder, ['main'], { 'main/a.ts: Where cows were': 'a label' }).places).toMatchObject([{ line: 1 }])
})

test('a retired sentence is found in what people read, over a line break too, and uses up no permission', () => {
  found('a.md', '# One\n\nAs section 4.3 of\nthe specification says.\n')
  found('b.ts', "// By section 4.3 of the specification\nconst a = 'By section 4 of the rulebook'\n")
  const { places } = findPlaces(folder, ['main'], {}, ['sections? [\\d.]+ of the specification'])
  expect(places).toMatchObject([{ file: 'main/a.md', line: 3, isRetired: true }])
  expect(excess(places, {})).toEqual([])
})

test('the riddles of the screens are retired', () => {
  const settings = join(import.meta.dirname, '../../../scripts/plain-english.json')
  const { retired } = JSON.parse(readFileSync(settings, 'utf8')) as { retired: readonly string[] }
  const riddles = [
    'The number of the last world; a robber that is free in it has escaped; even if nobody saw it.',
    'So many cops, the last ones, stand still where others are disqualified.',
    'An obstacle has the opposite.',
    'As in 2018, with its quirk about the least number of objects.',
    'See section 4.3 of the specification.',
    'It lists agents under their pseudonyms and names no people.',
    'This cannot be chance.',
  ]
  for (const [at, riddle] of riddles.entries()) found(`${at}.md`, `${riddle}\n`)
  const { places } = findPlaces(folder, ['main'], {}, retired)
  const files = new Set(places.filter(({ isRetired }) => isRetired).map(({ file }) => file))
  expect([...files].sort()).toEqual(riddles.map((_, at) => `main/${at}.md`))
})
