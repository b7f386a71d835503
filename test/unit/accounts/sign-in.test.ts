import { describe, expect, test } from 'vitest'
import {
  closeAccounts,
  memberCalled,
  memberOf,
  passwordHash,
  visitorOfSecret,
} from '../../../main/administrator/people/accounts.ts'
import {
  beginDevice,
  confirmDevice,
  DEVICE_LIFE,
  DEVICE_SILENCE,
  deviceRequest,
} from '../../../main/administrator/people/devices.ts'
import { networkOf } from '../../../main/contract/networks.ts'
import { changeClassCode, classCode, join } from '../../../main/administrator/people/joining.ts'
import { CODE_LIFE, validCodes } from '../../../main/administrator/people/one-time-codes.ts'
import { checkPassword, createPasswordHasher } from '../../../main/administrator/people/passwords.ts'
import { beginSession, SESSION_LIFE, sessionsOf, sweepSessions } from '../../../main/administrator/people/sessions.ts'
import {
  changePassword,
  endOneSession,
  endOtherSessions,
  signIn,
  signInDevice,
  signOut,
} from '../../../main/administrator/people/sign-in.ts'
import {
  appendAudit,
  auditLines,
  brokenAuditLine,
  firstAuditLine,
  pruneAudit,
  type AuditFilter,
} from '../../../main/administrator/people/audit.ts'
import { AUDIT_KEPT_DAYS } from '../../../main/contract/people/audit.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import {
  admitPerson,
  changePerson,
  importRoster,
  newCode,
  newSlips,
  removePerson,
} from '../../../main/services/people/class-people.ts'
import { presentCaller } from '../../../main/services/people/callers.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { HOUR, MINUTE, openTestClass, person, START, type TestClass } from './class.ts'

const ada = person('a', 'Ada Lovelace', { email: 'ada@school.example' })
const bert = person('b', 'Bert')
const place = { address: '192.0.2.1', agent: 'a browser' }
const PASSWORD = 'four words of mine'

async function withPasswordOf(who: string): Promise<TestClass> {
  const room = openTestClass([ada, bert])
  const { code } = await newCode(room, who, hostCaller)
  await signIn(room, { name: 'ada lovelace', code, newPassword: PASSWORD }, place, [])
  return room
}
const byPassword = (room: TestClass, password = PASSWORD, name = 'Ada Lovelace', address = place.address) =>
  signIn(room, { name, password }, { ...place, address }, [])
const code = (reason: string) => expect.objectContaining({ code: reason }) as Error

describe('a one-time code', () => {
  test('becomes a password, once, and is not used up while none was chosen', async () => {
    const room = openTestClass([ada, bert])
    const { code: slip } = await newCode(room, ada.id, hostCaller)
    const typed = ` ${slip.slice(0, 4).toLowerCase()}-${slip.slice(4)}`
    await expect(signIn(room, { name: 'Ada Lovelace', code: typed }, place, [])).rejects.toEqual(
      code('password-needed'),
    )
    const short = { name: 'Ada Lovelace', code: slip, newPassword: 'short' }
    await expect(signIn(room, short, place, [])).rejects.toEqual(code('password-invalid'))
    const { secret } = await signIn(room, { name: 'ADA@school.example', code: typed, newPassword: PASSWORD }, place, [])
    expect(visitorOfSecret(room, secret)).toMatchObject({ kind: 'session', person: ada.id })
    const again = { name: 'Ada Lovelace', code: slip, newPassword: PASSWORD }
    await expect(signIn(room, again, place, [])).rejects.toEqual(code('sign-in-refused'))
    expect((await byPassword(room)).person).toBe(ada.id)
    expect(passwordHash(room, ada.id)).toMatch(/^scrypt\$32768\$8\$1\$[0-9a-f]{32}\$[0-9a-f]{64}$/)
  })

  test('is exchanged by one of two who try at once', async () => {
    const room = openTestClass([ada])
    const { code: slip } = await newCode(room, ada.id, hostCaller)
    const tries = ['one long password', 'another long password'].map((newPassword) =>
      signIn(room, { name: 'Ada Lovelace', code: slip, newPassword }, place, []),
    )
    const done = await Promise.allSettled(tries)
    expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  })

  test('ends after 14 days, and with the next one', async () => {
    const room = openTestClass([ada])
    const first = await newCode(room, ada.id, hostCaller)
    const second = await newCode(room, ada.id, hostCaller)
    const use = (slip: string) => signIn(room, { name: 'Ada Lovelace', code: slip, newPassword: PASSWORD }, place, [])
    await expect(use(first.code)).rejects.toEqual(code('sign-in-refused'))
    room.time += CODE_LIFE
    await expect(use(second.code)).rejects.toEqual(code('sign-in-refused'))
  })
})

