import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

interface Licenses {
  packageFolder(module: string, from?: string): string | null
  modulesOfEsbuild(metafile: object): readonly string[]
  modulesOfVite(output: readonly object[]): readonly string[]
  licensesOf(folders: readonly string[]): string
}

const root = join(import.meta.dirname, '../../..')
const script = pathToFileURL(join(root, 'scripts/licenses.mjs')).href
const { licensesOf, modulesOfEsbuild, modulesOfVite, packageFolder } = (await import(script)) as Licenses
const folder = temporaryFolder('licenses')

function packageOf(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(folder, name)
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'MIT' }))
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text)
  return path
}

test.each<[string, string | null]>([
  ['main/cli/main.ts', null],
  ['../main/contract/ids.ts', null],
  ['<stdin>', null],
  ['node_modules/zod/v4/core/core.js', '/project/node_modules/zod'],
  ['../node_modules/@lezer/common/dist/index.js?v=1', '/node_modules/@lezer/common'],
  ['node_modules/a/node_modules/@b/c/x.js', '/project/node_modules/a/node_modules/@b/c'],
  ['/elsewhere/node_modules/d3-scale/src/a.js', '/elsewhere/node_modules/d3-scale'],
  ['\0vite/preload-helper.js', join(root, 'node_modules/vite')],
  ['\0rolldown/runtime.js', join(root, 'node_modules/rolldown')],
])('whose %j is', (module, expected) => {
  expect(packageFolder(module, '/project')).toBe(expected)
})

test('a module that a tool made up must be known', () => {
  expect(() => packageFolder('\0new-tool/helper.js')).toThrow('does not know whose it is')
})

test('what is left out of a bundle is not in it', () => {
  const metafile = {
    outputs: {
      'a.js': { inputs: { 'node_modules/a/x.js': { bytesInOutput: 5 }, 'node_modules/b/x.js': { bytesInOutput: 0 } } },
    },
  }
  expect(modulesOfEsbuild(metafile)).toEqual(['node_modules/a/x.js'])
  const output = [
    {
      type: 'chunk',
      modules: { a: { renderedLength: 3 }, b: { renderedLength: 0 }, 'c.css?x': { renderedLength: 0 } },
    },
    { type: 'asset', originalFileNames: ['font.woff2'] },
  ]
  expect(modulesOfVite(output)).toEqual(['a', 'c.css?x', 'font.woff2'])
})

test('all texts of a package are there, once; a package without one ends the build with a sentence', () => {
  const good = packageOf('good', { 'LICENSE.md': 'You may.', NOTICE: 'Made by us.', 'readme.md': 'not this' })
  const text = licensesOf([good, good])
  expect(text.split('\n\ngood 1.2.3 (MIT)\n\n')).toHaveLength(2)
  expect(text).toContain('You may.\n\nMade by us.')
  expect(text).not.toContain('not this')
  expect(() => licensesOf([good, packageOf('@odd/bad', {})])).toThrow(
    '@odd/bad 1.2.3 is bundled, and its package has no licence file: put the text into scripts/licenses/@odd__bad.txt.',
  )
})

/** By other means than the build's: what it has left in dist/ tells of packages by their comments and by their maps. */
test('what is in dist/ is in its licences', () => {
  const licences = readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), 'utf8')
  expect(readFileSync(join(root, 'dist/renderer/licenses.txt'), 'utf8')).toBe(licences)
  const maps = readdirSync(join(root, 'dist')).filter((file) => file.endsWith('.map'))
  expect(maps.length).toBeGreaterThan(2)
  const inMaps = maps.flatMap(
    (file) => (JSON.parse(readFileSync(join(root, 'dist', file), 'utf8')) as { sources: string[] }).sources,
  )
  const folders = new Set(inMaps.flatMap((source) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1] ?? []))
  expect(folders.size).toBeGreaterThan(20)
  const titles = licences.split(`\n\n${'-'.repeat(80)}\n\n`).map((part) => part.split(/ \(|\n/, 1)[0])
  // Packages that a package has bundled are in its own map, and in no folder here.
  const inMapsOf = [...folders].map((folder) => resolve(root, 'dist', folder)).filter((folder) => existsSync(folder))
  // The window and the agents' host have no maps.
  const others = [
    'svelte',
    'bits-ui',
    '@codemirror/view',
    '@lezer/common',
    'crelt',
    'style-mod',
    'd3-scale',
    'd3-shape',
  ]
  const more = ['buffer', 'base64-js', 'ieee754', '@fontsource-variable/inter']
  for (const folder of [...inMapsOf, ...[...others, ...more].map((name) => join(root, 'node_modules', name))]) {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { name: string; version: string }
    expect(titles).toContain(`${manifest.name} ${manifest.version}`)
  }
})
