import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { agentManifest } from '../../../main/contract/players/agents.ts'
import { judgeDictionary, readDictionary } from '../../../grammars/class-dictionary/index.ts'
import { readContest } from '../../../main/services/contests/descriptions/contest-file.ts'
import { readMatchFile } from '../../../main/services/games/cows/match-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { sourceOf } from '../../unit/challenges/shipped.ts'

const root = join(import.meta.dirname, '../../..')
const pages = ['README.md', 'CONTRIBUTING.md', ...pagesBelow('docs'), ...pagesBelow('agents')]
const folder = temporaryFolder('examples')

function pagesBelow(room: string): readonly string[] {
  const files = readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
  return files.filter((file) => file.endsWith('.md')).map((file) => join(room, file).replaceAll('\\', '/'))
}

/** The game of a page; `other` for pages of no game. */
const gameOf = (page: string, other = 'specker'): string => /games\/(\w+)\.md$/.exec(page)?.[1] ?? other

const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

/** The blocks of code of a page, with their languages ('' for none). */
function blocksOf(page: string): readonly { readonly language: string; readonly text: string }[] {
  const found = textOf(page).matchAll(/^ *```(\w*)\n([^]*?)^ *```$/gm)
  return [...found].map(([, language = '', text = '']) => ({ language, text }))
}

/** The blocks of all pages in a language, each with its page and its number there. */
function blocksIn(wanted: string): readonly (readonly [string, number, string])[] {
  return pages.flatMap((page) => {
    const blocks = blocksOf(page).filter(({ language }) => language === wanted)
    return blocks.map(({ text }, at) => [page, at + 1, text] as const)
  })
}

describe('blocks of JSON', () => {
  const blocks = blocksIn('json')
  const configs = new Map<string, object>([
    ['specker', { challenge: 'max-csp' }],
    ['cops', { map: 'oxford.wsk' }],
  ])
  /** A contest in which a part of a contest file, such as a format, is valid. */
  const around = (game: string): object => ({
    ...{ title: 'Example', game, config: configs.get(game) ?? {}, seed: 'any text' },
    ...{
      format: { type: 'single' },
      entrants: Array.from({ length: 8 }, (_, at) => ({ name: `e${at}`, agent: 'baby' })),
    },
  })

  beforeAll(async () => {
    // Files that examples name.
    for (const [words, file] of [
      [['punter', 'map', 'grid'], 'mine.json'],
      [['cows', 'map', 'scattered'], 'my-map.json'],
      [['cops', 'map', '--avenues', '16', '--streets', '12'], 'oxford.wsk'],
    ] as const)
      expect(await run(...words, '--out', join(folder, file))).toMatchObject({ code: 0 })
    writeFileSync(join(folder, 'padova.entries'), '')
  })

  test('are found in pages of agents, contests and games', () => {
    expect(new Set(blocks.map(([page]) => page)).size).toBeGreaterThanOrEqual(7)
  })

  test.each(blocks)('%s, block %i is accepted', async (page, at, text) => {
    const whole = text.startsWith('{')
    const value = JSON.parse(whole ? text : `{${text}}`) as Readonly<Record<string, unknown>>
    const file = join(folder, `${page.replaceAll('/', '-')}-${at}.json`)
    if ('kind' in value) expect(agentManifest.safeParse(value).error).toBeUndefined()
    else if ('teams' in value) {
      const teams = value['teams'] as readonly { users: readonly { username: string }[] }[]
      // The example shows one user of each team; a team has one for each herder.
      const complete = teams.map((team) => ({
        ...team,
        users: team.users.flatMap((user) => Array.from('abcdef', (at) => ({ ...user, username: user.username + at }))),
      }))
      writeFileSync(file, JSON.stringify({ ...value, teams: complete }))
      expect((await readMatchFile(file, { data: folder })).simulations).toHaveLength(2)
    } else if ('format' in value || 'entrants' in value) {
      writeFileSync(file, JSON.stringify(whole ? value : { ...around(gameOf(page)), ...value }))
      const { phases = [] } = await readContest(file, folder)
      expect(phases).toHaveLength((value['phases'] as readonly unknown[] | undefined)?.length ?? 0)
    } else expect([page, Object.keys(value)]).toEqual(['docs/class-dictionaries.md', ['variables', 'constraints']]) // See below.
  })
})

/** Each command with its help, by its words. */
const commands = new Map(
  [...textOf('docs/commands.md').matchAll(/^## (.+)\n\n```\n([^]*?)^```$/gm)].map(([, name = '', help = '']) => [
    name,
    help,
  ]),
)