describe('a wrong sign-in', () => {
  test('costs one hash and gives the same sentence, whoever is named', async () => {
    const room = await withPasswordOf(ada.id)
    const left = person('c', 'Cleo', { removed: '2026-09-01T00:00:00.000Z' })
    const asks = person('d', 'Dan', { asking: true })
    const twins = [person('e', 'Eve'), person('f', 'Eve')]
    room.home.content.people.push(left, asks, ...twins)
    const answers = new Set<string>()
    for (const name of ['Ada Lovelace', 'Bert', 'Nobody', 'Cleo', 'Dan', 'Eve', '\u0000 OR 1=1']) {
      for (const request of [
        { name, password: 'a wrong password' },
        { name, code: '23456789', newPassword: PASSWORD },
      ]) {
        room.hashes = 0
        const refusal = await signIn(room, request, place, []).catch((error: Error) => error.message)
        answers.add(JSON.stringify([refusal, room.hashes]))
      }
    }
    expect(answers.size).toBe(1)
    expect([...answers][0]).toMatch(/do not match.*,1\]$/)
  })

  test('makes the account wait after five, twice as long each time, at most 15 minutes, and never for good', async () => {
    const room = await withPasswordOf(ada.id)
    const waits: number[] = []
    for (let failures = 0; failures < 17; failures += 1) {
      const start = room.time
      const guess = (): Promise<string> =>
        byPassword(room, 'a wrong password', ['Ada Lovelace', 'ada@school.example'][failures % 2]).catch(
          (error: { code: string }) => error.code,
        ) as Promise<string>
      const hashes = room.hashes
      for (let step = 1_000; (await guess()) === 'too-many'; step *= 2) {
        expect(room.hashes).toBe(hashes)
        room.time = Math.min(start + step, start + 15 * MINUTE)
      }
      waits.push((room.time - start) / 1_000)
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
    room.time += 15 * MINUTE
    expect((await byPassword(room)).person).toBe(ada.id)
    // The slate is clean.
    await expect(byPassword(room, 'a wrong password')).rejects.toEqual(code('sign-in-refused'))
    expect((await byPassword(room)).person).toBe(ada.id)
  })

  test('counts before its hash is known: guesses made at once are no more than five', async () => {
    const room = await withPasswordOf(ada.id)
    const done = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => byPassword(room, `wrong password ${n}`)))
    const reasons = done.map((each) => (each.status === 'rejected' ? (each.reason as { code: string }).code : 'right'))
    expect(reasons.filter((reason) => reason === 'sign-in-refused')).toHaveLength(5)
    expect(reasons.filter((reason) => reason === 'too-many')).toHaveLength(35)
  })

  test('slows a network after 300 in an hour, but for those who have signed in from there', async () => {
    const room = await withPasswordOf(ada.id)
    const { code: slip } = await newCode(room, bert.id, hostCaller)
    for (let n = 0; n < 299; n += 1)
      await expect(byPassword(room, 'a wrong password', `Name ${n}`)).rejects.toEqual(code('sign-in-refused'))
    // Successes do not count.
    for (let n = 0; n < 20; n += 1) expect((await byPassword(room)).person).toBe(ada.id)
    await expect(byPassword(room, 'a wrong password', 'Name 300')).rejects.toEqual(code('sign-in-refused'))
    expect((await byPassword(room)).person).toBe(ada.id)
    const bertSignsIn = (address: string) =>
      signIn(room, { name: 'Bert', code: slip, newPassword: PASSWORD }, { ...place, address }, [])
    await expect(bertSignsIn(place.address)).rejects.toEqual(code('too-many'))
    room.time += 2_000
    expect((await bertSignsIn(place.address)).person).toBe(bert.id)
  })

  test('that could not be compared, as too many wait, counts against nobody', async () => {
    const room = openTestClass([ada, bert])
    const { code: slip } = await newCode(room, ada.id, hostCaller)
    const full: TestClass = { ...room, hasher: createPasswordHasher(() => new Promise<Buffer>(() => undefined), 0) }
    void full.hasher.hash('x')
    void full.hasher.hash('y')
    for (let n = 0; n < 400; n += 1)
      await expect(byPassword(full, PASSWORD, n < 200 ? 'Ada Lovelace' : `Name ${n}`)).rejects.toEqual(code('too-many'))
    expect(room.people.database.prepare('SELECT count(*) AS n FROM guess').get()).toEqual({ n: 0 })
    expect((await signIn(room, { name: 'Ada Lovelace', code: slip, newPassword: PASSWORD }, place, [])).person).toBe(
      ada.id,
    )
  })

  test('is not made by 200 students who redeem their slips at once', async () => {
    const everybody = Array.from({ length: 200 }, (_, n) =>
      person(n.toString(16).padStart(3, '0'), `Student ${n}`, { id: n.toString(16).padStart(16, '0') }),
    )
    const room = openTestClass(everybody)
    const codes = await Promise.all(everybody.map(({ id }) => newCode(room, id, hostCaller)))
    const done = await Promise.all(
      codes.map(({ code: slip }, n) =>
        signIn(room, { name: `Student ${n}`, code: slip, newPassword: PASSWORD }, place, []),
      ),
    )
    expect(done).toHaveLength(200)
  })

  test('of one network keeps an account out of that network alone; those of 200 slow all but its own', async () => {
    const room = await withPasswordOf(ada.id)
    const away = '198.51.100.7'
    for (let n = 0; n < 30; n += 1)
      await byPassword(room, 'a wrong password', 'Ada Lovelace', away).catch(() => undefined)
    await expect(byPassword(room, PASSWORD, 'Ada Lovelace', away)).rejects.toEqual(code('too-many'))
    expect((await byPassword(room, PASSWORD, 'Ada Lovelace', '192.0.2.2')).person).toBe(ada.id)
    let guesses = 0
    for (let second = 0; second < 3_600; second += 9) {
      room.time = START + second * 1_000
      const address = `203.0.113.${(second / 9) % 200}`
      const refusal = await byPassword(room, 'a wrong password', 'Ada Lovelace', address).catch(
        (error: { code: string }) => error.code,
      )
      if (refusal === 'sign-in-refused') guesses += 1
    }
    expect(guesses).toBeGreaterThanOrEqual(50)
    expect(guesses).toBeLessThan(65)
    await expect(byPassword(room, PASSWORD, 'Ada Lovelace', '203.0.113.250')).rejects.toEqual(code('too-many'))
    expect((await byPassword(room)).person).toBe(ada.id)
  })

  test('keeps a clock that is set back from locking anybody out, or freeing guesses', async () => {
    const room = await withPasswordOf(ada.id)
    for (let n = 0; n < 5; n += 1) await byPassword(room, 'a wrong password').catch(() => undefined)
    room.time -= 48 * HOUR
    await expect(byPassword(room)).rejects.toEqual(code('too-many'))
    room.time += 2_000
    expect((await byPassword(room)).person).toBe(ada.id)
  })

  test('counts by the half of an address of IPv6 that a network has', () => {
    const groups = ['2001:db8:1:2::1', '2001:0db8:0001:0002:ffff::', '::ffff:192.0.2.1', '2001:db8::1%eth0', '::1']
    expect(groups.map(networkOf)).toEqual([
      '2001:db8:1:2::/64',
      '2001:db8:1:2::/64',
      '192.0.2.1',
      '2001:db8:0:0::/64',
      '0:0:0:0::/64',
    ])
  })
})

