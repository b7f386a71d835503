import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { addAttempt, attemptsOf, attemptWithReceipt } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { receipt, type Receipt } from '../../../main/contract/people/receipts.ts'
import { chainFault } from '../../../main/histories/receipts.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { keepFile, keptFile } from '../../../main/services/hand-in/kept-files.ts'
import { receive } from '../../../main/services/hand-in/receive.ts'
import { readAgain, recoverHandIns } from '../../../main/services/hand-in/recover.ts'
import { start } from '../../conformance/cli/process.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { member, openRoom, team } from './fixtures/room.ts'

const folder = temporaryFolder('hand-in-points')
const counter = join(import.meta.dirname, '../contests/fixtures/write-points.mjs')
const program = join(import.meta.dirname, 'fixtures/hand-in.ts')
const recovery = join(import.meta.dirname, 'fixtures/recover.ts')

/** The time at which the files arrive, and the time at which the class is opened after a crash. */
const ARRIVED = Date.parse('2026-11-29T22:59:59.000Z')
const OPENED = Date.parse('2026-11-30T08:00:00.000Z')

/** Hands in two files; the process is killed at a write. 0: at none. */
async function handIn(data: string, point: number, how: string, at = ARRIVED) {
  const command = [process.execPath, '--import', counter, program, data, String(at)]
  const variables = [`WRITE_POINT=${point}`, `WRITE_HOW=${how}`, 'WRITE_DATABASE=1']
  const ended = await start('/usr/bin/env', [...variables, ...command]).ended
  // A receipt that was cut off in the pipe was not received.
  const lines = ended.stdout.split('\n').slice(0, -1)
  return { ...ended, receipts: lines.map((line) => receipt.parse(JSON.parse(line))) }
}

/** Opens a class in which a process was killed; the process that does so is killed at a write, too. 0: at none. */
function recover(data: string, point: number, how: string) {
  const command = [process.execPath, '--import', counter, recovery, data, String(OPENED)]
  const variables = [`WRITE_POINT=${point}`, `WRITE_HOW=${how}`, 'WRITE_DATABASE=1', 'WRITE_WAITS=1']
  return start('/usr/bin/env', [...variables, ...command]).ended
}

/** Opens the class as after a crash, reads what was left unread, and compares files, attempts, receipts and versions. `handIns`: their number. */
async function expectWhole(data: string, given: readonly Receipt[], handIns?: number): Promise<void> {
  const home = await openClassFolder(data)
  const room = openRoom(home, OPENED)
  const { people, chain, underway } = room
  try {
    for (const left of (await recoverHandIns(room)).unread) await readAgain(room, left)
    expect(underway.size).toBe(0)
    const lines = existsSync(chain.path) ? readFileSync(chain.path, 'utf8').split('\n').slice(0, -1) : []
    expect(chainFault(lines, home.key.publicKey)).toBeNull()
    // A receipt that was given stays.
    expect(chain.receipts.slice(0, given.length)).toEqual(given)
    const names = existsSync(join(data, 'handed-in')) ? readdirSync(join(data, 'handed-in')) : []
    for (const { b } of chain.receipts) {
      // The time of the arrival has survived.
      expect(b.received).toBe(new Date(ARRIVED).toISOString())
      // No receipt without its bytes, its attempt and its version.
      expect(names).toContain(b.sha256)
      expect(attemptWithReceipt(people, b.n)).toMatchObject({ sha256: b.sha256, state: 'waiting' })
      const version = home.content.agents.find(({ handIn: record }) => record?.receipt === b.n)
      expect(version).toMatchObject({
        manifest: { name: b.agent, team: b.team },
        number: b.version,
        inactive: 'candidate',
      })
    }
    expect(home.content.agents).toHaveLength(chain.receipts.length)
    // No bytes without their entry, and none that were changed.
    const attempts = attemptsOf(people, team.id)
    for (const name of names) {
      expect(
        attempts.some(({ sha256 }) => sha256 === name),
        name,
      ).toBe(true)
      const bytes = readFileSync(join(data, 'handed-in', name))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(name)
    }
    // Whatever had arrived has its receipt now: nobody has to hand in again.
    expect(attempts.map(({ state }) => state)).toEqual(attempts.map(() => 'waiting'))
    expect(new Set(attempts.map(({ receipt: n }) => n))).toEqual(new Set(chain.receipts.map(({ b }) => b.n)))
    if (handIns !== undefined) expect(attempts).toHaveLength(handIns)
  } finally {
    closePeopleDatabase(people)
    await home.close()
  }
}