/** The command lines of a page, in blocks and in sentences. */
function commandLines(page: string): readonly string[] {
  const text = textOf(page)
  const inBlocks = blocksOf(page).flatMap((block) => block.text.replaceAll(/\\\n\s*/g, '').split('\n'))
  const inSentences = [...text.replaceAll(/^ *```[^]*?^ *```$/gm, '').matchAll(/`([^`]+)`/g)].map(
    ([, line = '']) => line,
  )
  return [...inBlocks, ...inSentences].map((line) => line.replaceAll(/\s+/g, ' ').trim())
}

describe('command lines', () => {
  const lines = pages
    .filter((page) => page !== 'docs/commands.md')
    .flatMap((page) => commandLines(page).map((line) => [page, line] as const))
  const ours = lines.filter(([, line]) => /^npx tartaglia [a-z]/.test(line) && !line.startsWith('npx tartaglia help'))

  test('are found', () => {
    expect(ours.length).toBeGreaterThan(60)
    expect(commands.size).toBeGreaterThan(40)
  })

  test.each(ours)('%s: %s names a command and options that exist', (_page, line) => {
    const words = line
      .replace(/ (?:--|#) .*$/, '')
      .split(' ')
      .slice(2)
    const name = [3, 2, 1].map((length) => words.slice(0, length).join(' ')).find((each) => commands.has(each))
    expect([line, name]).not.toEqual([line, undefined])
    const help = commands.get(name!)!
    const options =
      line
        .replaceAll(/"[^"]*"/g, '')
        .replace(/ (?:--|#) .*$/, '')
        .match(/(?<= \[?)--?[a-z][\w-]*/g) ?? []
    for (const option of options)
      expect(help, `${option} of ${line}`).toMatch(new RegExp(`^  (?:-\\w, )?${option}(?![\\w-])`, 'm'))
  })

  test('of npm name scripts of package.json', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }
    const named = lines.flatMap(([, line]) => /^(?:sudo )?npm (?:run )?([a-z][\w:-]*)/.exec(line)?.[1] ?? [])
    const ofNpm = new Set(['install', 'ci', 'help', 'publish'])
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !(name in scripts) && !ofNpm.has(name))).toEqual([])
  })
})

test('docs/language.md shows the property of an instance as max-csp has it', () => {
  const property = blocksOf('docs/language.md').find(({ text }) => text.startsWith('property instance'))!
  expect(sourceOf('max-csp')).toContain(property.text.trim())
})

describe('docs/class-dictionaries.md', () => {
  const blocks = blocksOf('docs/class-dictionaries.md')

  test('shows a dictionary, a value of it and its JSON', async () => {
    const at = blocks.findIndex(({ text }) => text.startsWith('// MAX-CSP'))
    const [dictionary, value, json] = blocks.slice(at).map(({ text }) => text)
    writeFileSync(join(folder, 'd.cd'), dictionary!)
    writeFileSync(join(folder, 'value'), value!)
    const parsed = await run('dictionary', 'parse', join(folder, 'd.cd'), join(folder, 'value'), '--class', 'Instance')
    expect(parsed).toMatchObject({ code: 0 })
    expect(JSON.parse(parsed.stdout)).toEqual(JSON.parse(json!))
  })

  const errors = [
    ...textOf('docs/class-dictionaries.md').matchAll(/^\| ([a-zL].*?) +\| `([^|]*(?:\\\|[^|]*)*)`.*\|$/gm),
  ]
  const examples = errors.flatMap(([, error = '', example = '']) =>
    /[.;]$/.test(example) ? [[error, example] as const] : [],
  )

  test.each(examples)('the example of the error "%s" has one: %s', (error, example) => {
    const text = example.replaceAll('\\|', '|')
    const { dictionary } = readDictionary(error === 'missing include' ? `${text} A = .` : text, { dialect: 'C' })
    expect(dictionary).not.toBeNull()
    expect(judgeDictionary(dictionary!).errors).not.toEqual([])
  })

  test('has an example of every error', () => {
    expect(examples.length).toBeGreaterThanOrEqual(12)
  })
})

describe('scripts', () => {
  const scripts = blocksIn('js').filter(([, , text]) => text.includes('module.exports'))

  test('are shown for Haggling and for Cops & Robbers', () => {
    expect(scripts.map(([page]) => page)).toEqual(['docs/agents.md', 'docs/games/cops.md'])
  })

  test.each(scripts)('%s, block %i plays a trial match', async (page, at, text) => {
    const game = gameOf(page, 'haggle')
    mkdirSync(join(folder, String(at), game), { recursive: true })
    const file = join(folder, String(at), game, 'agent.js')
    writeFileSync(file, text)
    const checked = await run('agent', 'check', '--game', game, '--isolation', 'permission', '--json', file)
    expect(checked, checked.stdout).toMatchObject({ code: 0 })
  })
})