describe('a session', () => {
  test('lasts 12 hours from its last use', async () => {
    const room = await withPasswordOf(ada.id)
    const { secret } = await byPassword(room)
    for (let n = 0; n < 5; n += 1) {
      room.time += SESSION_LIFE - 1
      expect(visitorOfSecret(room, secret)).not.toBeNull()
    }
    room.time += SESSION_LIFE
    expect(visitorOfSecret(room, secret)).toBeNull()
  })

  test('is kept as a hash', async () => {
    const room = await withPasswordOf(ada.id)
    const { secret } = await byPassword(room)
    const rows = JSON.stringify(room.people.database.prepare('SELECT *, hex(hash) AS x FROM session').all())
    expect(secret).toHaveLength(43)
    expect(rows).not.toContain(secret)
    expect(rows.toLowerCase()).not.toContain(Buffer.from(secret, 'base64url').toString('hex'))
  })

  test('that is over does not come back with a clock that is set back', async () => {
    const room = await withPasswordOf(ada.id)
    const { secret } = await byPassword(room)
    room.time += 13 * HOUR
    expect(sweepSessions(room.people, room.time)).toHaveLength(2)
    room.time -= 12 * HOUR
    expect(visitorOfSecret(room, secret)).toBeNull()
    // Nor does one live on for years.
    const { secret: later } = await byPassword(room)
    room.time -= HOUR
    expect(visitorOfSecret(room, later)).not.toBeNull()
    room.time -= 365 * 24 * HOUR
    expect(visitorOfSecret(room, later)).toBeNull()
  })

  test('of another person who had this browser ends at sign-in, and nobody chooses their secret', async () => {
    const room = await withPasswordOf(ada.id)
    const { secret: former } = await byPassword(room)
    const { secret } = await signIn(room, { name: 'Ada Lovelace', password: PASSWORD }, place, [former, 'planted'])
    expect([visitorOfSecret(room, former), visitorOfSecret(room, 'planted')]).toEqual([null, null])
    expect([former, 'planted']).not.toContain(secret)
    signOut(room, secret)
    expect(visitorOfSecret(room, secret)).toBeNull()
    expect(room.ended).toHaveLength(2)
  })

  test('ends with a new password, a new role and removal', async () => {
    const room = await withPasswordOf(ada.id)
    const own = await byPassword(room)
    const visitor = visitorOfSecret(room, own.secret)!
    const other = await byPassword(room)
    await changePassword(room, visitor, { password: PASSWORD, newPassword: 'five other words of mine' })
    expect([visitorOfSecret(room, own.secret) === null, visitorOfSecret(room, other.secret)]).toEqual([false, null])
    await expect(byPassword(room)).rejects.toEqual(code('sign-in-refused'))
    await changePerson(room, ada.id, { role: 'assistant' }, hostCaller)
    expect(visitorOfSecret(room, own.secret)).toBeNull()
    const third = await byPassword(room, 'five other words of mine')
    await removePerson(room, ada.id, hostCaller)
    expect([visitorOfSecret(room, third.secret), room.ended.length]).toEqual([null, 4])
    await expect(byPassword(room, 'five other words of mine')).rejects.toEqual(code('sign-in-refused'))
  })

  test('is one of at most twenty of a person: the one that was used least recently ends', async () => {
    const room = await withPasswordOf(ada.id)
    const [first] = sessionsOf(room.people, ada.id, room.time)
    for (let n = 1; n < 20; n += 1) {
      room.time += 1
      await byPassword(room)
    }
    expect(sessionsOf(room.people, ada.id, room.time)).toHaveLength(20)
    expect(room.ended).toEqual([])
    room.time += 1
    await byPassword(room)
    expect(sessionsOf(room.people, ada.id, room.time)).toHaveLength(20)
    expect(room.ended).toEqual([first!.id])
  })
})

