import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256 } from '../../../main/histories/canonical.ts'
import { expectRefusal, openStage, reportOf } from '../verbs/stage.ts'
import { hasRedis, startRedis, type RedisServer } from './redis-server.ts'

/** A Redis as docs/scaling.md sets it up: TLS only, and one user who reaches the keys of clusters alone. */
const stage = openStage('secured')
const [certificate, key] = [join(stage.folder, 'redis.crt'), join(stage.folder, 'redis.key')]
const canCertify = spawnSync('openssl', ['version']).status === 0
const word = 'correct-horse'
let redis: RedisServer

beforeAll(async () => {
  process.env['TARTAGLIA_DATA'] = join(stage.folder, 'home', 'data')
  if (!hasRedis || !canCertify) return
  const made = spawnSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
    ...['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost', '-keyout', key, '-out', certificate],
  ])
  expect(made.status, String(made.stderr)).toBe(0)
  const users = join(stage.folder, 'users.acl')
  writeFileSync(users, `user default off\nuser tartaglia on >${word} ${RIGHTS}\n`)
  redis = await startRedis({
    options: (port) => [
      ...['--port', '0', '--tls-port', String(port), '--tls-cert-file', certificate, '--tls-key-file', key],
      ...['--tls-auth-clients', 'no', '--aclfile', users],
    ],
    url: (port) => `rediss://tartaglia:${word}@localhost:${port}`,
  })
}, 60_000)
afterAll(async () => {
  delete process.env['NODE_EXTRA_CA_CERTS']
  if (hasRedis && canCertify) await redis.remove()
  stage.remove()
})

/** As in docs/scaling.md. */
const RIGHTS = 'resetkeys ~tartaglia:* ~bull:tartaglia-* resetchannels +@all -@admin -@dangerous +info'

describe.skipIf(!hasRedis || !canCertify)('a Redis with TLS and users (needs redis-server and openssl)', () => {
  test('carries a contest, and refuses strangers in a sentence', { timeout: 240_000 }, async () => {
    const contest = stage.contest('small.json')
    const token = sha256('secured').slice(0, 32)
    const worker = (url: string) => ['worker', '--redis', url, '--token', token, '--isolation', 'permission']
    expectRefusal(await stage.run(...worker(redis.url)), 3, /self.signed certificate/)
    process.env['NODE_EXTRA_CA_CERTS'] = certificate
    const wrong = await stage.run(...worker(redis.url.replace(word, 'wrong')))
    expectRefusal(wrong, 3, /WRONGPASS/)
    expect(wrong.stderr).not.toContain('wrong@')

    const running = stage.begin(...worker(redis.url), '--cores', '1', '--cache', join(stage.folder, 'cache'))
    await running.said('Joined')
    const on = ['--redis', redis.url, '--token', token, '--data', join(stage.folder, 'data'), '--json']
    const ended = await stage.run('contest', 'run', contest, ...on)
    running.child.kill('SIGKILL')
    expect(ended.code, ended.stderr).toBe(0)
    expect(reportOf(ended).matches).toEqual({ total: 6, played: 6, void: 0 })
    expect(ended.stderr).not.toContain('NOPERM')
    expect(ended.stderr).not.toContain(word)
  })
})
