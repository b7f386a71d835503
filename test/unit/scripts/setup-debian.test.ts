import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const script = join(import.meta.dirname, '../../../scripts/setup-debian.sh')

/** The packages that the script asks for on a system whose apt-cache knows these alone, and on which these programs are installed. */
function asked(known: readonly string[], installed: readonly string[] = []): readonly string[] {
  const folder = temporaryFolder('setup-debian')
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const program = (name: string, text: string): void => {
    writeFileSync(join(bin, name), `#!/bin/bash\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  // Nothing but these is found: no program that the script looks for is installed.
  for (const name of ['bash', 'grep']) {
    const place = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
    symlinkSync(place, join(bin, name))
  }
  for (const name of installed) program(name, ':')
  program('id', 'echo 0')
  program('sleep', ':')
  program('dpkg', 'exit 1')
  program('apt-cache', `[[ " ${known.join(' ')} " == *" $2 "* ]]`)
  program('apt-get', `[[ " $* " == *" install "* ]] || exit 0\necho "$@" >> '${folder}/asked'`)
  const { status } = spawnSync(join(bin, 'bash'), [script, '--tests'], { env: { PATH: bin }, encoding: 'utf8' })
  // The stub installs nothing, which the script sees.
  expect(status).toBe(1)
  const [line = ''] = readFileSync(join(folder, 'asked'), 'utf8').split('\n')
  return line.split(' ').filter((word) => !word.startsWith('-'))
}

const libraries = (words: readonly string[]): readonly string[] => words.filter((word) => word.startsWith('lib'))

test.skipIf(process.platform !== 'linux')(
  'libraries are asked for by the names that the system has: with t64 where it has them so (needs Linux)',
  () => {
    const old = libraries(asked(['libasound2', 'libgtk-3-0', 'libnss3']))
    expect(old).toContain('libasound2')
    const newer = libraries(asked(['libasound2t64', 'libgtk-3-0t64', 'libnss3']))
    expect(newer).toEqual(old.map((name) => (['libasound2', 'libgtk-3-0'].includes(name) ? `${name}t64` : name)))
  },
)

test.skipIf(process.platform !== 'linux').each([
  [[], true],
  [['chromium'], false],
  [['google-chrome'], false],
])('with %j, Chromium is asked for: %s (needs Linux)', (installed, wanted) => {
  expect(asked([], installed).includes('chromium')).toBe(wanted)
})
