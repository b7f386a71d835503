import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { open, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { historyFile } from '../../bench/long-history.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { refusal } from '../../refusal.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'

/** A history of some megabytes, whose verification takes a moment. */
const TRADE = { turns: 250, offers: 2, constraints: 100, variables: 20 } as const

const place = openPlace('service-lying')
const temporary = join(place.folder, 'temporary')
let room: Room
let known: string

beforeAll(async () => {
  known = await historyFile(place.folder, 'known', TRADE)
  expect(statSync(known).size).toBeGreaterThan(5_000_000)
  mkdirSync(temporary)
  room = await openRoom(join(place.folder, 'data'))
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

let files = 0
/** A copy that a test may do with what it likes. */
function ownFile(): string {
  const path = join(place.folder, `own-${++files}.jsonl`)
  copyFileSync(known, path)
  return path
}

const sourceOf = (file: string) => ({ source: { from: 'file', file } }) as const
const verify = (file: string) => room.call('histories.verify', sourceOf(file))
const page = { offset: 100, limit: 20 }
const events = (file: string) => room.call('matches.events', { ...sourceOf(file), ...page })

/** Another digit somewhere in the middle of a file: as long as before, and no history any more. */
async function tamper(path: string): Promise<void> {
  const content = readFileSync(path)
  const at = content.indexOf('"at":', content.length >> 1) + '"at":'.length
  const file = await open(path, 'r+')
  await file.write(content[at] === 0x37 ? '8' : '7', at)
  await file.close()
}

test('a file is read where it lies: shown, verified whole, and not copied', async () => {
  const path = ownFile()
  vi.stubEnv('TMPDIR', temporary)
  const { file } = await room.service.openHistory(path)
  const detail = await room.call('matches.get', sourceOf(file))
  const shown = await events(file)
  const outline = await room.call('matches.outline', { ...sourceOf(file), from: 0 })
  const state = await room.call('matches.state', { ...sourceOf(file), position: 120 })
  const verdict = await verify(file)
  vi.unstubAllEnvs()
  expect(verdict).toMatchObject({ ok: true, replayed: true })
  // Only states that the window is given are kept there.
  const [folder] = readdirSync(temporary)
  for (const name of readdirSync(join(temporary, folder!))) {
    expect(statSync(join(temporary, folder!, name)).size).toBeLessThan(statSync(path).size / 2)
  }

  const copy = await room.service.takeHistory(
    'copy.jsonl',
    (async function* () {
      yield readFileSync(path)
    })(),
  )
  expect(shown.items).toEqual((await events(copy.file)).items)
  expect(state).toEqual(await room.call('matches.state', { ...sourceOf(copy.file), position: 120 }))
  expect(outline.initial).toEqual((await room.call('matches.outline', { ...sourceOf(copy.file), from: 0 })).initial)
  expect(detail.facts).toEqual((await room.call('matches.get', sourceOf(copy.file))).facts)
  expect(verdict).toEqual(await verify(copy.file))
}, 120_000)

test('it is nobody but its owner who removes it', async () => {
  const path = ownFile()
  const own = await openRoom(join(place.folder, 'closing'))
  await own.service.openHistory(path)
  await own.service.close()
  expect(readFileSync(path).equals(readFileSync(known))).toBe(true)
}, 120_000)

test('a file that is changed before it has been verified is called neither good nor bad', async () => {
  const path = ownFile()
  const { file } = await room.service.openHistory(path)
  expect((await events(file)).items).toHaveLength(20)
  await tamper(path)
  await expect(verify(file)).rejects.toThrow(refusal('file-changed', basename(path)))
  await expect(events(file)).rejects.toThrow(refusal('file-not-open'))
  expect(await verify((await room.service.openHistory(path)).file)).toMatchObject({ ok: false })
}, 120_000)

test('a file that is changed while it is being verified is not called good', async () => {
  let changed = false
  // A verification may be over before it was told how far it is: then another one is.
  while (!changed) {
    const path = ownFile()
    const { file } = await room.service.openHistory(path)
    const off = room.service.on(`verification:${file}`, (part) => {
      if (typeof part !== 'number' || part === 0 || changed) return
      changed = true
      // At once: it is being verified as long as nothing else runs here.
      writeFileSync(path, readFileSync(path))
    })
    const [verdict] = await Promise.allSettled([verify(file)])
    off()
    if (changed) expect(verdict).toMatchObject({ status: 'rejected', reason: refusal('file-changed', basename(path)) })
    else expect(verdict).toMatchObject({ status: 'fulfilled', value: { ok: true } })
  }
}, 120_000)

test('a verdict holds for what was verified: what the file becomes later is not shown', async () => {
  const path = ownFile()
  const { file } = await room.service.openHistory(path)
  expect(await verify(file)).toMatchObject({ ok: true })
  await tamper(path)
  for (const ask of [() => events(file), () => verify(file)])
    await expect(ask()).rejects.toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^file-(changed|not-open)$/) as string }) as Error,
    )
  const touched = await room.service.openHistory(path)
  await utimes(path, 1, 1)
  await expect(room.call('matches.outline', { ...sourceOf(touched.file), from: 0 })).rejects.toThrow(
    refusal('file-changed', basename(path)),
  )
}, 120_000)

test('a file that is replaced, cut off, moved or deleted is told of in one sentence', async () => {
  const cases: readonly [(path: string) => void, ErrorCode][] = [
    [(path) => renameSync(ownFile(), path), 'file-changed'],
    [(path) => truncateSync(path, 1_000_000), 'file-changed'],
    [(path) => renameSync(path, `${path}.old`), 'file-gone'],
    [(path) => rmSync(path), 'file-gone'],
  ]
  for (const [change, code] of cases) {
    const path = ownFile()
    const { file } = await room.service.openHistory(path)
    await room.call('matches.get', sourceOf(file))
    change(path)
    await expect(events(file)).rejects.toThrow(refusal(code, basename(path)))
    await expect(verify(file)).rejects.toThrow(refusal('file-not-open'))
  }
}, 120_000)

test('what cannot be read where it lies is copied, or refused in a sentence', async () => {
  const at = (name: string): string => join(place.folder, name)
  await expect(room.service.openHistory(at('nowhere.jsonl'))).rejects.toThrow(
    refusal('file-unreadable', 'nowhere.jsonl'),
  )
  mkdirSync(at('folder.jsonl'))
  await expect(room.service.openHistory(at('folder.jsonl'))).rejects.toThrow(refusal('file-unreadable', 'folder.jsonl'))
  await writeFile(at('large.jsonl'), '')
  truncateSync(at('large.jsonl'), 1024 ** 3 + 1)
  await expect(room.service.openHistory(at('large.jsonl'))).rejects.toThrow(refusal('too-large', 'large.jsonl', '1 GB'))
  if (process.platform === 'win32') return
  execFileSync('mkfifo', [at('pipe.jsonl')])
  const opened = room.service.openHistory(at('pipe.jsonl'))
  await writeFile(at('pipe.jsonl'), readFileSync(known))
  expect(await verify((await opened).file)).toMatchObject({ ok: true })
}, 120_000)
