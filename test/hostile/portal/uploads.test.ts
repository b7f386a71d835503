import { statSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createUploadedPackages } from '../../../main/services/packages/uploaded-packages.ts'
import { ask, bare, openStage, signIn, type Stage } from './stage.ts'
import { refusedCall } from '../../refusal.ts'

let stage: Stage
let cookie = ''
beforeAll(async () => {
  stage = await openStage()
  cookie = await signIn(stage)
})
afterAll(() => stage.close())

const type = { 'content-type': 'application/octet-stream' }
const own = (): Record<string, string> => ({ ...type, cookie, origin: stage.portal.origin })

/** Sends a file; `headers` default to those of our own page. */
async function upload(path: string, pieces: readonly Buffer[], headers = own(), { port } = stage) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, resolve)
    sent.on('error', reject)
    for (const piece of pieces) sent.write(piece)
    sent.end()
  })
  let body = ''
  for await (const text of answer.setEncoding('utf8')) body += text as string
  return { status: answer.statusCode, body }
}

test('a file far larger than any message is taken in, whatever its name', async () => {
  const piece = Buffer.alloc(8 * 1024 * 1024, 'x')
  const answer = await upload(`/histories?name=${encodeURIComponent('../../é <b>.jsonl')}`, Array(16).fill(piece))
  expect(answer).toEqual({ status: 200, body: '{"ok":true,"value":{"file":"file-1"}}' })
  expect(stage.taken).toEqual([{ kind: 'history', name: '../../é <b>.jsonl', bytes: 16 * piece.length }])
})

test('an empty file is a file', async () => {
  expect((await upload('/histories?name=empty', [])).status).toBe(200)
  expect(stage.taken.at(-1)).toEqual({ kind: 'history', name: 'empty', bytes: 0 })
})

test('one that was announced comes under one handle', async () => {
  expect((await upload('/histories?name=a&file=b-1', [Buffer.from('x')])).status).toBe(200)
  expect(stage.taken.at(-1)).toEqual({ kind: 'history', name: 'a', bytes: 1, expected: 'b-1' })
  const { status, body } = await upload('/histories?name=a&file=b&file=c', [Buffer.from('x')])
  expect([status, JSON.parse(body)]).toMatchObject([
    400,
    { ok: false, error: { code: 'malformed', reason: 'input-invalid' } },
  ])
})

test('a package is taken in on a path of its own, and cannot be announced', async () => {
  expect((await upload('/packages?name=a.zip', [Buffer.from('xy')])).status).toBe(200)
  expect(stage.taken.at(-1)).toEqual({ kind: 'package', name: 'a.zip', bytes: 2 })
  const { status, body } = await upload('/packages?name=a.zip&file=b-1', [Buffer.from('x')])
  expect([status, JSON.parse(body)]).toMatchObject([
    400,
    { ok: false, error: { code: 'malformed', reason: 'input-invalid' } },
  ])
})

test.each([
  '/packages',
  '/packages?name=',
  '/histories',
  '/histories?name=',
  `/histories?name=${'x'.repeat(256)}`,
  '/histories?name=a&name=b',
])('%s: without one good name nothing is taken', async (path) => {
  const before = stage.taken.length
  const { status, body } = await upload(path, [Buffer.from('x')])
  expect(status).toBe(400)
  expect(JSON.parse(body)).toMatchObject({ ok: false, error: { code: 'malformed', reason: 'input-invalid' } })
  expect(stage.taken).toHaveLength(before)
})

test.each(['histories', 'packages'])(
  '%s come from nobody without a session, a page of ours and the right body',
  async (kind) => {
    const before = stage.taken.length
    const { origin } = stage.portal
    const send = async (headers: Record<string, string>, path = `/${kind}?name=x`) =>
      (await upload(path, [Buffer.from('x')], headers)).status
    expect(await send({ ...type, origin })).toBe(401)
    expect(await send({ ...type, cookie })).toBe(403)
    for (const other of ['null', 'http://attacker.example', `http://127.0.0.1:${stage.port + 1}`]) {
      expect(await send({ ...own(), origin: other })).toBe(403)
    }
    expect(await send({ ...own(), host: 'attacker.example' })).toBe(403)
    for (const other of [
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
      'application/json',
    ]) {
      expect(await send({ ...own(), 'content-type': other }), other).toBeGreaterThanOrEqual(400)
    }
    for (const path of ['/', '/rpc', `/${kind}/`, '/index.html']) {
      expect(await send(own(), path), path).toBeGreaterThanOrEqual(400)
    }
    expect((await ask(stage, `/${kind}?name=x`, { headers: { cookie } })).status).toBe(404)
    expect(stage.taken).toHaveLength(before)
  },
)

test.each(['histories', 'packages'])('%s that break off or stall are not taken', async (kind) => {
  const before = stage.taken.length
  const head =
    `POST /${kind}?name=x HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nOrigin: ${stage.portal.origin}\r\n` +
    `Cookie: ${cookie}\r\nContent-Type: application/octet-stream\r\nContent-Length: 1000000\r\n\r\n`
  const gone = bare(stage, head)
  gone.socket.write('half')
  await vi.waitFor(() => expect(gone.socket.bytesWritten).toBeGreaterThan(head.length), { timeout: 60_000 })
  gone.socket.destroy()
  const silent = bare(stage, `${head}half`)
  await silent.ended
  expect(stage.taken).toHaveLength(before)
})

test('a package that is too large is refused in one sentence, and nothing of it remains', async () => {
  const MB = 1024 * 1024
  const packages = createUploadedPackages({
    files: 2,
    bytes: 4 * MB,
    fileBytes: MB,
    openBytes: 4 * MB,
    openBytesOfOne: MB,
  })
  const small = await openStage({}, packages)
  const headers = { ...type, cookie: await signIn(small), origin: small.portal.origin }
  const pieces = Array.from({ length: 24 }, () => Buffer.alloc(MB))
  const { status, body } = await upload('/packages?name=big.zip', pieces, headers, small)
  expect([status, JSON.parse(body)]).toEqual([400, refusedCall('too-large', 'big.zip', '1 MB')])
  const taken = await upload('/packages?name=ok.zip', [Buffer.from('1234')], headers, small)
  const { value } = JSON.parse(taken.body) as { value: { file: string } }
  expect(await packages.read(value.file, async ({ fileName, path }) => [fileName, statSync(path).size])).toEqual([
    'ok.zip',
    4,
  ])
  await small.close()
  await packages.close()
  expect(small.unexpected).toEqual([])
})

test('a body that never comes is not waited for where none is wanted', async () => {
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1:${stage.port}\r\nOrigin: ${stage.portal.origin}\r\n`
  const slow = bare(stage, `${head}Cookie: ${cookie}\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n`)
  await slow.ended
})

test('nothing of all this was unexpected', () => {
  expect(stage.unexpected).toEqual([])
})
