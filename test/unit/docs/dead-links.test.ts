import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { gamesWithKits } from '../kits/lessons.ts'
import { deadLinks, namedFiles } from './dead-links.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const pages = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md') && !/(^|\/)node_modules\/|^(dist|release|\.)/.test(path))
const templates = pages.filter((page) => page.startsWith('agents/kits/shared/'))

describe('links between pages of the project', () => {
  test('are looked for in all of them', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md', 'docs/agents.md', 'docs/games.md']))
    expect(templates).toHaveLength(7)
  })

  test.each(pages.filter((page) => !templates.includes(page)))('%s has no dead one', (page) => {
    // A game's own README of a kit lies beside that game's lessons in the kit.
    const kit = /^agents\/kits\/\w+(?=\/\w+\/README\.md$)/.exec(page)?.[0]
    const folders = [join(root, dirname(page)), ...(kit === undefined ? [] : [join(root, kit)])]
    const find = (file: string): string =>
      folders.map((folder) => resolve(folder, file)).find((path) => existsSync(path)) ?? join(root, page, file)
    expect(deadLinks(join(root, page), undefined, find)).toEqual([])
  })

  // The README of a kit is filled in for each game, and lies beside that game's lessons.
  test.each(gamesWithKits.flatMap((game) => templates.map((page) => [page, game] as const)))(
    '%s has no dead one in the kit of %s',
    (page, game) => {
      const text = readFileSync(join(root, page), 'utf8').replaceAll('{game}', game)
      const own = join(root, 'agents/kits', game)
      const inKit = (file: string): string =>
        [join(own, file), join(own, basename(dirname(page)), file)].find((path) => existsSync(path)) ?? join(own, file)
      const find = (file: string): string => (file.includes('/') ? resolve(root, dirname(page), file) : inKit(file))
      expect(deadLinks(join(root, page), text, find)).toEqual([])
    },
  )
})

// The changelog names files as they were.
test.each(pages.filter((page) => page !== 'CHANGELOG.md'))('%s names files that exist', (page) => {
  const names = namedFiles(readFileSync(join(root, page), 'utf8'))
  const exists = (name: string): boolean =>
    [name, `test/${name}`, `main/${name}`].some((path) => existsSync(join(root, path)))
  expect(names.filter((name) => !exists(name))).toEqual([])
})

describe('a dead link is found', () => {
  const folder = temporaryFolder('links')
  const [page, other] = [join(folder, 'page.md'), join(folder, 'other.md')]
  writeFileSync(other, "# The rules\n\n## Cops & Robbers\n\n## Who's `first`?\n\n## The rules\n\n```\n# Code\n```\n")

  test.each([
    '[a](none.md)',
    '![a](images/none.png)',
    '[a](other.md#none)',
    '[a](other.md#code)',
    '[a](other.md#the-rules-2)',
    '[a](#elsewhere)',
  ])('%s', (link) => {
    expect(deadLinks(page, `# Here\n\nSee ${link}.\n`)).toEqual([/\(([^)]*)\)/.exec(link)![1]])
  })

  test('and others are not', () => {
    const anchors = ['the-rules', 'the-rules-1', 'cops--robbers', 'whos-first']
    const links = [...anchors.map((anchor) => `[a](other.md#${anchor})`), '[a](other.md)', '[a](https://b.c/d.md)']
    writeFileSync(page, '# Here\n')
    const code = '`[a](none.md)`\n\n```\n[a](none.md)\n```\n'
    expect(deadLinks(page, `# Here\n\n[a](#here) ${links.join(' ')} ${code}`)).toEqual([])
  })
})
