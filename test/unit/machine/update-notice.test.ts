import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { settings } from '../../../main/contract/procedures/classroom.ts'
import {
  isNewer,
  newerVersion,
  openUpdateNotice,
  OWN_VERSION,
  versionFinding,
} from '../../../main/services/machine/update-notice.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})
async function answering(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/newest.json`
}
const text =
  (body: string | Buffer, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, headers).end(body)

test('a later release is newer; an equal, older or strange one is not', () => {
  for (const [version, own, expected] of [
    ['1.2.4', '1.2.3', true],
    ['1.3.0', '1.2.9', true],
    ['2.0.0', '1.99.99', true],
    ['1.10.0', '1.9.0', true],
    ['1.2.3', '1.2.3', false],
    ['1.2.2', '1.2.3', false],
    ['0.9.9', '1.0.0', false],
    ['9.9', '1.0.0', false],
    ['2.0.0-beta.1', '1.0.0', false],
    ['v2.0.0', '1.0.0', false],
    ['2.0.0\n<b>', '1.0.0', false],
    ['999999.0.0', '1.0.0', false],
    ['٢.0.0', '1.0.0', false],
  ] as const)
    expect([version, isNewer(version, own)]).toEqual([version, expected])
})

test('an answer is taken only if it is short, whole, JSON, and of the address itself', async () => {
  const good = await answering(text('{"version":"7.0.0","more":[1]}'))
  expect(await newerVersion(good, '0.1.0')).toBe('7.0.0')
  const elsewhere = (_: unknown, response: Parameters<RequestListener>[1]): void =>
    void response.writeHead(302, { Location: good }).end()
  const hostile: readonly RequestListener[] = [
    elsewhere,
    text('not JSON'),
    text('[]'),
    text('null'),
    text('{"version":7}'),
    // It states more than it sends.
    (request, response) =>
      void response
        .writeHead(200, { 'Content-Length': '999' })
        .write('{"version":"7.0.0"', () => request.socket.destroy()),
    text(`{"version":"7.0.0","x":"${'x'.repeat(100_000)}"}`),
    // Small on the way, large when it is unpacked.
    text(gzipSync(`{"version":"7.0.0","x":"${'x'.repeat(10_000_000)}"}`), { 'Content-Encoding': 'gzip' }),
    text(Buffer.from([0x7b, 0xff, 0xfe])),
    (_, response) => response.writeHead(500).end('{"version":"7.0.0"}'),
    (_, response) => response.destroy(),
  ]
  for (const [at, listener] of hostile.entries()) {
    const address = await answering(listener)
    expect([at, await newerVersion(address, '0.1.0')]).toEqual([at, null])
  }
})

test('one that never ends its answer is given up when the class is closed', async () => {
  const begun = Promise.withResolvers<undefined>()
  const address = await answering((_, response) => {
    response.writeHead(200).write('{')
    begun.resolve(undefined)
  })
  const stop = new AbortController()
  const asked = newerVersion(address, '0.1.0', stop.signal)
  await begun.promise
  stop.abort()
  expect(await asked).toBe(null)
})

test('a class without an address asks nobody; with one, its home has a sentence, until the address is taken away', async () => {
  let requests = 0
  const address = await answering((_, response) => {
    requests += 1
    response.end('{"version":"99999.0.0"}')
  })
  let setting = ''
  const told = vi.fn()
  const wake = vi.fn(() => () => undefined)
  const notice = openUpdateNotice({ address: () => setting, clock: { now: () => 0, wake }, onChange: told })
  expect(notice.sentences()).toEqual([])
  expect(wake).not.toHaveBeenCalled()
  setting = address
  notice.changed()
  await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
  expect(notice.sentences()).toEqual([expect.stringContaining(`99999.0.0 is out; this is ${OWN_VERSION}`)])
  expect(wake).toHaveBeenCalledOnce()
  setting = ''
  notice.changed()
  expect(notice.sentences()).toEqual([])
  notice.close()
  expect(requests).toBe(1)
})

test('the doctor tells the version, and a newer one beside it', async () => {
  expect(await versionFinding('')).toEqual({ name: 'version', verdict: 'good', text: OWN_VERSION })
  const address = await answering(text('{"version":"99999.0.0"}'))
  expect(await versionFinding(address)).toMatchObject({
    verdict: 'good',
    advice: expect.stringContaining('99999.0.0') as string,
  })
})

test('an address is https, or plain on this machine; the setting may be empty', () => {
  const { updates } = settings.shape
  for (const fine of ['', 'https://example.org/newest.json', 'http://127.0.0.1:8000/x'])
    expect([fine, updates.safeParse(fine).success]).toEqual([fine, true])
  for (const bad of [
    'http://example.org/x',
    'file:///etc/passwd',
    'https://a@b/x',
    'javascript:1',
    'https://a b',
    'http://127.0.0.1.example.org/',
  ])
    expect([bad, updates.safeParse(bad).success]).toEqual([bad, false])
})
