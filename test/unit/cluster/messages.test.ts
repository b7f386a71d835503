import { describe, expect, test } from 'vitest'
import { limits } from '../../../main/contract/limits.ts'
import { sha256 } from '../../../main/histories/canonical.ts'
import {
  jobName,
  openAgent,
  openOrder,
  openRefusal,
  openResult,
  openSetup,
  placeOfJob,
  sealAgent,
  sealOrder,
  sealRefusal,
  sealResult,
  sealSetup,
  createWorkerIdentity,
} from '../../../main/services/cluster/messages.ts'
import { keys, queueName } from '../../../main/services/cluster/names.ts'
import { secretsOf } from '../../../main/services/cluster/sealing.ts'
import { isStrongToken, newToken } from '../../../main/services/cluster/kept-token.ts'
import type { ContestSetup, MatchJob } from '../../../main/worker/protocol.ts'

const token = newToken()
const [ours, theirs] = [secretsOf(token), secretsOf(newToken())]
const [session, contest] = ['a'.repeat(32), 'week-1']
const agent = sha256('agent')
const job: MatchJob = {
  ...{ run: 7, match: 4, attempt: 1, seed: sha256('seed'), nonce: sha256('nonce'), fresh: false },
  entrants: [{ name: 'anna', agent }],
}
const place = { session, match: 4, attempt: 1, run: 7, number: 2 }
const order = { ...place, job, not: ['anna-1'] }
const setup: ContestSetup = {
  ...{ contest, contestHash: sha256('description'), config: { deep: [1] }, configHash: sha256('c'), game: 'specker' },
  ...{ limits: limits.parse({}), isolation: 'none', clock: 'frozen', seeds: 'hmac', lanes: 1 },
}
const shared = { setup, kinds: { [agent]: 'script' }, accepts: 'permission' } as const
const [anna, bruno] = [createWorkerIdentity('anna-1'), createWorkerIdentity('bruno-1')]
const told = { run: 7, order: 2, lines: 'the history\n' }
const to = { session, contest }

/** The text with one of its characters changed. */
const changed = (text: string, at: number): string =>
  text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)

describe('tokens of a cluster', () => {
  test('are made with 128 random bits', () => {
    const made = Array.from({ length: 1_000 }, newToken)
    expect(new Set(made).size).toBe(1_000)
    for (const each of made) expect(each).toMatch(/^[0-9a-f]{32}$/)
    expect(made.filter(isStrongToken)).toEqual(made)
  })

  test.each([
    '',
    'abc',
    'correct-horse',
    'correct horse battery staple and more words',
    '0'.repeat(32),
    token.slice(1),
  ])('are refused if they can be guessed: "%s"', (weak) => expect(isStrongToken(weak)).toBe(false))
})

describe('names in Redis', () => {
  test('are the same for the same token only, and are not a plain hash of it', () => {
    const names = (of: string): readonly string[] => {
      const secrets = secretsOf(of)
      return [secrets.owner, queueName(secrets), keys.agent(secrets, 'script', agent), keys.refusal(secrets, 'anna')]
    }
    expect(names(token)).toEqual(names(token))
    const other = names(newToken())
    for (const [at, name] of names(token).entries()) {
      expect(name).not.toBe(other[at])
      for (const guess of [token, `queue ${token}`, `owner ${token}`, JSON.stringify(['owner', token])])
        expect(name).not.toContain(sha256(guess).slice(0, 12))
      expect(name).not.toContain(agent)
    }
  })
})

