import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { addresses, canHaveNamespace, runInNamespace } from './namespace.ts'

describe.skipIf(!canHaveNamespace)('the class on the network (needs "unshare -rn" and "ip")', () => {
  let found: Readonly<Record<string, unknown>> = {}
  beforeAll(async () => {
    found = await runInNamespace('on-network.ts')
  }, 130_000)

  test('it is closed by default', () => {
    expect(found['closed']).toEqual({ state: { isOpen: false, last: null }, educators: false })
  })

  test('opened, it speaks HTTPS only, with the certificate whose fingerprint the educator shows', () => {
    expect(found['opened']).toEqual({ host: '192.0.2.7', by: 'class', isFingerprint: true })
    expect(found['plain']).not.toBe(200)
    // A browser that insists on HTTPS would refuse the exception for a self-made certificate.
    expect(found['page']).toEqual({ status: 401, body: 'sign in', hsts: null })
  })

  test('strangers open no socket and hand in nothing; the educator’s own addresses work at their machine only', () => {
    expect(found['strangers']).toEqual({ upgrade: 401, upload: 401 })
    expect(found['host']).toEqual({ token: 401, rebinding: 403, own: 401 })
  })

  test('pages of others sign nobody in; the cookie is for this host and HTTPS alone', () => {
    expect(found['forged']).toEqual({ none: 403, other: 403, plain: 403 })
    expect(found['cookie']).toBe('__Host-tartaglia=SECRET; Path=/; Secure; HttpOnly; SameSite=Strict')
  })

  test('a session opens the window and a socket, for its own pages alone', () => {
    expect(found['session']).toEqual({
      ...{ page: 'the window', otherOrigin: 403, noOrigin: 403, otherHost: 403, own: 'open', body: 413 },
    })
  })

  test('a message that is too large ends its conversation; one who does not read is cut, and others do not notice', () => {
    expect(found['large']).toBe(1009)
    expect(found['deaf']).toBe(1006)
    expect(found['good']).toMatchObject({ answer: { r: { ok: true, value: { role: 'student' } } }, isSoon: true })
    expect(found['crowd']).toBe(true)
  })

  test('guests come by the link of the educator, and are cut when it ends; others do not notice', () => {
    expect(found['guests']).toEqual({
      link: {
        status: 200,
        cookie: '__Host-tartaglia-guest=SECRET; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=3600',
      },
      wrong: { status: 401, cookie: null },
      ...{ plain: false, page: 'the window', role: 'guest', otherOrigin: 403 },
      afterwards: { link: 401, socket: 401 },
      others: 'student',
    })
  })

  test('closing it ends all sessions and their sockets, and frees the port', () => {
    expect(found['after']).toEqual({ state: false, port: false, sessions: 1 })
  })

  test('the educator’s certificate is read again when its files change', () => {
    expect(found['certificate']).toEqual({
      ...{ by: 'own', name: 'class.example', hsts: 'max-age=15552000', before: true, after: true },
    })
  })

  test('forwarded headers are believed of the proxy alone, and others get no answer over plain HTTP', () => {
    expect(found['proxy']).toEqual({
      addresses: ['https://class.example'],
      ...{ own: 401, host: 401, others: 403, otherHost: 403, plainHttp: 403, hsts: 'max-age=15552000', guess: 403 },
    })
    // Failed sign-ins count against the address that the proxy saw, not against one that a browser made up.
    const guesses = JSON.stringify(found['guesses'])
    expect(guesses).toContain('203.0.113.5')
    expect(guesses).not.toContain('10.9.9.9')
  })

  test('nothing of all this was unexpected', () => {
    // While one file of two was replaced, they did not belong together.
    expect(found['unexpected']).toEqual(expect.not.arrayContaining([expect.not.stringContaining('is not the key of')]))
  })

  test('the built program opens the class with a certificate of its own, whose fingerprint it prints', async () => {
    const data = temporaryFolder('built')
    const cli = join(resources.worker, '..', 'cli.js')
    const command = `${addresses} && exec "$0" "$1" serve --json --data "$2" --host 192.0.2.7 --port 0`
    const child = spawn('unshare', ['-rn', 'sh', '-c', command, process.execPath, cli, data], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const { network } = JSON.parse(line) as { readonly network: object }
      const certificate = new X509Certificate(readFileSync(join(data, 'keys', 'portal-certificate.pem')))
      expect(network).toMatchObject({
        ...{ by: 'class', addresses: expect.arrayContaining([expect.stringMatching(/^https:\/\/192\.0\.2\.7:\d+$/)]) },
        fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
      })
    } finally {
      child.kill('SIGTERM')
      await once(child, 'close')
    }
  })
})