describe('a password', () => {
  test.each(['123456789', 'a'.repeat(201), '1234567890', 'QWERTYUIOP', 'ababababab', 'Basketball'])(
    '%s is refused',
    (text) => {
      expect(() => checkPassword(text)).toThrow(code('password-invalid'))
    },
  )
  test.each(['four words', 'a'.repeat(100) + 'bc', '密码密码密碼一二三四'])('%s is accepted', (text) => {
    expect(() => checkPassword(text)).not.toThrow()
  })

  test('is hashed two at a time; others wait, and beyond a number are refused', async () => {
    let running = 0
    let most = 0
    const hasher = createPasswordHasher(async () => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setTimeout(resolve, 1))
      running -= 1
      return Buffer.alloc(32)
    }, 3)
    const done = await Promise.allSettled(Array.from({ length: 9 }, () => hasher.hash('x')))
    expect([most, done.filter(({ status }) => status === 'fulfilled').length]).toEqual([2, 5])
    expect(await Promise.all([hasher.hash('x'), hasher.hash('y'), hasher.hash('z')])).toHaveLength(3)
  })

  test('that is being hashed when the class is closed is refused, and nothing is written', async () => {
    const room = openTestClass([ada])
    const made = newCode(room, ada.id, hostCaller)
    closeAccounts(room)
    await expect(made).rejects.toEqual(code('classroom-closed'))
  })

  test('is compared by the parameters of its hash, with the real function', async () => {
    const hasher = createPasswordHasher()
    // scrypt('four words', salt 00, N=2, r=1, p=1), as an older version could have kept it.
    const { scryptSync } = await import('node:crypto')
    const old = `scrypt$2$1$1$00$${scryptSync('four words', Buffer.of(0), 32, { N: 2, r: 1, p: 1 }).toString('hex')}`
    expect([await hasher.matches('four words', old), await hasher.matches('five words', old)]).toEqual([true, false])
    const made = await hasher.hash('Caf\u00e9 am Ring')
    expect(await hasher.matches('Cafe\u0301 am Ring', made)).toBe(true)
  })
})

describe('joining', () => {
  test('needs the code of the class and an admission, and makes nobody of the roster', async () => {
    const room = openTestClass([ada])
    const asked = { classCode: '23456789', name: 'Ada Lovelace', password: PASSWORD }
    await expect(join(room, asked, place)).rejects.toEqual(code('join-refused'))
    changeClassCode(room, true)
    await expect(join(room, asked, place)).rejects.toEqual(code('join-refused'))
    const right = { ...asked, classCode: classCode(room)!.code.toLowerCase() }
    await join(room, right, place)
    // A student of the roster is found by their name as before; the one who asks cannot sign in.
    expect(memberCalled(room, 'Ada Lovelace')?.id).toBe(ada.id)
    await expect(byPassword(room)).rejects.toEqual(code('sign-in-refused'))
    await importRoster(room, Buffer.from('name\nAda Lovelace\nBert\n'), hostCaller)
    expect(room.home.content.people.map(({ asking }) => asking)).toEqual([undefined, true, undefined])
    await join(room, { ...right, name: 'Zoë' }, place)
    const zoe = room.home.content.people.at(-1)!
    await admitPerson(room, zoe.id, hostCaller)
    expect((await byPassword(room, PASSWORD, 'zoë')).person).toBe(zoe.id)
    changeClassCode(room, false)
    await expect(join(room, right, place)).rejects.toEqual(code('join-refused'))
  })
})