describe('orders, setups, agents and results', () => {
  test('are read by those with the same token, and by nobody else', async () => {
    const [sealedOrder, sealedSetup] = [sealOrder(ours, contest, order), sealSetup(ours, session, shared)]
    expect(openOrder(ours, contest, place, sealedOrder)).toEqual(order)
    expect(openOrder(theirs, contest, place, sealedOrder)).toBeNull()
    expect(openSetup(ours, session, sealedSetup)).toEqual(shared)
    expect(openSetup(theirs, session, sealedSetup)).toBeNull()
    const sealed = await sealResult(ours, to, anna, told)
    expect(await openResult(ours, to, sealed)).toEqual({ ...told, worker: anna.name })
    expect(await openResult(theirs, to, sealed)).toBeNull()
    const script = sealAgent(ours, agent, 'script', Buffer.from('agent'))
    expect(openAgent(ours, agent, 'script', script)).toEqual({ kind: 'script', bytes: Buffer.from('agent') })
    expect(openAgent(theirs, agent, 'script', script)).toBeNull()
  })

  test('show nothing of seeds, code and histories, and differ each time', async () => {
    const code = Buffer.from('function secretOfTheAgent() {}')
    const texts = [
      sealOrder(ours, contest, order),
      sealSetup(ours, session, shared),
      sealAgent(ours, sha256(code), 'script', code),
      await sealResult(ours, to, anna, told),
    ]
    for (const text of texts) {
      const bytes = Buffer.from(text, 'base64').toString('latin1')
      for (const secret of [job.seed, job.nonce, contest, 'secretOfTheAgent', 'history', 'anna'])
        expect(text + bytes).not.toContain(secret)
    }
    expect(sealOrder(ours, contest, order)).not.toBe(texts[0])
  })

  test.each(['match', 'attempt', 'run'] as const)(
    'an order whose match has another %s than its place is refused',
    (field) => {
      const forged = sealOrder(ours, contest, { ...order, job: { ...job, [field]: 9 } })
      expect(openOrder(ours, contest, place, forged)).toBeNull()
    },
  )

  test.each(['run', 'order'] as const)('a result with another %s inside than before it is refused', async (field) => {
    let reads = 0
    // Packed with the first value, and sealed for the place with the second.
    const forged = Object.defineProperty({ ...told }, field, {
      enumerable: true,
      get: () => (reads++ === 0 ? 9 : told[field]),
    })
    const sealed = await sealResult(ours, to, anna, forged)
    expect(sealed.slice(0, 4)).toBe('7.2.')
    expect(await openResult(ours, to, sealed)).toBeNull()
  })

  test('hold for their place only: nothing that is moved, swapped or sent back can be opened', async () => {
    const sealed = sealOrder(ours, contest, order)
    for (const other of [
      { ...place, session: 'b'.repeat(32) },
      { ...place, match: 5 },
      { ...place, attempt: 2 },
      { ...place, run: 8 },
      { ...place, number: 3 },
    ])
      expect(openOrder(ours, contest, other, sealed)).toBeNull()
    expect(openOrder(ours, 'week-2', place, sealed)).toBeNull()
    expect(openSetup(ours, 'b'.repeat(32), sealSetup(ours, session, shared))).toBeNull()
    expect(openSetup(ours, session, sealed)).toBeNull()

    const result = await sealResult(ours, to, anna, told)
    expect(await openResult(ours, { ...to, session: 'b'.repeat(32) }, result)).toBeNull()
    expect(await openResult(ours, { ...to, contest: 'week-2' }, result)).toBeNull()
    expect(await openResult(ours, to, result.replace(/^7\./, '8.'))).toBeNull()
    expect(await openResult(ours, to, result.replace(/^7\.2\./, '7.3.'))).toBeNull()
    // An order does not come back as a result.
    expect(await openResult(ours, to, `7.2.${sealed}`)).toBeNull()
  })

  test('a package is of one kind: the same bytes are not a program', () => {
    const script = sealAgent(ours, agent, 'script', Buffer.from('agent'))
    expect(openAgent(ours, agent, 'program', script)).toBeNull()
    expect(openAgent(ours, sha256('other'), 'script', script)).toBeNull()
    expect(openAgent(ours, agent, 'script', sealAgent(ours, agent, 'script', Buffer.from('other')))).toBeNull()
  })

  test('are of the worker that they name: nobody with the same token can answer in its name', async () => {
    const inHerName = { ...bruno, name: anna.name }
    expect(await openResult(ours, to, await sealResult(ours, to, inHerName, told))).toBeNull()
    const forged = { ...bruno, key: { ...bruno.key, sign: anna.key.sign } }
    expect(await openResult(ours, to, await sealResult(ours, to, forged, told))).toBeNull()
    expect(createWorkerIdentity('anna-1').name).not.toBe(anna.name)
  })

  test('with a changed byte, or of any other form, are refused', async () => {
    const [sealed, result] = [sealOrder(ours, contest, order), await sealResult(ours, to, anna, told)]
    for (let at = 0; at < sealed.length - 2; at += 29) {
      expect(openOrder(ours, contest, place, changed(sealed, at)), `byte ${at}`).toBeNull()
      if (at > 4) expect(await openResult(ours, to, changed(result, at)), `byte ${at}`).toBeNull()
    }
    for (const text of ['', 'null', '{}', '7.2.', '7.2.AAAA', '{"body":"x","mac":""}', '['.repeat(100_000)]) {
      expect(openOrder(ours, contest, place, text)).toBeNull()
      expect(openSetup(ours, session, text)).toBeNull()
      expect(await openResult(ours, to, text)).toBeNull()
    }
  })

  test('the name of a job says its place, and nothing else is one', () => {
    expect(placeOfJob(jobName(place))).toEqual(place)
    for (const name of ['', '1', `${session}.4.1.7`, `${session}.4.1.7.x`, `${session}.4.1.7.2.9`])
      expect(placeOfJob(name)).toBeNull()
  })
})

test('a refusal is for one worker, and from a classroom with its token', () => {
  const refusal = sealRefusal(ours, anna.name, { specker: 0 })
  expect(openRefusal(ours, anna.name, refusal)).toEqual({ specker: 0 })
  expect(openRefusal(ours, bruno.name, refusal)).toBeNull()
  expect(openRefusal(theirs, anna.name, refusal)).toBeNull()
})
