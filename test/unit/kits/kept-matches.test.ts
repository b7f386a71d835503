import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keepMatch, keptMatches, lastMatch, prepareMatches } from '../../../main/services/agents/kept-matches.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const module = new URL('../../../main/services/agents/kept-matches.ts', import.meta.url).href

/** Says that it is there, and when it is told so keeps 25 matches, each with the text of its name and number. */
const keeper = `
import { keepMatch, prepareMatches } from ${JSON.stringify(module)}
const [folder, name] = process.argv.slice(1)
prepareMatches(folder)
process.stdout.write('ready')
process.stdin.once('data', () => {
  for (let at = 0; at < 25; at++) keepMatch(folder, Buffer.from(name + ' ' + at))
  process.exit(0)
})`

test('programs that keep matches at the same time take a number each, and lose none', async () => {
  const folder = temporaryFolder('kept')
  const names = ['a', 'b', 'c', 'd']
  const children = names.map((name) =>
    spawn(process.execPath, ['--input-type=module', '-e', keeper, folder, name], {
      stdio: ['pipe', 'pipe', 'inherit'],
    }),
  )
  await Promise.all(children.map(({ stdout }) => once(stdout, 'data')))
  const ends = children.map((child) => once(child, 'close'))
  for (const { stdin } of children) stdin.write('go')
  expect((await Promise.all(ends)).map(([code]) => Number(code))).toEqual([0, 0, 0, 0])
  const kept = keptMatches(folder)
  expect(kept.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => 100 - at))
  const texts = kept.map(({ path }) => readFileSync(path, 'utf8'))
  expect(texts.toSorted()).toEqual(
    names.flatMap((name) => Array.from({ length: 25 }, (_, at) => `${name} ${at}`)).toSorted(),
  )
  expect(readdirSync(join(folder, 'matches'))).toHaveLength(100)
})

test('the last match is one that was kept whole, and other files in the folder are left alone', () => {
  const folder = temporaryFolder('kept')
  expect(keptMatches(folder)).toEqual([])
  expect(() => lastMatch(folder)).toThrow(refusal('match-unknown'))
  prepareMatches(folder)
  // A number that was taken by a program that ended before it wrote the match.
  writeFileSync(join(folder, 'matches', 'match-4.history'), '')
  writeFileSync(join(folder, 'matches', 'match-99.history.bak'), 'mine')
  const first = keepMatch(folder, Buffer.from('one'))
  expect([first, lastMatch(folder)]).toEqual(Array(2).fill(join(folder, 'matches', 'match-5.history')))
  expect(keptMatches(folder).map(({ number }) => number)).toEqual([5])
  expect(readFileSync(join(folder, 'matches', 'match-99.history.bak'), 'utf8')).toBe('mine')
})

test('a folder in which nothing can be written is told before the match', () => {
  const folder = temporaryFolder('kept')
  mkdirSync(join(folder, 'matches', 'match.history'), { recursive: true })
  expect(() => prepareMatches(folder)).toThrow(refusal('file-unreadable'))
})

/** Keeps a match in a process of its own, with other functions of the file system. Returns the signal that ended it. */
function keepWith(folder: string, functions: string): NodeJS.Signals | null {
  const source = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    Object.assign(fs, ${functions})
    syncBuiltinESMExports()
    const { keepMatch, prepareMatches } = await import(${JSON.stringify(module)})
    prepareMatches(${JSON.stringify(folder)})
    keepMatch(${JSON.stringify(folder)}, Buffer.from('a match'))`
  const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', source], { encoding: 'utf8' })
  expect(stderr).toBe('')
  return signal
}

test.skipIf(process.platform === 'win32')(
  'a program that is killed before its match has a name leaves no empty one, and what it leaves is removed later',
  () => {
    const folder = temporaryFolder('kept')
    const killed = `process.kill(process.pid, 'SIGKILL')`
    const none = `linkSync() { throw Object.assign(new Error('no links'), { code: 'EPERM' }) }`
    expect(keepWith(folder, `{ ${none}, renameSync: () => ${killed} }`)).toBe('SIGKILL')
    const left = readdirSync(join(folder, 'matches'))
    expect(left).toEqual([expect.stringMatching(/\.tmp$/)])
    // As an earlier version left one, and one that a program may be about to fill.
    for (const number of [4, 7]) writeFileSync(join(folder, 'matches', `match-${number}.history`), '')
    prepareMatches(folder)
    expect(readdirSync(join(folder, 'matches'))).toHaveLength(3)
    // A folder cannot be removed as a file is.
    mkdirSync(join(folder, 'matches', 'match.history.8.tmp'))
    writeFileSync(join(folder, 'matches', 'match.history.9.tmp'), 'of an earlier version')
    for (const name of [...left, 'match-4.history', 'match.history.8.tmp', 'match.history.9.tmp'])
      utimesSync(join(folder, 'matches', name), 1, 1)
    prepareMatches(folder)
    expect(readdirSync(join(folder, 'matches'))).toEqual(['match-7.history', 'match.history.8.tmp'])
  },
)

test('a number that a program has reserved is left to it', () => {
  const folder = temporaryFolder('kept')
  prepareMatches(folder)
  writeFileSync(join(folder, 'matches', 'match-1.history.tmp'), 'half')
  expect([keepMatch(folder, Buffer.from('one')), lastMatch(folder)]).toEqual(
    Array(2).fill(join(folder, 'matches', 'match-2.history')),
  )
  expect(readdirSync(join(folder, 'matches'))).toEqual(['match-1.history.tmp', 'match-2.history'])
})
