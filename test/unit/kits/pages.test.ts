import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { kitNames } from '../../../main/contract/players/kits.ts'
import { kitFileName, packKit } from '../../../main/services/agents/kits.ts'
import { PackageProblem } from '../../../main/services/packages/files.ts'
import { readZip, type ZipEntry } from '../../../main/services/packages/zip.ts'
import { gamesWithKits } from './lessons.ts'

const kits = gamesWithKits.flatMap((game) => kitNames.map((kit) => [game, kit] as const))

/** The files of a kit by their paths in it. */
async function filesOf(game: string, kit: (typeof kitNames)[number]): Promise<ReadonlyMap<string, string>> {
  const entries = readZip(await packKit({ game, kit }))
  if (entries instanceof PackageProblem) throw new Error(entries.why)
  const prefix = `${kitFileName({ game, kit }).replace('.zip', '')}/`
  return new Map(
    entries.map(({ path, size, read }: ZipEntry): [string, string] => {
      const bytes = read(size)
      return [path.replace(prefix, ''), bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : '']
    }),
  )
}

/** Files that a student makes by following the pages, or that examples invent. */
const made =
  /^(old|mine|cases\/mine|my-agent|fior|anna|matcher|haggle|match-\d+|contest|week-\d+|greedy|key|settings|agent)\b/

test.each(kits)('no page of the kit of %s for %s names a file that the kit lacks', async (game, kit) => {
  const files = await filesOf(game, kit)
  const pages = [...files].filter(([path]) => /^[A-Z-]+\.md$/.test(path))
  expect(pages.map(([path]) => path)).toContain('README.md')
  const lacking: string[] = []
  for (const [page, text] of pages) {
    expect([page, text]).toEqual([page, expect.not.stringContaining('<!-- ') as string])
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
      if (/^(main|docs|agents|grammars|test|scripts|renderer)\//.test(code)) lacking.push(`${page}: ${code}`)
      for (const [name] of code.matchAll(/(?<![\w./-])[\w./-]+\.(md|py|cjs|mjs|d\.ts|ts|cd)(?![\w./-])/g)) {
        const path = posix.normalize(name)
        const isOwn = page === 'README.md' || page === 'BEAT-THE-BABY.md'
        if (!files.has(path) && !(isOwn ? /^(old|cases\/mine)\b/ : made).test(path)) lacking.push(`${page}: ${name}`)
      }
    }
  }
  expect(lacking).toEqual([])
  const window = files.get('dist/renderer/index.html') ?? ''
  expect(window).toContain(`<html data-game="${game}"`)
  const { tartaglia } = JSON.parse(files.get('package.json')!) as { tartaglia: object }
  expect(tartaglia).toEqual({ game, kit })
  expect(files.has('.vscode/launch.json')).toBe(true)
  // The lessons are in the language of the kit alone.
  const lessons = files.get('BEAT-THE-BABY.md')!
  const fences = new Set([...lessons.matchAll(/^```(\w+)$/gm)].map(([, fence]) => fence))
  expect([...fences]).toEqual([kit === 'javascript' || kit === 'typescript' ? 'js' : kit])
  expect(files.has('lessons.md')).toBe(false)
  expect(lessons).not.toContain('In Python')
})
