import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { historyFile } from '../../bench/long-history.ts'
import { openPlace, openRoom, type Room } from './classroom.ts'
import { refusal } from '../../refusal.ts'

/** A history of some megabytes: long enough to be read while it comes. */
const TRADE = { turns: 250, offers: 2, constraints: 100, variables: 20 } as const
const END = 256 * 1024

const place = openPlace('service-coming')
const temporary = join(place.folder, 'temporary')
let room: Room
let content: Buffer

beforeAll(async () => {
  content = readFileSync(await historyFile(place.folder, 'long', TRADE))
  expect(content.length).toBeGreaterThan(5_000_000)
  mkdirSync(temporary)
  room = await openRoom(join(place.folder, 'data'))
  // Opened files are kept in the system's temporary folder, which is made when the first one comes.
  vi.stubEnv('TMPDIR', temporary)
  await room.service.takeHistory('first', pieces(Buffer.from('x')))
  vi.unstubAllEnvs()
}, 120_000)
afterAll(async () => {
  await room.service.close()
  place.remove()
})

async function* pieces(...all: readonly Buffer[]): AsyncGenerator<Uint8Array> {
  for (const bytes of all) for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536)
}

/** All but the end comes at once, the rest when it is let in, or not at all. */
function inTwo(rest: () => Promise<Buffer>) {
  const half = content.length >> 1
  return (async function* () {
    yield* pieces(content.subarray(0, half))
    yield* pieces((await rest()).subarray(half))
  })()
}

const announce = (end = content.subarray(-END)) =>
  room.call('histories.expect', { fileName: 'long.jsonl', bytes: content.length, end: end.toString('base64') })
const sourceOf = (file: string) => ({ source: { from: 'file', file } }) as const

/** All that the program tells of the events. */
async function eventsIn(file: string): Promise<number> {
  for (let from = 0; ;) {
    const { at, last, broken } = await room.call('matches.outline', { ...sourceOf(file), from })
    from += at.length
    if (last) {
      expect(broken).toBeNull()
      return from
    }
  }
}

test('a long history is looked at while it comes, and nothing is claimed of it before all of it is there', async () => {
  const whole = await room.service.takeHistory('whole.jsonl', pieces(content))
  const { file } = await announce()
  const letIn = Promise.withResolvers<Buffer>()
  const taken = room.service.takeHistory(
    'long.jsonl',
    inTwo(() => letIn.promise),
    file,
  )
  let verdict: unknown = null
  const verified = room.call('histories.verify', sourceOf(file)).then((found) => (verdict = found))

  const detail = await room.call('matches.get', sourceOf(file))
  const known = await room.call('matches.get', sourceOf(whole.file))
  expect([detail.facts, detail.config, detail.seed, detail.outcome]).toEqual([
    known.facts,
    known.config,
    known.seed,
    known.outcome,
  ])
  const page = { offset: 100, limit: 20 }
  const { items } = await room.call('matches.events', { ...sourceOf(file), ...page })
  expect(items.length).toBeGreaterThan(0)
  expect(items).toEqual(
    (await room.call('matches.events', { ...sourceOf(whole.file), ...page })).items.slice(0, items.length),
  )
  const outline = await room.call('matches.outline', { ...sourceOf(file), from: 0 })
  expect([outline.at.length > 0, outline.last]).toEqual([true, false])
  const part = await room.call('matches.state', { ...sourceOf(file), position: 120 })
  expect(part).toEqual(await room.call('matches.state', { ...sourceOf(whole.file), position: 120 }))
  expect(verdict).toBeNull()

  letIn.resolve(content)
  expect(await taken).toEqual({ file })
  const events = await eventsIn(whole.file)
  expect(await eventsIn(file)).toBe(events)
  expect(detail.events).toBeGreaterThanOrEqual(events)
  expect((await room.call('matches.get', sourceOf(file))).events).toBe(events)
  await verified
  expect(verdict).toMatchObject({ ok: true, replayed: true })
  expect(verdict).toEqual(await room.call('histories.verify', sourceOf(whole.file)))
}, 120_000)

test('a file that breaks off is forgotten, and whoever waits for the rest of it is told', async () => {
  const before = readdirSync(join(temporary, readdirSync(temporary)[0]!))
  const { file } = await announce()
  const broken = Promise.withResolvers<Buffer>()
  const taken = room.service.takeHistory(
    'long.jsonl',
    inTwo(() => broken.promise),
    file,
  )
  const { at } = await room.call('matches.outline', { ...sourceOf(file), from: 0 })
  expect(at.length).toBeGreaterThan(0)
  const verified = room.call('histories.verify', sourceOf(file))
  const beyond = room.call('matches.outline', { ...sourceOf(file), from: 490 })
  const events = room.call('matches.events', { ...sourceOf(file), offset: 490, limit: 5 })
  const told = Promise.allSettled([taken, verified, beyond, events])
  broken.reject(new Error('the line is dead'))
  for (const { status } of await told) expect(status).toBe('rejected')
  await expect(room.call('matches.get', sourceOf(file))).rejects.toThrow(refusal('file-not-open'))
  await vi.waitFor(
    () => expect(readdirSync(join(temporary, readdirSync(temporary)[0]!)).toSorted()).toEqual(before.toSorted()),
    { timeout: 60_000 },
  )
}, 120_000)

test('a file is what it was announced as, comes once, and only where it was announced', async () => {
  const send = (file: string, bytes: Buffer) => room.service.takeHistory('long.jsonl', pieces(bytes), file)
  const other = await announce(Buffer.from(content.subarray(-END)).fill(120, 0, 10))
  await expect(send(other.file, content)).rejects.toThrow(refusal('file-changed', 'long.jsonl'))
  const short = await announce()
  await expect(send(short.file, content.subarray(0, -1))).rejects.toThrow(refusal('file-changed', 'long.jsonl'))
  const long = await announce()
  await expect(send(long.file, Buffer.concat([content, Buffer.from('\n')]))).rejects.toThrow(
    refusal('file-changed', 'long.jsonl'),
  )
  for (const { file } of [other, short, long])
    await expect(send(file, content)).rejects.toThrow(refusal('file-not-open'))
  const good = await announce()
  await send(good.file, content)
  await expect(send(good.file, content)).rejects.toThrow(refusal('file-not-open'))
  await expect(send('never-announced', content)).rejects.toThrow(refusal('file-not-open'))
  const large = { fileName: 'x', bytes: 1024 ** 3 + 1, end: '' }
  await expect(room.call('histories.expect', large)).rejects.toThrow(refusal('too-large', 'x', '1 GB'))
}, 120_000)