describe('a network', () => {
  test('asks to join 200 times an hour', async () => {
    const room = openTestClass([ada])
    changeClassCode(room, true)
    const ask = (n: number) =>
      join(room, { classCode: classCode(room)!.code, name: `Name ${n}`, password: PASSWORD }, place)
    for (let n = 0; n < 200; n += 1) await ask(n)
    await expect(ask(200)).rejects.toEqual(code('too-many'))
    expect(room.home.content.people).toHaveLength(201)
    room.time += HOUR
    await ask(201)
  })
})

describe('a terminal', () => {
  test('gets a session when a person has confirmed its code, once', async () => {
    const room = await withPasswordOf(ada.id)
    const { deviceCode, userCode } = beginDevice(room.devices, place, room.time)
    expect(signInDevice(room, deviceCode, place)).toBeNull()
    expect(confirmDevice(room.devices, userCode, ada.id, room.time)).toBe(true)
    expect(confirmDevice(room.devices, userCode, bert.id, room.time)).toBe(false)
    const { secret } = signInDevice(room, deviceCode, place)!
    expect(visitorOfSecret(room, secret)?.person).toBe(ada.id)
    expect(() => signInDevice(room, deviceCode, place)).toThrow(code('device-unknown'))
    expect(() => signInDevice(room, userCode, place)).toThrow(code('device-unknown'))
  })

  test('waits 15 minutes while it asks, and its code is over then', () => {
    const room = openTestClass([ada])
    const { deviceCode, userCode } = beginDevice(room.devices, place, room.time)
    const end = room.time + DEVICE_LIFE
    // One that has gone silent leaves its place, and is back with its next question.
    room.time += DEVICE_SILENCE
    expect(deviceRequest(room.devices, userCode, room.time)).toBeNull()
    expect(signInDevice(room, deviceCode, place)).toBeNull()
    expect(deviceRequest(room.devices, userCode, room.time)).toMatchObject(place)
    while (room.time + DEVICE_SILENCE < end) {
      room.time += DEVICE_SILENCE - 1
      expect(signInDevice(room, deviceCode, place)).toBeNull()
    }
    room.time = end - 1
    expect(deviceRequest(room.devices, userCode, room.time)).not.toBeNull()
    room.time = end
    expect(confirmDevice(room.devices, userCode, ada.id, room.time)).toBe(false)
    expect(() => signInDevice(room, deviceCode, place)).toThrow(code('device-unknown'))
    room.time = end - DEVICE_LIFE - 1
    expect(() => signInDevice(room, deviceCode, place)).toThrow(code('device-unknown'))
  })

  test('is not kept out by somebody of its network who pretends to have thousands, nor by other networks', async () => {
    const room = await withPasswordOf(ada.id)
    const flood = (address: string, many: number): void => {
      for (let n = 0; n < many; n += 1) beginDevice(room.devices, { ...place, address }, room.time)
    }
    const places = (): number => [...room.devices.waiting.values()].reduce((sum, { size }) => sum + size, 0)
    const own = beginDevice(room.devices, place, room.time)
    // More than the answers that a network gets between two questions of a terminal.
    flood(place.address, 700)
    expect(deviceRequest(room.devices, own.userCode, room.time)).not.toBeNull()
    flood(place.address, 2_000)
    expect(places()).toBe(1_000)
    // Its next question brings it back, with all that was shown to the person.
    expect(signInDevice(room, own.deviceCode, place)).toBeNull()
    expect(deviceRequest(room.devices, own.userCode, room.time)).toMatchObject({ ...place, made: room.time })
    for (let n = 1; n < 8; n += 1) flood(`2001:db8:${n}::1`, 1_500)
    expect(places()).toBe(5_000)
    expect(signInDevice(room, own.deviceCode, place)).toBeNull()
    expect(confirmDevice(room.devices, own.userCode, ada.id, room.time)).toBe(true)
    expect(signInDevice(room, own.deviceCode, place)?.person).toBe(ada.id)
    // Nobody makes up a secret for a code that they have seen.
    const seen = beginDevice(room.devices, place, room.time)
    const forged = own.deviceCode.replace(own.userCode, seen.userCode)
    expect(() => signInDevice(room, forged, place)).toThrow(code('device-unknown'))
  })

  test('of a person who confirms more than five is not the oldest one that has not come', async () => {
    const room = await withPasswordOf(ada.id)
    const terminals = Array.from({ length: 6 }, () => beginDevice(room.devices, place, room.time))
    for (const { userCode } of terminals) confirmDevice(room.devices, userCode, ada.id, room.time)
    const got = terminals.map(({ deviceCode }) => signInDevice(room, deviceCode, place)?.person ?? null)
    expect(got).toEqual([null, ...Array.from({ length: 5 }, () => ada.id)])
  })

  test('that was confirmed gets no session after a new password, an end of other sessions or a new role', async () => {
    const room = await withPasswordOf(ada.id)
    const confirmed = (): string => {
      const { deviceCode, userCode } = beginDevice(room.devices, place, room.time)
      confirmDevice(room.devices, userCode, ada.id, room.time)
      return deviceCode
    }
    const { secret } = await byPassword(room)
    const visitor = visitorOfSecret(room, secret)!
    const waiting = [confirmed()]
    await changePassword(room, visitor, { password: PASSWORD, newPassword: 'five other words of mine' })
    expect(() => signInDevice(room, waiting[0]!, place)).toThrow(code('device-unknown'))
    waiting.push(confirmed())
    endOtherSessions(room, visitor)
    expect(() => signInDevice(room, waiting[1]!, place)).toThrow(code('device-unknown'))
    waiting.push(confirmed())
    await changePerson(room, ada.id, { role: 'guest' }, hostCaller)
    expect(() => signInDevice(room, waiting[2]!, place)).toThrow(code('device-unknown'))
    // That nothing was ended is not worth a line.
    expect(auditLines(room.people, 0, 50).items.filter(({ did }) => did === 'me.endOthers')).toHaveLength(0)
  })
})

