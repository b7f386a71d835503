import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeEach, expect, test } from 'vitest'
import { openKeys, readPublicKey } from '../../../main/histories/key-files.ts'
import { fingerprint, keyText, parseKeyText, signedBy } from '../../../main/histories/keys.ts'
import { readHistoryLine } from '../../../main/histories/read-line.ts'
import { lockData } from '../../../main/histories/lock.ts'
import { merkleTree } from '../../../main/histories/merkle.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { showMatch } from '../../../main/histories/print-match.ts'
import { MachineError, machineErrorFrom } from '../../../main/histories/machine-error.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { playToy, recorderOf } from './toy.ts'
import { failure, refusal } from '../../refusal.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder('histories')
})

test('the recorder drains whole lines once and counts inputs', () => {
  const recorder = recorderOf(1, 1)
  expect(recorder.pending).toBeGreaterThan(0)
  expect(recorder.lines()).toMatch(/^\{"b":\{.*"k":"header".*\}\n$/)
  expect([recorder.lines(), recorder.pending]).toEqual(['', 0])
  recorder.input(1.23456, 'public', [1])
  expect(recorder.inputs).toBe(1)
  expect(recorder.lines()).toContain('"at":1.235,')
})

test('nothing is recorded after the end, and head and text do not depend on how it is drained', () => {
  expect(playToy(1, 1)).toBe(playToy(1, 1))
  const recorder = recorderOf(1, 1)
  const head = recorder.voided('lost')
  expect(recorder.lines().trimEnd().endsWith(`"h":"${head}"}`)).toBe(true)
  expect(() => recorder.input(1, 'public', 1)).toThrow(failure('run 1', 'ended'))
})

test('an agent cannot spoil a line by what it prints: half a character is kept as a replacement', () => {
  const recorder = recorderOf(1, 1)
  recorder.lines()
  recorder.console(1, { seat: 0, body: 0 }, 'a\ud800b\n\u001b[2J')
  recorder.fault(1, { seat: 0, body: 0 }, null, { kind: 'crash', text: 'x\udfff', stderr: '\ud800' })
  const lines = recorder.lines().trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('a\ufffdb\\n\\u001b[2J')
  expect(lines[1]).not.toContain('stderr')
})

test('a long reason is cut, be it in the middle of a character', () => {
  const recorder = recorderOf(1, 1)
  recorder.lines()
  recorder.voided(`${'x'.repeat(3_999)}\u{1f600}`)
  expect(recorder.lines()).toContain('xx\ufffd"')
})

test.each(['"\\ud800"', '{"\\udc00":1}', '[1e999]'])(
  '%s cannot be recorded, and the run goes on without it',
  (text) => {
    const recorder = recorderOf(1, 1)
    recorder.lines()
    expect(() => recorder.input(1, 'public', JSON.parse(text) as string)).toThrow()
    expect([recorder.lines(), recorder.inputs]).toEqual(['', 0])
  },
)

test('an input as deep as an answer may be is read back', () => {
  const recorder = recorderOf(1, 1)
  recorder.lines()
  recorder.input(1, 'public', JSON.parse('['.repeat(600) + ']'.repeat(600)) as string[])
  expect(readHistoryLine(Buffer.from(recorder.lines().trimEnd())).ok).toBe(true)
})

test('keys are made once, kept from others, and read as file or text', () => {
  const dir = join(folder, 'keys')
  const key = openKeys(dir)
  expect(openKeys(dir).publicKey).toBe(key.publicKey)
  if (process.platform !== 'win32') expect(statSync(join(dir, 'class.pem')).mode & 0o777).toBe(0o600)
  const file = join(dir, 'class.pub')
  const text = readFileSync(file, 'utf8')
  expect(text).toBe(`${keyText(key.publicKey)}\n`)
  expect(readPublicKey(file)).toEqual({ ok: true, key: key.publicKey })
  expect(readPublicKey(text)).toEqual({ ok: true, key: key.publicKey })
  expect(key.fingerprint).toBe(fingerprint(key.publicKey))
  const signature = key.sign('text')
  expect(signedBy(key.publicKey, 'text', signature)).toBe(true)
  expect(signedBy(key.publicKey, 'texT', signature)).toBe(false)
  expect(signedBy('00', 'text', 'zz')).toBe(false)
})

test('an invalid key is named', () => {
  const file = join(folder, 'no.key')
  writeFileSync(file, 'hello')
  expect(readPublicKey(file)).satisfy(
    (read: { message?: string }) => read.message?.includes(`${file} contains no public key`) === true,
  )
  expect(readPublicKey(`${file}x`)).satisfy(
    (read: { message?: string }) => read.message?.includes('neither a public key') === true,
  )
  expect(readPublicKey(folder)).satisfy(
    (read: { message?: string }) => read.message?.includes('it is a folder') === true,
  )
  expect(parseKeyText(`tartaglia-ed25519:${'A'.repeat(64)}`)).toBeNull()
  mkdirSync(join(folder, 'keys'))
  writeFileSync(join(folder, 'keys', 'class.pem'), 'not a key')
  expect(() => openKeys(join(folder, 'keys'))).toThrow(refusal('signing-key-damaged'))
  expect(readFileSync(join(folder, 'keys', 'class.pem'), 'utf8')).toBe('not a key')
})

test('a data folder is held by one process; the lock goes with its holder however it dies', async () => {
  const dir = join(folder, 'a', 'b')
  const source = `import { lockData } from ${JSON.stringify(pathToFileURL('main/histories/lock.ts'))}; lockData(${JSON.stringify(dir)})`
  // Collects garbage once: a lock that nobody refers to must last all the same.
  const hold = `${source}; gc(); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', hold], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    expect(await Promise.race([once(holder.stdout, 'data').then(String), once(holder, 'exit')])).toContain('held')
    expect(() => lockData(dir)).toThrow(
      refusal('data-folder-in-use', dir, `process ${holder.pid}`, new Date().getUTCFullYear()),
    )
  } finally {
    holder.kill('SIGKILL')
    if (holder.exitCode === null && holder.signalCode === null) await once(holder, 'exit')
  }
  const lock = lockData(dir)
  // Refused in the same process too, and the attempt does not open the folder to others.
  expect(() => lockData(dir)).toThrow(refusal('data-folder-in-use', dir, process.pid))
  const other = spawnSync(process.execPath, ['--input-type=module', '-e', source])
  expect(other.stderr.toString()).toContain(`process ${process.pid}`)
  lock.release()
  lock.release()
  lockData(dir).release()
})

test('a data folder that cannot be made is host trouble, in one sentence', () => {
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => lockData(join(file, 'data'))).toThrow(MachineError)
  expect(() => lockData(file)).toThrow(refusal('path-unusable', file))
  const full = Object.assign(new Error('ENOSPC: no space left'), { code: 'ENOSPC' })
  expect(machineErrorFrom(full, 'write', '/x').message).toBe('Cannot write /x: the disk is full.')
})

// RFC 6962 has no vectors of its own; these roots were computed from its recursive definition by hand-written steps.
test('the tree of one leaf is the leaf hash; indices out of range are refused', () => {
  const head = '00'.repeat(32)
  const tree = merkleTree([head])
  expect(tree.root).toBe('7f9c9e31ac8256ca2f258583df262dbc7d6f68f2a03043d5c99a4ae5a7396ce9')
  expect(tree.path(0)).toEqual([])
  expect(() => tree.path(1)).toThrow(RangeError)
  expect(() => merkleTree([])).toThrow(RangeError)
})

test('unreadable lines are shown as such, harmlessly', () => {
  expect([...showMatch(bytesSource(Buffer.from('\u001b[2J\n\nx')))]).toEqual(
    [1, 2, 3].map((n) => `line ${n}: the line is not a history record`),
  )
})
