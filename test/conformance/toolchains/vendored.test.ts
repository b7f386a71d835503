import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { declaredFolders } from '../../../main/players/isolation/declared-toolchains.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { zip } from '../service/zip.ts'

// The packages of docs/toolchains.md: each brings a library with it, is built without a network, and plays.

const page = readFileSync(fileURLToPath(new URL('../../../docs/toolchains.md', import.meta.url)), 'utf8')
const folder = temporaryFolder('vendored')

/** The files of an example, by their paths in the package. */
function filesOf(example: string): Readonly<Record<string, string>> {
  const blocks = page.matchAll(/^`([a-z]+)\/([^`]+)`[^:\n]*:\n\n```[a-z]*\n([^]*?)^```$/gm)
  return Object.fromEntries([...blocks].flatMap(([, name, path, text]) => (name === example ? [[path!, text!]] : [])))
}

/** The binary form of a library that the page shows as source. */
const binaries: Readonly<Record<string, (source: string) => Uint8Array>> = {
  'wheels/fields-1.0-py3-none-any.whl': (source) => zip({ 'fields.py': source }),
  'lib/fields.jar'(source) {
    const home = join(folder, 'jar')
    mkdirSync(home)
    writeFileSync(join(home, 'Fields.java'), source)
    execFileSync('javac', ['-d', 'classes', 'Fields.java'], { cwd: home })
    execFileSync('jar', ['cf', 'fields.jar', '-C', 'classes', '.'], { cwd: home })
    return readFileSync(join(home, 'fields.jar'))
  },
}

const { path: declared } = await declaredFolders()
const hasBoxes = existsSync('/usr/bin/bwrap')
const has = (tool: string): boolean =>
  hasBoxes && ['/usr/bin', ...declared].some((each) => existsSync(join(each, tool)))

for (const [example, tool] of [
  ['python', 'python3'],
  ['java', 'javac'],
  ['cpp', 'g++'],
  ['go', 'go'],
  ['rust', 'cargo'],
] as const)
  test.skipIf(!has(tool))(
    `the package for ${example} builds without a network and passes its trial (needs ${tool}, bubblewrap)`,
    async () => {
      const files = Object.entries(filesOf(example))
      expect(files.length).toBeGreaterThan(2)
      const packed = files.map(([path, text]) => [path, binaries[path]?.(text) ?? text] as const)
      const file = join(folder, `${example}.zip`)
      writeFileSync(file, zip(Object.fromEntries(packed)))
      const { code, stdout } = await run('agent', 'check', file, '--game', 'punter', '--json')
      expect(code, stdout).toBe(0)
    },
  )
