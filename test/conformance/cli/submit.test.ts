import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import type { OwnSession } from '../../../main/contract/people/people-procedures.ts'
import { createNetwork, type Network } from '../../../main/portal/network.ts'
import { newCode } from '../../../main/services/people/class-people.ts'
import { formTeam } from '../../../main/services/people/teams.ts'
import { openPlace, openRoom, type Room } from '../service/classroom.ts'
import { signIn, type BrowserSession } from './in-browser.ts'
import { servingIn, type Serving } from './serving.ts'

// A real class with a certificate of its own on loopback, by HTTPS; a terminal that hands in there, and a person who confirms it in a
// session of their own.

const place = openPlace('submit')
const anna = 'a'.repeat(16)
const sound =
  'module.exports = class { constructor(me, counts) { this.all = counts } offer(o) { return o === undefined ? this.all : undefined } }\n'
let room: Room
let network: Network
let origin = ''
let fingerprint = ''
let browser: BrowserSession
const unexpected: unknown[] = []

beforeAll(async () => {
  const data = join(place.folder, 'class')
  const home = await openClassFolder(data)
  await home.change(({ people, settings }) => {
    settings.isolation = 'none'
    people.push({ id: anna, name: 'Änne O’Hara', ids: {}, role: 'student', added: '2026-11-01T08:00:00.000Z' })
  })
  await formTeam(home, 'Red', anna, new Date('2026-11-02T08:00:00.000Z'))
  await home.close()
  room = await openRoom(data)
  const files = join(place.folder, 'window')
  mkdirSync(files)
  for (const page of ['index.html', 'sign-in.html']) writeFileSync(join(files, page), page)
  const fail = (error: unknown): void => void unexpected.push(error)
  network = createNetwork({ keys: join(data, 'keys'), files, onUnexpected: fail })
  network.serve({ dispatcher: createDispatcher(room.service, fail), accounts: room.service.accounts })
  const opened = await network.open({ how: 'tls', host: '127.0.0.1', port: 0, files: null })
  if (!opened.isOpen) throw new Error('It is not open.')
  origin = opened.addresses[0]!
  fingerprint = opened.fingerprint!
  const { code } = await newCode(room.service.accounts, anna, hostCaller)
  browser = await signIn(origin, { name: 'Änne O’Hara', code, newPassword: 'four words of mine' })
})
afterAll(async () => {
  await network.close()
  await room.service.close()
  place.remove()
  expect(unexpected).toEqual([])
})

/** A call of the student's browser. */
const inBrowser = (name: string, input: object): Promise<unknown> => browser.call(name, input)

const config = join(place.folder, 'config')
const env = { XDG_CONFIG_HOME: config }
const tokens = join(config, 'tartaglia', 'tokens.json')
const script = (name: string, text: string): string => {
  const path = join(place.folder, name)
  writeFileSync(path, text)
  return path
}
const submit = (file: string, ...more: readonly string[]): Serving =>
  servingIn(env, 'submit', file, '--to', origin, '--game', 'haggle', '--receipts', place.folder, ...more)