test('a person ends one of their sessions alone, and none of others', () => {
  const room = openTestClass([ada, bert])
  const begin = (person: string, kind: 'browser' | 'terminal'): string =>
    beginSession(room.people, { person, kind, address: '127.0.0.1', agent: '' }, room.time).id
  const own = begin(ada.id, 'browser')
  const [laptop, lab] = [begin(ada.id, 'terminal'), begin(ada.id, 'terminal')]
  const foreign = begin(bert.id, 'terminal')
  const self = { person: ada.id, session: own }
  endOneSession(room, self, laptop)
  const left = (person: string): readonly string[] => sessionsOf(room.people, person, room.time).map(({ id }) => id)
  expect(new Set(left(ada.id))).toEqual(new Set([own, lab]))
  for (const id of [laptop, foreign, own, 'none'])
    expect(() => endOneSession(room, self, id)).toThrow(code('session-unknown'))
  expect([left(ada.id).length, left(bert.id)]).toEqual([2, [foreign]])
  expect(auditLines(room.people, 0, 50).items.filter(({ did }) => did === 'me.endSession')).toHaveLength(1)
})

describe('staff', () => {
  test('of the assistants make no codes for educators, and nobody changes or removes themselves', async () => {
    const eve = person('e', 'Eve', { role: 'educator' })
    const room = openTestClass([ada, eve])
    const assistant = { person: bert.id, role: 'assistant' } as const
    await expect(newCode(room, eve.id, assistant)).rejects.toEqual(code('person-protected'))
    await newCode(room, ada.id, assistant)
    const self = { person: eve.id, role: 'educator' } as const
    await expect(changePerson(room, eve.id, { role: 'student' }, self)).rejects.toEqual(code('person-protected'))
    await expect(removePerson(room, eve.id, self)).rejects.toEqual(code('person-protected'))
  })
})

