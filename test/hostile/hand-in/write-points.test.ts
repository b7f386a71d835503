import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { attemptsOf, attemptWithReceipt } from '../../../main/administrator/people/attempts.ts'
import { closePeopleDatabase, openPeopleDatabase } from '../../../main/administrator/people/people-database.ts'
import { receipt, type Receipt } from '../../../main/contract/people/receipts.ts'
import { chainFault } from '../../../main/histories/receipts.ts'
import { openReceiptChain } from '../../../main/services/hand-in/receipt-chain.ts'
import { openKeptFiles } from '../../../main/services/hand-in/kept-files.ts'
import { readAgain, recoverHandIns } from '../../../main/services/hand-in/recover.ts'
import { start } from '../../conformance/cli/process.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('hand-in-points')
const counter = join(import.meta.dirname, '../contests/fixtures/write-points.mjs')
const program = join(import.meta.dirname, 'fixtures/hand-in.ts')

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

/** Opens the class as after a crash, reads what was left unread, and compares files, attempts, receipts and versions. */
async function expectWhole(data: string, given: readonly Receipt[]): Promise<void> {
  const home = await openClassFolder(data)
  const people = openPeopleDatabase(data)
  const chain = openReceiptChain(data, home.key)
  try {
    const kept = openKeptFiles(data)
    const underway = new Set<number>()
    const room = { home, people, chain, kept, underway, now: () => OPENED, beginningOfDay: () => 0 }
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
    const attempts = attemptsOf(people, '1'.repeat(16))
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
