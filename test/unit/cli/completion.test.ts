import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from './environment.ts'

const folder = temporaryFolder('completion')

/** Completions of the last word, as the shell itself finds them. */
const ways: Readonly<Record<string, (file: string, words: readonly string[]) => readonly string[]>> = {
  bash: (file, words) => [
    '--norc',
    '-c',
    `source ${file}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _tartaglia; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  fish: (file, words) => ['--no-config', '-c', `source ${file}; complete -C '${words.join(' ')}'`],
}
const isHere = (shell: string): boolean => spawnSync(shell, ['--version']).error === undefined

writeFileSync(join(folder, 'here.zip'), '')

describe.each(Object.keys(ways))('%s completes', (shell) => {
  const here = isHere(shell)
  test.skipIf(!here).each<readonly [words: readonly string[], found: readonly string[], not: readonly string[]]>([
    [['tartaglia', ''], ['contest', 'serve', 'doctor', 'run', 'debug'], ['standings']],
    [['tartaglia', 'contest', 'r'], ['run'], ['standings', 'receipt']],
    [['tartaglia', 'contest', 'run', '--'], ['--json', '--cores', '--isolation', '--help'], ['--port']],
    [['tartaglia', 'contest', 'run', 'week.json', '--ex'], ['--export'], ['--json']],
    [['tartaglia', 'contest', 'run', ''], [], ['--json', '--help']],
    [['tartaglia', 'kit', ''], ['javascript', 'python'], []],
    [['tartaglia', 'contest', 'run', '--isolation', ''], ['bubblewrap', 'permission'], ['run']],
    [
      ['tartaglia', 'kit', 'python', '--game', ''],
      ['haggle', 'cows'],
      ['java', '--json'],
    ],
    [['tartaglia', 'schema', 'cont'], ['contest', 'contest-run-output'], ['agent']],
    // A value that may be anything is a file.
    [['tartaglia', 'kit', 'python', '--out', ''], shell === 'fish' ? ['here.zip'] : [], ['java', 'python']],
    [['tartaglia', 'serve', '--port', ''], [], ['here.zip', 'run']],
  ])(`%j (needs ${shell})`, async (words, found, not) => {
    const file = join(folder, shell)
    writeFileSync(file, (await run('completion', shell)).stdout)
    const { stdout, stderr } = spawnSync(shell, ways[shell]!(file, words), {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    })
    expect(stderr).toBe('')
    const offered = stdout.split('\n').map((line) => line.split('\t', 1)[0])
    expect(offered).toEqual(expect.arrayContaining([...found]))
    for (const word of not) expect(offered).not.toContain(word)
  })
})

test.skipIf(!isHere('zsh'))('zsh reads the script of bash (needs zsh)', async () => {
  const file = join(folder, 'zsh')
  writeFileSync(file, (await run('completion', 'zsh')).stdout)
  const script = `source ${file} && print $_comps[tartaglia]`
  const { stdout, status } = spawnSync('zsh', ['-f', '-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  expect([status, stdout]).toEqual([0, expect.stringContaining('_tartaglia')])
})

test.skipIf(!isHere('zsh')).each<readonly [words: string, found: readonly string[], not: string]>([
  ['tartaglia contest r', ['run', 'rerun'], 'receipt'],
  ['tartaglia contest run --isolation b', ['bubblewrap', 'permission'], 'run'],
])('zsh completes %s (needs zsh)', async (words, found, not) => {
  const file = join(folder, 'zsh-words')
  writeFileSync(file, (await run('completion', 'zsh')).stdout)
  // As zsh's own bashcompinit calls it; it sifts by the last word afterwards.
  const asCalled = `ask() { emulate -L sh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tartaglia; print -l -- "\${COMPREPLY[@]}"; }`
  const { stdout, stderr } = spawnSync('zsh', ['-f', '-c', `source ${file}; ${asCalled}; ask ${words}`], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: folder },
  })
  expect(stderr).toBe('')
  const offered = stdout.split('\n')
  expect(offered).toEqual(expect.arrayContaining([...found]))
  expect(offered).not.toContain(not)
})

test('another shell is refused', async () => {
  expect((await run('completion', 'powershell')).code).toBe(2)
})