describe('a code', () => {
  test('that an assistant made does not outlive a promotion, in a form or a roster', async () => {
    const room = openTestClass([ada])
    const assistant = { person: bert.id, role: 'assistant' } as const
    const use = (slip: string) => signIn(room, { name: ada.email!, code: slip, newPassword: PASSWORD }, place, [])
    const first = await newCode(room, ada.id, assistant)
    await changePerson(room, ada.id, { role: 'educator' }, hostCaller)
    await expect(use(first.code)).rejects.toEqual(code('sign-in-refused'))
    await changePerson(room, ada.id, { role: 'student' }, hostCaller)
    const second = await newCode(room, ada.id, assistant)
    const roster = 'name,email,role\nAda Lovelace,ada@school.example,educator\n'
    await importRoster(room, Buffer.from(roster), hostCaller)
    expect(room.home.content.people[0]?.role).toBe('educator')
    await expect(use(second.code)).rejects.toEqual(code('sign-in-refused'))
    await changePerson(room, ada.id, { role: 'student' }, hostCaller)
    // Promoted while the code is hashed.
    const third = newCode(room, ada.id, assistant)
    await changePerson(room, ada.id, { role: 'educator' }, hostCaller)
    await expect(third).rejects.toEqual(code('person-protected'))
    expect(validCodes(room.people, new Date(room.time)).size).toBe(0)
  })

  test('of many is made for all or for none', async () => {
    const room = openTestClass([ada, bert, person('d', 'Dan', { asking: true })])
    const former = await newCode(room, ada.id, hostCaller)
    const ids = room.home.content.people.map(({ id }) => id)
    await expect(newSlips(room, ids, hostCaller)).rejects.toEqual(code('person-protected'))
    expect([...validCodes(room.people, new Date(room.time)).keys()]).toEqual([ada.id])
    await signIn(room, { name: 'Ada Lovelace', code: former.code, newPassword: PASSWORD }, place, [])
    // Somebody leaves while theirs are hashed.
    const slips = newSlips(room, [ada.id, bert.id], hostCaller)
    await removePerson(room, bert.id, hostCaller)
    await expect(slips).rejects.toEqual(code('person-unknown'))
    expect(validCodes(room.people, new Date(room.time)).size).toBe(0)
  })

  test('is printed with a name by which its person, and nobody else, is found', async () => {
    const twins = [
      person('e', 'Eve', { email: 'family@school.example', ids: { school: '7' } }),
      person('f', 'Eve', { email: 'family@school.example', ids: { login: 'eve' } }),
    ]
    const room = openTestClass([...twins, bert])
    const ids = [...twins, bert].map(({ id }) => id)
    const slips = await newSlips(room, ids, hostCaller)
    expect(slips.map(({ signInName }) => signInName)).toEqual(['7', 'eve', 'Bert'])
  })
})

describe('somebody who asks to join', () => {
  async function asking(name: string): Promise<TestClass> {
    const room = openTestClass([ada])
    changeClassCode(room, true)
    await join(room, { classCode: classCode(room)!.code, name, password: PASSWORD }, place)
    return room
  }

  test('is deleted when they are refused', async () => {
    const room = await asking('Zoe')
    const { id } = room.home.content.people.at(-1)!
    await removePerson(room, id, hostCaller)
    expect([room.home.content.people, passwordHash(room, id)]).toEqual([[ada], null])
  })

  test('is not admitted under the name of a member', async () => {
    const room = await asking('ada  LOVELACE'.replace('  ', ' '))
    const { id } = room.home.content.people.at(-1)!
    await expect(admitPerson(room, id, hostCaller)).rejects.toEqual(code('name-taken'))
    await changePerson(room, id, { name: 'Ada of 7b' }, hostCaller)
    await admitPerson(room, id, hostCaller)
    expect(memberCalled(room, 'Ada of 7b')?.id).toBe(id)
  })

  test('is not taken for a person of a roster by their name, when they have been admitted', async () => {
    const room = await asking('Prof Smith')
    const { id } = room.home.content.people.at(-1)!
    await admitPerson(room, id, hostCaller)
    for (const roster of ['name,role\nProf Smith,educator\n', 'name,email\nProf Smith,smith@school.example\n'])
      await expect(importRoster(room, Buffer.from(roster), hostCaller)).rejects.toEqual(code('roster-invalid'))
    expect(memberOf(room, id)?.role).toBe('student')
  })
})

describe('a removal', () => {
  test('closes the account before it is written, so that nobody comes back with their password', async () => {
    const room = await withPasswordOf(ada.id)
    const halfWay: TestClass = {
      ...room,
      home: { ...room.home, change: () => Promise.reject(new Error('the disk is full')) },
    }
    await expect(removePerson(halfWay, ada.id, hostCaller)).rejects.toThrow('full')
    expect(passwordHash(room, ada.id)).toBeNull()
  })
})

