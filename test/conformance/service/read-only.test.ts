import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, lstatSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServiceDesk, type ServiceDesk } from '../../../main/administrator/procedures/service-desk.ts'
import { serveClassroom, type ServedClassroom } from '../../../main/app/serve.ts'
import type { InputOf, OutputOf, ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { exportContest } from '../../../main/services/histories/export-histories.ts'
import { listMatches } from '../../../main/services/histories/list-histories.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { refusal } from '../../refusal.ts'
import { draftOf, openPlace, openRoom } from './classroom.ts'

const place = openPlace('service-read-only')
const data = join(place.folder, 'data')
const isRoot = process.getuid?.() === 0
let holder: ChildProcess
let contest: string
let served: ServedClassroom
let desk: ServiceDesk

const unexpected = (error: unknown): never => {
  throw error
}

/** Every path under a folder with its mode, time and bytes. */
function snapshot(folder: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const path of ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })]) {
    const { mode, mtimeMs, size } = lstatSync(join(folder, path))
    const isFile = lstatSync(join(folder, path)).isFile()
    const bytes = isFile ? `${size} ${sha256(readFileSync(join(folder, path)))}` : ''
    found.set(path, `${mode.toString(8)} ${mtimeMs} ${bytes}`)
  }
  return found
}

/** Takes or gives back the right to write. Root may write in any case, so nothing is changed for root. */
function setWritable(folder: string, isWritable: boolean): void {
  if (isRoot) return
  const paths = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].map((path) => join(folder, path))
  for (const path of paths) {
    const isFolder = lstatSync(path).isDirectory()
    chmodSync(path, (isFolder ? 0o500 : 0o400) | (isWritable ? 0o200 : 0))
  }
}

/** A call as a screen makes it. */
async function call<N extends ProcedureName>(name: N, input: InputOf<N>): Promise<OutputOf<N>> {
  const admitted = desk.admit(name, input, { kind: 'host' })
  const answer = admitted.ok ? await admitted.value.run() : admitted
  if (!answer.ok) throw Object.assign(new Error(answer.error.message), { reason: answer.error.reason })
  return answer.value as OutputOf<N> // what the procedure answers
}

let before: Map<string, string>
beforeAll(async () => {
  const room = await openRoom(data)
  await room.call('settings.set', { isolation: 'permission' })
  const entrants = []
  for (const agent of ['baby', 'greedy']) {
    const content = await readFile(join(resources.agents, 'specker', `${agent}.js`))
    const { versions } = await room.submit({ fileName: `${agent}.js`, content, game: 'specker' })
    entrants.push({ name: agent, agent: versions[0]!.agent })
  }
  ;({ contest } = await room.call('contests.create', { draft: draftOf(entrants) }))
  await room.call('contests.start', { contest })
  await room.until(contest, ({ summary }) => summary.state === 'ended')
  await room.call('histories.comment', {
    source: { from: 'contest', contest, match: 0 },
    comment: { event: 1, line: 1, by: 'Panel', text: 'Why?' },
  })
  await room.service.close()
  // Neither copies nor receipts: an ordinary opening makes the folder of receipts again.
  await rm(join(data, 'receipts'), { recursive: true, force: true })

  holder = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/hold-class.ts'), data], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  await once(holder.stdout!, 'data')
  setWritable(data, false)
  before = snapshot(data)
  served = await serveClassroom({ data, port: null, isReadOnly: true, onUnexpected: unexpected })
  desk = createServiceDesk(served.service, unexpected)
}, 120_000)
afterAll(async () => {
  await served?.close()
  holder?.kill('SIGKILL')
  setWritable(data, true)
  place.remove()
})

