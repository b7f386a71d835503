import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { storedAgentFile } from '../../../main/administrator/classroom/agents.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import { createAgentSupply } from '../../../main/services/cluster/agent-supply.ts'
import { sealAgent } from '../../../main/services/cluster/messages.ts'
import { keys } from '../../../main/services/cluster/names.ts'
import { secretsOf } from '../../../main/services/cluster/sealing.ts'
import { newToken } from '../../../main/services/cluster/kept-token.ts'
import { failure } from '../../refusal.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-supply-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const secrets = secretsOf(newToken())
const code = 'exports.agent = class {}'
const agent = sha256(code)
const key = keys.agent(secrets, 'script', agent)
const genuine = sealAgent(secrets, agent, 'script', Buffer.from(code))
let cases = 0

/** A worker's supply with an empty cache, a Redis that holds these values, and what the worker was told. */
function supplyWith(values: Record<string, string>) {
  const cache = join(folder, String(cases++))
  const stored = new Map(Object.entries(values))
  const notices: string[] = []
  const redis = {
    get: (name: string) => Promise.resolve(stored.get(name) ?? null),
    del: (...names: unknown[]) => Promise.resolve(names.filter((name) => stored.delete(String(name))).length),
  }
  const open = () =>
    createAgentSupply({ cache, secrets, redis: redis as never, onNotice: (text) => notices.push(text) })
  return { cache, stored, notices, open }
}

test('an agent comes from Redis once, and from the cache afterwards', async () => {
  const { stored, open } = supplyWith({ [key]: genuine })
  expect(await open().code(agent, 'script')).toBe(code)
  stored.clear()
  expect(await open().code(agent, 'script')).toBe(code)
})

test.each([
  ['no seal', JSON.stringify({ kind: 'program', bytes: Buffer.from(code).toString('base64') })],
  ['the seal of another kind', sealAgent(secrets, agent, 'program', Buffer.from(code))],
  ['the seal of another token', sealAgent(secretsOf(newToken()), agent, 'script', Buffer.from(code))],
])('a record with %s is removed and never kept, and the next one is used', async (_, record) => {
  const { stored, open } = supplyWith({ [key]: record })
  const supply = open()
  await expect(supply.code(agent, 'script')).rejects.toThrow(failure('Redis', agent))
  // The classroom puts it there again.
  expect(stored.has(key)).toBe(false)
  stored.set(key, genuine)
  expect(await supply.code(agent, 'script')).toBe(code)
})

test('a cache that was poisoned or damaged is healed', async () => {
  const { cache, open } = supplyWith({ [key]: genuine })
  mkdirSync(join(cache, 'agents'), { recursive: true })
  // As a worker of an older version has kept it: the bytes under the wrong kind.
  writeFileSync(storedAgentFile(cache, agent, 'program'), code)
  writeFileSync(storedAgentFile(cache, agent, 'script'), 'damaged')
  expect(await open().code(agent, 'script')).toBe(code)
  expect(readFileSync(storedAgentFile(cache, agent, 'script'), 'utf8')).toBe(code)
})

test('a package that cannot be unpacked is not kept', async () => {
  const bytes = Buffer.from('not an archive')
  const program = sha256(bytes)
  const { cache, open } = supplyWith({
    [keys.agent(secrets, 'program', program)]: sealAgent(secrets, program, 'program', bytes),
  })
  await expect(open().code(program, 'program')).rejects.toThrow()
  expect(() => readFileSync(storedAgentFile(cache, program, 'program'))).toThrow('ENOENT')
})

test('a cache that cannot be written costs nothing but a notice', async () => {
  const { cache, notices, open } = supplyWith({ [key]: genuine })
  writeFileSync(cache, 'a file')
  expect(await open().code(agent, 'script')).toBe(code)
  expect(notices).toHaveLength(1)
})
