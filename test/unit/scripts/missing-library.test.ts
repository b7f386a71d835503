import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const scripts = join(import.meta.dirname, '../../../scripts')
const launcher = ['tartaglia', 'launch', 'prepare', 'setup', 'lock', 'npm-output']

/** An installed package on a system whose loader lacks a library: its Node is a program that ends as the loader ends one. */
function installedWithout(library: string): string {
  const folder = temporaryFolder('missing-library')
  const own = join(folder, 'scripts')
  for (const each of [own, join(folder, 'dist')]) mkdirSync(each)
  for (const name of [
    ...launcher,
    'open-classroom',
    'choose-window',
    'find-windows',
    'app-window',
    'sample-term-folder',
  ])
    copyFileSync(join(scripts, `${name}.mjs`), join(own, `${name}.mjs`))
  writeFileSync(join(folder, 'package.json'), '{"version":"1.2.3","type":"module"}')
  const bin = join(folder, 'node_modules', `node-linux-${process.arch}`, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, '..', 'package.json'), '{}')
  const words = `$0: error while loading shared libraries: ${library}: cannot open shared object file: No such file or directory`
  writeFileSync(join(bin, 'node'), `#!/bin/sh\necho "${words}" >&2\nexit 127\n`, { mode: 0o755 })
  return join(own, 'tartaglia.mjs')
}
const said = (program: string, ...args: readonly string[]) =>
  spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env: { PATH: process.env['PATH'] } })

test.skipIf(process.platform !== 'linux').each([
  ['libatomic.so.1', 'apt-get install libatomic1'],
  ['libother.so.2', 'the package that has it'],
])('a Node that lacks %s is told in a sentence that names a remedy (needs Linux)', (library, remedy) => {
  const program = installedWithout(library)
  for (const args of [['doctor'], []]) {
    const { status, stderr } = said(program, ...args)
    const last = stderr.trimEnd().split('\n').at(-1)!
    expect([status, last]).toEqual([3, expect.stringContaining(library) as string])
    expect(last).toContain(remedy)
  }
  // It loads no Node but the one that runs it.
  expect(said(program, '--version')).toMatchObject({ status: 0, stdout: '1.2.3\n', stderr: '' })
})

test('the debs, and the image, have the library of that Node', () => {
  const root = join(scripts, '..')
  const depends = (file: string, pattern: RegExp): readonly string[] =>
    pattern
      .exec(readFileSync(join(root, file), 'utf8'))![1]!
      .split(/[\s,'-]*[\s,]+(?:- )?/)
      .filter((word) => word !== '')
  const byUs = depends('scripts/linux-packages.mjs', /const depends =\s+'([^']+)'/)
  expect(byUs).toContain('libatomic1')
  expect(depends('electron-builder.yml', /\n {2}depends:\n((?: {4}- .*\n)+)/)).toEqual(byUs)
  const image = readFileSync(join(root, 'Containerfile'), 'utf8')
  expect(image.match(/apt-get install .*\blibatomic1\b/g)).toHaveLength(image.match(/^FROM /gm)!.length)
})