test('another class opens to look at while another process holds it, and nothing in its folder changes', async () => {
  await expect(openRoom(data)).rejects.toThrow(refusal(isRoot ? 'data-folder-in-use' : 'access-denied', data))
  expect((await fetch(served.newAddress(), { redirect: 'manual' })).status).toBe(303)
  expect(await call('me.get', {})).toMatchObject({ role: 'educator', isReadOnly: true })

  const source = { from: 'contest', contest, match: 0 } as const
  expect((await call('contests.list', { offset: 0, limit: 10 })).total).toBe(1)
  expect((await call('contests.get', { contest })).summary.state).toBe('ended')
  expect((await call('contests.standings', { contest, offset: 0, limit: 10 })).total).toBe(2)
  const { total } = await call('contests.matches', { contest, offset: 0, limit: 10 })
  expect(total).toBeGreaterThan(0)
  expect((await call('agents.list', { offset: 0, limit: 10 })).total).toBe(2)
  expect((await call('agents.faults', { name: 'baby', offset: 0, limit: 10 })).total).toBe(0)
  expect((await call('challenges.list', {})).length).toBeGreaterThan(0)
  expect((await call('people.list', {})).people).toEqual([])
  expect((await call('audit.list', { offset: 0, limit: 10 })).brokenAt).toBeNull()
  expect(await call('receipts.head', {})).toEqual({ n: 0, head: '', at: null })
  expect((await call('histories.list', { offset: 0, limit: 10 })).total).toBe(total)
  await call('matches.get', { source })
  expect((await call('matches.events', { source, offset: 0, limit: 10 })).total).toBeGreaterThan(0)
  await call('matches.outline', { source, from: 0 })
  await call('matches.state', { source, position: 1 })
  expect((await call('histories.comments', { source })).map(({ text }) => text)).toEqual(['Why?'])
  expect(await call('histories.verify', { source })).toMatchObject({ ok: true })
  const exported = await call('histories.export', { contest, match: 0 })
  const content = Readable.from([Buffer.from(exported.content)])
  const taken = await desk.take('histories', { name: exported.fileName }, content, { kind: 'host' })
  if (!taken.ok) throw new Error(taken.error.message)
  expect(await call('histories.verify', { source: { from: 'file', ...taken.value } })).toMatchObject({ ok: true })

  expect(snapshot(data)).toEqual(before)
})

test('every change is refused with one code, at the desk and in the room behind it', async () => {
  const source = { from: 'contest', contest, match: 0 } as const
  const comment = { event: 1, line: 1, by: 'Panel', text: 'No' }
  const changes: readonly (() => Promise<unknown>)[] = [
    () => call('contests.delete', { contest }),
    () => call('settings.set', { isolation: 'none' }),
    () => call('agents.remove', { name: 'baby' }),
    () => call('histories.comment', { source, comment }),
    () => call('challenges.save', { name: 'mine', source: 'x', from: null }),
    () => call('network.open', { host: '0.0.0.0', port: 0 }),
    () => call('settings.backup', {}),
  ]
  for (const change of changes) await expect(change()).rejects.toMatchObject({ reason: 'read-only' })
  const upload = await desk.take('packages', { name: 'a.js' }, Readable.from([Buffer.from('x')]), { kind: 'host' })
  expect(upload).toMatchObject({ ok: false, error: { reason: 'read-only' } })
  const { home } = served.service.accounts
  await expect(home.change(() => undefined)).rejects.toThrow(refusal('read-only'))
  expect(snapshot(data)).toEqual(before)
})

test('a folder without a class is refused, and stays as it was', async () => {
  const empty = join(place.folder, 'empty')
  const open = () => serveClassroom({ data: empty, port: null, isReadOnly: true, onUnexpected: unexpected })
  await expect(open()).rejects.toThrow(refusal('data-folder-unknown', empty))
  expect(() => lstatSync(empty)).toThrow()
})

test('without the private key matches are verified by the public one, and exports are refused in one sentence', async () => {
  setWritable(data, true)
  await rename(join(data, 'keys', 'class.pem'), join(place.folder, 'class.pem'))
  const other = await serveClassroom({ data, port: null, isReadOnly: true, onUnexpected: unexpected })
  desk = createServiceDesk(other.service, unexpected)
  try {
    const source = { from: 'contest', contest, match: 0 } as const
    expect(await call('histories.verify', { source })).toMatchObject({
      ok: true,
      signer: { name: 'this class', fingerprint: (await call('settings.get', {})).fingerprint },
    })
    const exports: readonly (() => Promise<unknown>)[] = [
      () => call('histories.export', { contest, match: 0 }),
      () => call('histories.archive', { of: 'contest', contest }),
    ]
    for (const each of exports) await expect(each()).rejects.toMatchObject({ reason: 'signing-key-damaged' })
    expect((await listMatches(data, contest)).total).toBeGreaterThan(0)
    const to = join(place.folder, 'out')
    await expect(exportContest({ data, contest, to })).rejects.toThrow(refusal('signing-key-damaged', 'class.pem'))
    expect(readdirSync(join(data, 'keys'))).toEqual(['class.pub'])

    // The seals are checked with the public key: a match that was changed in the folder is not verified.
    const segment = join(data, 'contests', contest, 'segment-000001.jsonl')
    writeFileSync(segment, readFileSync(segment, 'utf8').replace('"k":"outcome"', '"k":"outcome" '))
    await expect(listMatches(data, contest)).rejects.toThrow(refusal('history-damaged'))
  } finally {
    await other.close()
  }
})