describe('the audit log', () => {
  test('has every change with who made it, only grows, and shows what was tampered with', async () => {
    const room = await withPasswordOf(ada.id)
    await changePerson(room, bert.id, { role: 'assistant' }, { person: ada.id, role: 'educator' })
    await removePerson(room, bert.id, hostCaller)
    expect(auditLines(room.people, 0, 10).items.map(({ person: by, did }) => [by, did])).toEqual([
      [null, 'people.remove'],
      [ada.id, 'people.change'],
      [ada.id, 'sign-in'],
      [null, 'people.code'],
    ])
    const { database } = room.people
    expect(await brokenAuditLine(room.people)).toBeNull()
    expect(() => database.exec("UPDATE audit SET did = 'nothing'")).toThrow('only grows')
    expect(() => database.exec('DELETE FROM audit')).toThrow('only grows')
    database.exec("DROP TRIGGER audit_is_not_changed; UPDATE audit SET person = NULL WHERE did = 'people.change'")
    expect(await brokenAuditLine(room.people)).toBe(3)
  })

  test('finds lines by deed, object and person', async () => {
    const room = openTestClass([ada, bert])
    for (const [by, did, what] of [
      [ada.id, 'contests.cancel', { contest: '50%_cup' }],
      [null, 'network.open', { host: '10.0.0.2' }],
      [bert.id, 'handIn.submit', { agent: 'Rosa' }],
    ] as const)
      appendAudit(room.people, { at: START, person: by, did, what })
    const found = (filter: Partial<AuditFilter>): readonly number[] =>
      auditLines(room.people, 0, 10, { deeds: [], search: '', people: [], ...filter }).items.map(({ n }) => n)
    expect(found({})).toEqual([3, 2, 1])
    expect(found({ deeds: ['contests', 'network'] })).toEqual([2, 1])
    expect(found({ deeds: ['contest'] })).toEqual([])
    expect(found({ search: 'rosa' })).toEqual([3])
    expect(found({ search: '%_c' })).toEqual([1])
    expect(found({ search: '%' })).toEqual([1])
    expect(found({ search: 'Bert', people: [bert.id] })).toEqual([3])
    expect(found({ search: 'rosa', deeds: ['network'] })).toEqual([])
  })

  test('loses the lines of an earlier term, and those that stay are still a chain', async () => {
    const room = openTestClass([ada])
    const add = (at: number): void => appendAudit(room.people, { at, person: ada.id, did: 'contests.cancel', what: {} })
    const term = AUDIT_KEPT_DAYS * 24 * HOUR
    for (const at of [0, HOUR, 48 * HOUR]) add(START + at)
    // A clock that is ahead removes nothing.
    pruneAudit(room.people, START + 10 * term)
    expect(auditLines(room.people, 0, 10).total).toBe(3)
    add(START + term + 47 * HOUR)
    pruneAudit(room.people, START + term + 47 * HOUR)
    expect(auditLines(room.people, 0, 10).items.map(({ n, did, what }) => [n, did, what])).toEqual([
      [5, 'audit.prune', { lines: 2, before: new Date(START + 47 * HOUR).toISOString() }],
      [4, 'contests.cancel', {}],
      [3, 'contests.cancel', {}],
    ])
    expect(firstAuditLine(room.people)).toBe(3)
    expect(await brokenAuditLine(room.people)).toBeNull()
    expect(() => room.people.database.exec('DELETE FROM audit WHERE n = 3')).toThrow('only grows')
    // Somebody who removes one more line breaks the chain.
    room.people.database.exec('DROP TRIGGER audit_is_not_cut; DELETE FROM audit WHERE n = 3')
    expect(await brokenAuditLine(room.people)).toBe(3)
  })

  test('has failed sign-ins, ever fewer of them, and never a name that nobody has', async () => {
    const room = await withPasswordOf(ada.id)
    const fail = async (name: string): Promise<void> => {
      await expect(signIn(room, { name, password: 'a wrong password' }, place, [])).rejects.toThrow()
      room.time += 16 * MINUTE
    }
    await fail(ada.name)
    await fail(ada.name)
    await fail('hunter2-in-the-wrong-field')
    const refused = auditLines(room.people, 0, 50).items.filter(({ did }) => did === 'sign-in.refused')
    expect(refused.map(({ person: by, what }) => [by, what])).toEqual([
      [ada.id, { address: place.address, by: 'password', failures: 1, isKnown: true }],
    ])
    room.time += 2 * HOUR
    await fail('hunter2-in-the-wrong-field')
    const lines = auditLines(room.people, 0, 50).items
    expect(lines[0]).toMatchObject({ did: 'sign-in.refused', person: null, what: { failures: 1, isKnown: false } })
    const guesses = room.people.database.prepare('SELECT key FROM guess').all()
    expect(guesses.filter(({ key }) => String(key).startsWith('everywhere:name '))).toHaveLength(2)
    expect(JSON.stringify([lines, guesses])).not.toContain('hunter2')
  })
})

test('a window that is only told something does not keep its session; one that calls does', async () => {
  const room = await withPasswordOf(ada.id)
  const { secret } = await byPassword(room)
  const visitor = visitorOfSecret(room, secret)!
  const told = (): unknown => presentCaller(room, visitor, false).role
  room.time += 11 * HOUR
  expect(told()).toBe('student')
  room.time += 59 * MINUTE
  expect([told(), presentCaller(room, visitor).role]).toEqual(['student', 'student'])
  room.time += 11 * HOUR
  expect(told()).toBe('student')
  room.time += HOUR
  expect([told(), presentCaller(room, visitor).role]).toEqual([null, null])
})

test('the database of people keeps what it confirmed when the power fails', () => {
  const people = openPeopleDatabase(temporaryFolder('people-database'))
  const setting = (name: string): unknown => Object.values(people.database.prepare(`PRAGMA ${name}`).get()!)[0]
  expect([setting('journal_mode'), setting('synchronous')]).toEqual(['wal', 2])
  closePeopleDatabase(people)
})