/** Confirms the code that a terminal shows, as the person does. */
async function confirm(terminal: Serving): Promise<void> {
  const userCode = await terminal.said(/terminal": (\S{4}-\S{4})/)
  expect(await inBrowser('me.device', { userCode })).toMatchObject({ address: '127.0.0.1' })
  await inBrowser('me.confirmDevice', { userCode })
}

test('the first hand-in signs the terminal in, pins the certificate and ends with a receipt; later ones need no code', async () => {
  const first = submit(script('rosso.cjs', sound), '--agent', 'rosso', '--note', 'First', '--json')
  await confirm(first)
  expect([await first.code, first.stderr()]).toMatchObject([0, expect.stringContaining('Signed in as Änne')])
  // In groups, as the educator's window shows it.
  expect(first.stderr()).toContain(fingerprint.match(/.{4}/g)!.join(' '))
  const submitted = JSON.parse(first.stdout()) as { sha256: string; receipt: { file: string } }
  expect(submitted).toMatchObject({
    ...{ class: origin, contest: null, agent: 'rosso', version: 1, file: 'rosso.cjs' },
    receipt: { n: 1, time: 'on-time', file: join(place.folder, 'receipt-1.json') },
    ...{ trial: { state: 'passed', link: `${origin}/#/hand-in?trial=1` }, link: `${origin}/#/hand-in` },
  })
  const receipt = JSON.parse(readFileSync(submitted.receipt.file, 'utf8')) as { b: object }
  expect(receipt.b).toMatchObject({ team: 'Red', agent: 'rosso', sha256: submitted.sha256 })
  expect([join(config, 'tartaglia'), tokens].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
  const kept = JSON.parse(readFileSync(tokens, 'utf8')) as { classes: Record<string, { certificate: object }> }
  expect(kept.classes[origin]?.certificate).toMatchObject({ fingerprint })
  expect(await inBrowser('me.sessions', {})).toContainEqual(expect.objectContaining({ kind: 'terminal' }))

  const broken = submit(script('rosso.cjs', 'module.exports = class { offer() { throw new Error("no deal") } }\n'))
  expect([await broken.code, broken.stderr()]).toMatchObject([1, expect.not.stringContaining('My account')])
  for (const fact of ['version 2 of "rosso"', 'receipt 2', 'not fit to play', 'no deal', `${origin}/#/hand-in?trial=2`])
    expect(broken.stdout()).toContain(fact)
})

test('what is refused is said in the words of the class, with its place, and exits with 2', async () => {
  const bad = script('bad.ts', 'export default class {\n  offer( {\n}\n')
  const fine = script('rosso.cjs', sound)
  const refusals = [
    [() => submit(bad), /bad\.ts:4:0: /],
    [() => submit(script('empty.cjs', '')), /empty\.cjs/],
    [() => submit(fine, '--contest', 'none-1'), /none-1/],
    [() => submit(fine, '--fingerprint', 'ab'.repeat(32)), /--fingerprint/],
    [() => servingIn(env, 'submit', fine, '--to', 'http://192.0.2.7:80'), /https:\/\//],
    [() => servingIn(env, 'submit', fine, '--to', 'class.example'), /https:\/\//],
  ] as const
  // One after the other: a person sends two files at a time.
  for (const [begin, words] of refusals) {
    const running = begin()
    expect([await running.code, running.stderr()]).toMatchObject([2, expect.stringMatching(words)])
  }
})

test('a class that is not there exits with 3', async () => {
  const gone = servingIn(env, 'submit', script('rosso.cjs', sound), '--to', 'https://127.0.0.1:1', '--json')
  expect([await gone.code, JSON.parse(gone.stdout())]).toMatchObject([3, { code: 'class-unreachable' }])
})

test('another certificate is refused before anything is sent, and the same key with a new certificate is not', async () => {
  const kept = readFileSync(tokens, 'utf8')
  const before = await inBrowser('handIn.attempts', {})
  const { key } = (JSON.parse(kept) as { classes: Record<string, { certificate: { key: string } }> }).classes[origin]!
    .certificate
  writeFileSync(tokens, kept.replace(fingerprint, 'c'.repeat(64)).replace(key, 'd'.repeat(64)))
  const changed = submit(script('rosso.cjs', sound), '--json')
  expect([await changed.code, JSON.parse(changed.stdout())]).toMatchObject([2, { code: 'certificate-changed' }])
  expect(await inBrowser('handIn.attempts', {})).toEqual(before)
  writeFileSync(tokens, kept.replace(fingerprint, 'c'.repeat(64)))
  expect(await submit(script('rosso.cjs', `${sound}// renewed\n`)).code).toBe(0)
  expect(readFileSync(tokens, 'utf8')).toContain(fingerprint)
})

test('a sign-in that was ended leads to a new one, and Ctrl-C ends waiting for it', async () => {
  await inBrowser('me.endOthers', {})
  const stopped = submit(script('rosso.cjs', sound))
  await stopped.said(/terminal": (\S{4}-\S{4})/)
  stopped.interrupt()
  expect(await stopped.code).toBe(130)
  const again = submit(script('rosso.cjs', `${sound}// again\n`))
  await confirm(again)
  expect([await again.code, again.stderr()]).toMatchObject([0, expect.stringContaining('sign in again')])
  const sessions = (await inBrowser('me.sessions', {})) as readonly OwnSession[]
  expect(sessions.filter(({ kind }) => kind === 'terminal')).toHaveLength(1)
})
