import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { openLogFile } from '../../../main/services/files/log-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

let folder = ''
let file = ''
beforeEach(() => {
  folder = temporaryFolder('log-file')
  file = join(folder, 'class.log')
})
const now = (): Date => new Date(0)
const eventsOf = (path: string): readonly string[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { event: string }).event)

test('each line is an object with time, level and event, whatever the text holds', () => {
  const text = 'a\nb\u001b[2J\u009b2J\u202e"'
  openLogFile(file, now).write('warn', 'backup', { text })
  const content = readFileSync(file, 'utf8')
  expect(content.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(content.endsWith('\n')).toBe(true)
  expect(JSON.parse(content)).toEqual({ time: '1970-01-01T00:00:00.000Z', level: 'warn', event: 'backup', text })
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a full file is put away, the newest first, and the oldest is removed; no line is lost or torn', () => {
  const log = openLogFile(file, now, { bytes: 200, files: 2 })
  const written = [...Array(12).keys()].map((number) => `event-${number}`)
  for (const event of written) log.write('info', event)
  expect(readdirSync(folder).sort()).toEqual(['class.log', 'class.log.1', 'class.log.2'])
  const kept = ['class.log.2', 'class.log.1', 'class.log'].flatMap((name) => eventsOf(join(folder, name)))
  expect(kept).toEqual(written.slice(-kept.length))
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(200)
  expect(log.lost()).toBe(0)
})

test('a log goes on after the last start, and in a new file when another program has moved it', () => {
  openLogFile(file, now).write('info', 'first')
  const log = openLogFile(file, now)
  log.write('info', 'second')
  renameSync(file, `${file}-moved`)
  log.write('info', 'third')
  expect([eventsOf(`${file}-moved`), eventsOf(file)]).toEqual([['first', 'second'], ['third']])
})

test('a log that cannot be begun is refused; a line that cannot be written later is counted', () => {
  expect(() => openLogFile(join(folder, 'missing', 'class.log'))).toThrow(
    expect.objectContaining({ code: 'path-unusable' }) as Error,
  )
  const log = openLogFile(file, now)
  renameSync(file, `${file}-moved`)
  mkdirSync(file)
  log.write('info', 'lost')
  expect(log.lost()).toBe(1)
})

test('a file that cannot be put away, as one that is held open on Windows, gets the line all the same', () => {
  const log = openLogFile(file, now, { bytes: 100, files: 1 })
  log.write('info', 'first')
  // Neither removed nor replaced by a file.
  mkdirSync(join(`${file}.1`, 'held'), { recursive: true })
  log.write('info', 'second')
  log.write('info', 'third')
  expect([eventsOf(file), log.lost()]).toEqual([['first', 'second', 'third'], 0])
})

test('a line after the part of one that a killed program has left is a line of its own', () => {
  writeFileSync(file, '{"event":"whole"}\n{"eve')
  openLogFile(file, now).write('info', 'next')
  const [whole, part, next, end] = readFileSync(file, 'utf8').split('\n')
  expect([whole, part, end]).toEqual(['{"event":"whole"}', '{"eve', ''])
  expect(JSON.parse(next!)).toMatchObject({ event: 'next' })
})

test.skipIf(process.platform === 'win32')(
  'a line for which there is room in part alone leaves nothing of itself',
  () => {
    const module = join(import.meta.dirname, '../../../main/services/files/log-file.ts')
    const code = `
    import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const { openSync, ftruncateSync } = fs
    const appending = new Set()
    fs.openSync = (path, flags, mode) => {
      const file = openSync(path, flags, mode)
      if (flags.startsWith('a')) appending.add(file)
      else appending.delete(file)
      return file
    }
    // Windows refuses this to handles that append (nodejs/node#3177).
    fs.ftruncateSync = (file, size) => {
      if (appending.has(file)) throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' })
      ftruncateSync(file, size)
    }
    syncBuiltinESMExports()
    const { openLogFile } = await import(${JSON.stringify(module)})
    const log = openLogFile(${JSON.stringify(file)})
    for (let number = 0; number < 40; number++) log.write('info', 'event-' + number, { text: 'x'.repeat(number) })
    console.log(log.lost())`
    // Files of this program may have 1,024 bytes or 2,048, by the shell's measure.
    const limited = `trap '' XFSZ; ulimit -f 2; exec "$0" --input-type=module --eval "$1"`
    const { stdout, stderr } = spawnSync('sh', ['-c', limited, process.execPath, code], { encoding: 'utf8' })
    const written = eventsOf(file)
    expect(readFileSync(file, 'utf8').endsWith('\n'), stderr).toBe(true)
    expect(written).toContain('event-0')
    expect(Number(stdout)).toBeGreaterThan(0)
    expect(written.length + Number(stdout)).toBe(40)
  },
)