test.skipIf(process.platform === 'win32')(
  'a hand-in whose process is killed at a write is completed with the time of its arrival, or has left nothing',
  { timeout: 3_600_000 },
  async () => {
    const whole = await handIn(join(folder, 'whole'), 0, 'after')
    expect([whole.code, whole.receipts.length], whole.stderr).toEqual([0, 2])
    await expectWhole(join(folder, 'whole'), whole.receipts)
    const points = Number(/^write points: (\d+)$/m.exec(whole.stderr)![1])
    expect(points).toBeGreaterThan(20)
    // In the short form one point each, in another third of the hand-ins for each how.
    const every = isLong ? 1 : points
    for (const [offset, how] of (['before', 'after', 'torn'] as const).entries()) {
      for (let point = 1 + offset * Math.floor(every / 3); point <= points; point += every) {
        const data = join(folder, `${how}-${point}`)
        const killed = await handIn(data, point, how)
        await expectWhole(data, killed.receipts)
        // A team whose hand-in was lost hands in again.
        const again = await handIn(data, 0, 'after')
        expect([again.code, again.receipts.length], again.stderr).toEqual([0, 2])
      }
    }
  },
)

/**
 * A class with all that a killed process can leave: a receipt without its version, a file without its receipt, half of a receipt, and files
 * without their rows. Returns the receipts that were written.
 */
async function leaveHandIns(data: string): Promise<readonly Receipt[]> {
  const home = await openClassFolder(data)
  await home.change(({ teams }) => void teams.push(team))
  const room = openRoom(home, ARRIVED)
  const { people, chain, kept } = room
  try {
    const full = {
      ...room,
      home: { ...home, change: () => Promise.reject(new MachineError('Full.', '/x', 'disk-full')) },
    }
    const hand = { game: 'haggle', person: member, contest: null, agent: 'red' } as const
    const file = (text: string) => ({ fileName: 'agent.js', content: Buffer.from(text) })
    await expect(receive(full, { ...hand, team, file: file('module.exports = class {}\n') })).rejects.toThrow('Full.')
    const sha256 = await keepFile(kept, file('module.exports = class { offer() {} }\n'), team.id, [])
    const { agent, ...row } = { ...hand, team: team.id, members: team.members, file: 'agent.js', sha256, at: ARRIVED }
    addAttempt(people, { ...row, wish: { agent } })
    await keepFile(kept, file('nobody has its row'), team.id, [])
    writeFileSync(keptFile(kept, 'file.00000000-0000-4000-8000-000000000000.new'), 'half of a fi')
    appendFileSync(chain.path, '{"b":{"k":"receipt","n":2,')
    return [...chain.receipts]
  } finally {
    closePeopleDatabase(people)
    await home.close()
  }
}

test.skipIf(process.platform === 'win32')(
  'a class that is opened after a crash, and killed again while it completes its hand-ins, has them all when it is opened once more',
  { timeout: 3_600_000 },
  async () => {
    const left = join(folder, 'left')
    const given = await leaveHandIns(left)
    expect(given).toHaveLength(1)
    const copyOf = (name: string): string => {
      cpSync(left, join(folder, name), { recursive: true })
      return join(folder, name)
    }
    const whole = await recover(copyOf('recovered'), 0, 'after')
    expect(whole.code, whole.stderr).toBe(0)
    await expectWhole(join(folder, 'recovered'), given, 2)
    const points = Number(/^write points: (\d+)$/m.exec(whole.stderr)![1])
    expect(points).toBeGreaterThan(12)
    const ways = ['before', 'after', 'torn'] as const
    // In the short form three points, each in another way.
    const every = isLong ? 1 : points
    for (const [offset, how] of ways.entries()) {
      for (let point = 1 + Math.floor((every * (2 * offset + 1)) / 6); point <= points; point += every) {
        const data = copyOf(`again-${how}-${point}`)
        const killed = await recover(data, point, how)
        expect(killed.code, killed.stderr).not.toBe(0)
        await expectWhole(data, given, 2)
      }
    }
  },
)
