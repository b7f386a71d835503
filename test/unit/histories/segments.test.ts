import { createHash } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createFinishedTable } from '../../../main/histories/segments/finished-table.ts'
import { openSegments, createSegmentWriter } from '../../../main/histories/segments/writer.ts'
import type { FinishedRun } from '../../../main/histories/segments/run-index.ts'
import { scanContest, type ContestScan } from '../../../main/histories/segments/contest-scan.ts'
import { sealText } from '../../../main/histories/segments/seal-texts.ts'
import { sealFault } from '../../../main/histories/segments/segment-check.ts'
import { MachineError } from '../../../main/histories/machine-error.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { blobs, openToy, otherKey, playToy, recorderOf, testKey } from './toy.ts'
import { failure, refusal } from '../../refusal.ts'

const key = testKey()
let folder: string
let dir: string
beforeEach(() => {
  folder = temporaryFolder('histories')
  dir = join(folder, 'histories', 'toy-1')
})

async function scan(): Promise<ContestScan> {
  const result = await scanContest({ dir, contest: 'toy-1', key: key.publicKey })
  if (!result.ok) throw new Error(result.damage.message)
  return result
}

/** The events that a scan reports. */
async function heard(): Promise<readonly FinishedRun[]> {
  const runs: FinishedRun[] = []
  const finished = createFinishedTable()
  const finish = (run: FinishedRun): void => {
    runs.push(run)
    finished.add(run)
  }
  await scanContest({
    dir,
    contest: 'toy-1',
    key: key.publicKey,
    keeper: { finished, finish, voidAttempt: () => undefined },
  })
  return runs
}

async function damage(): Promise<{ segment: number; line: number; message: string }> {
  const result = await scanContest({ dir, contest: 'toy-1', key: key.publicKey, repair: true })
  if (result.ok) throw new Error('no damage was found')
  return result.damage
}

async function writeMatches(from: number, to: number): Promise<void> {
  const { writer, scan } = await openToy(dir, key)
  for (let match = from; match < to; match++) {
    writer.append(playToy(match, scan.nextRun + match - from))
    await writer.commit()
  }
  await writer.close()
}

const first = 'segment-000001.jsonl'

test('an absent folder is an empty contest', async () => {
  expect(await scan()).toMatchObject({ nextRun: 1, nextSegment: 1, previous: null, repairs: [] })
})

test('what was committed is found again, with outcome, faults and names by seat', async () => {
  await writeMatches(0, 3)
  const found = await scan()
  expect([...found.finished.keys()]).toEqual([0, 1, 2])
  expect(found.finished.get(1)).toMatchObject({ match: 1, run: 2, entrants: ['alice', 'bob'], faults: [0, 1] })
  expect((await heard())[1]).toMatchObject({ match: 1, attempt: 1, run: 2, entrants: ['alice', 'bob'], faults: [0, 1] })
  expect((await heard())[1]?.outcome.places[0]).toMatchObject({ seat: 0, rank: 1 })
  expect(found).toMatchObject({ nextRun: 4, nextSegment: 2, unfinished: 0, doubles: 0, repairs: [] })
})

test('the toolchains of a match are found again', async () => {
  const { writer } = await openToy(dir, key)
  for (const [match, toolchains] of [{ gcc: '12.2.0' }, { gcc: '14.1.0', go: '1.22' }].entries())
    writer.append(playToy(match, match + 1, { toolchains }))
  writer.append(playToy(2, 3))
  await writer.close()
  expect((await heard()).map(({ toolchains }) => toolchains)).toEqual([
    { gcc: '12.2.0' },
    { gcc: '14.1.0', go: '1.22' },
    undefined,
  ])
})

test('runs of concurrent matches may be interleaved and their headers come in any order', async () => {
  const { writer } = await openToy(dir, key)
  const [one, two] = [playToy(0, 2), playToy(1, 1)].map((text) => text.split(/(?<=\n)/))
  for (let i = 0; i < one!.length; i++) writer.append(one![i]! + two![i]!)
  await writer.close()
  expect([...(await scan()).finished.keys()].sort()).toEqual([0, 1])
})

test('a writer never appends to an old segment and chains the new one to it', async () => {
  await writeMatches(0, 1)
  const before = readFileSync(join(dir, first))
  await writeMatches(1, 2)
  expect(readFileSync(join(dir, first))).toEqual(before)
  expect(readdirSync(dir)).toEqual([first, 'segment-000002.jsonl'])
  expect([...(await scan()).finished.keys()]).toEqual([0, 1])
})

test('segments rotate and a run may go on in the next file', async () => {
  const { writer } = await openToy(dir, key, 2_000)
  const lines = playToy(0, 1, { turns: 5 }).split(/(?<=\n)/)
  for (const line of lines) {
    writer.append(line)
    await writer.commit()
  }
  await writer.close()
  expect(readdirSync(dir).length).toBeGreaterThan(1)
  expect((await scan()).finished.get(0)?.to.segment).toBeGreaterThan(1)
})

test('several callers share a seal; commit without text resolves', async () => {
  const { writer } = await openToy(dir, key)
  await writer.commit()
  expect(readdirSync(dir)).toEqual([])
  for (let match = 0; match < 20; match++) writer.append(playToy(match, match + 1))
  await Promise.all(Array.from({ length: 20 }, () => writer.commit()))
  const seals = readFileSync(join(dir, first), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"k":"seal"'))
  expect(seals).toHaveLength(1)
  expect(writer.backlog).toBe(0)
  await writer.close()
  expect(() => writer.append('x\n')).toThrow('closed')
})

test('a part of a line is refused', async () => {
  const { writer } = await openToy(dir, key)
  expect(() => writer.append('{"b"')).toThrow(failure('whole', 'lines'))
})

test('a match that two runs finished counts once, by the first in file order', async () => {
  const { writer } = await openToy(dir, key)
  writer.append(playToy(0, 9) + playToy(0, 4, { turns: 2 }))
  await writer.close()
  const found = await scan()
  expect(found.finished.get(0)?.run).toBe(9)
  expect(found).toMatchObject({ doubles: 1, nextRun: 10 })
})

test('voided attempts and unfinished runs are told apart', async () => {
  const { writer } = await openToy(dir, key)
  const voided = recorderOf(3, 1)
  voided.voided('The worker was lost.')
  const cutShort = recorderOf(4, 2)
  cutShort.input(1, 'public', { seat: 0, add: 1 })
  writer.append(voided.lines() + cutShort.lines() + playToy(3, 3, { attempt: 2 }))
  await writer.close()
  const found = await scan()
  expect(found.voided).toEqual([{ match: 3, attempt: 1, run: 1, reason: 'The worker was lost.' }])
  expect(found.unfinished).toBe(1)
  expect((await heard())[0]).toMatchObject({ match: 3, attempt: 2 })
})

test('a torn end is cut back to the last whole record and said so, NUL padding too', async () => {
  await writeMatches(0, 2)
  const whole = readFileSync(join(dir, first))
  for (const torn of ['{"b":{"at":1,', '\0'.repeat(5000), '{"b":\0\0\0']) {
    appendFileSync(join(dir, first), torn)
    const seen = await scan()
    expect(seen.repairs[0]).toMatch(
      /segment-000001\.jsonl ended in the middle of a record \(line \d+, byte \d+\): read up to/,
    )
    const { scan: repaired } = await openToy(dir, key)
    expect(repaired.repairs[0]).toContain(`byte ${whole.length}): truncated to its last complete record.`)
    expect([...repaired.finished.keys()]).toEqual([0, 1])
    expect(readFileSync(join(dir, first))).toEqual(whole)
  }
})

test('lines after the last seal were never confirmed: their match is played again', async () => {
  await writeMatches(0, 1)
  appendFileSync(join(dir, first), playToy(1, 2))
  const found = await scan()
  expect([...found.finished.keys()]).toEqual([0])
  expect(found.repairs[0]).toContain('were never confirmed')
  expect(found.nextRun).toBe(3)
  await writeMatches(1, 2)
  expect([...(await scan()).finished.keys()]).toEqual([0, 1])
})

test('an empty last segment is a start that was cut short', async () => {
  writeFileSync(join(folder, 'note'), '')
  await writeMatches(0, 1)
  writeFileSync(join(dir, 'segment-000002.jsonl'), '')
  await writeMatches(1, 2)
  expect(readdirSync(dir)).toHaveLength(3)
  expect([...(await scan()).finished.keys()]).toEqual([0, 1])
})

test('a torn end in a segment that is not the last is damage', async () => {
  await writeMatches(0, 1)
  await writeMatches(1, 2)
  const bytes = readFileSync(join(dir, first))
  truncateSync(join(dir, first), bytes.length - 5)
  expect(await damage()).toMatchObject({ segment: 1, line: bytes.toString().split('\n').length - 1 })
})

test('a segment that lost its last lines is found through the one after it', async () => {
  await writeMatches(0, 2)
  await writeMatches(2, 3)
  const lines = readFileSync(join(dir, first), 'utf8').split(/(?<=\n)/)
  writeFileSync(join(dir, first), lines.slice(0, -3).join(''))
  const found = await damage()
  expect(found).toMatchObject({ segment: 1, line: lines.length - 2 })
  expect(found.message).toContain('records were removed or added')
})

test('a missing segment is named', async () => {
  for (const match of [0, 1, 2]) await writeMatches(match, match + 1)
  const { rmSync } = await import('node:fs')
  rmSync(join(dir, 'segment-000002.jsonl'))
  expect((await damage()).message).toContain('segment-000002.jsonl, is missing')
})

test('a segment of another contest or signed by another key is refused', async () => {
  await writeMatches(0, 1)
  const foreign = await scanContest({ dir, contest: 'toy-2', key: key.publicKey })
  expect(foreign).toMatchObject({ ok: false, damage: { segment: 1, line: 1 } })
  const other = await scanContest({ dir, contest: 'toy-1', key: otherKey().publicKey })
  expect(other).toMatchObject({ ok: false, damage: { line: 1 } })
  if (!other.ok) expect(other.damage.message).toContain('signed by another key')
})

test('damage refuses writing and changes nothing on disk, even with a torn end', async () => {
  await writeMatches(0, 2)
  const path = join(dir, first)
  const bytes = readFileSync(path)
  const at = bytes.indexOf('"add":1')
  bytes[at + 6] = 0x33
  const damaged = Buffer.concat([bytes, Buffer.from('{"torn')])
  writeFileSync(path, damaged)
  const opened = await openSegments({ dir, contest: 'toy-1', key, blobs })
  if (opened.ok) throw new Error('damage was not found')
  const line = bytes.subarray(0, at).toString().split('\n').length
  expect(opened.damage).toMatchObject({ segment: 1, line, file: path })
  expect(opened.damage.message).toBe(`${path}, line ${line}: the hash does not match the line and those before it.`)
  expect(readFileSync(path)).toEqual(damaged)
  expect(readdirSync(dir)).toEqual([first])
})

test('a failed write confirms nothing, names the file and breaks the writer', async () => {
  await writeMatches(0, 1)
  // The number of a segment that is there already: the writer must not touch it.
  const writer = createSegmentWriter({ dir, contest: 'toy-1', key, segment: 1, previous: null, blobs })
  const before = readFileSync(join(dir, first))
  writer.append(playToy(1, 2))
  await expect(writer.commit()).rejects.toThrow(MachineError)
  writer.append(playToy(2, 3))
  await expect(writer.commit()).rejects.toThrow(refusal('file-exists', join(dir, first)))
  await expect(writer.close()).rejects.toThrow(MachineError)
  expect(readFileSync(join(dir, first))).toEqual(before)
})

test.each([
  ['bytes', 6],
  ['lines', 2],
  ['sha256', '0'.repeat(64)],
])(
  'a seal that claims other %s than the lines before it have is refused, although their signature is good',
  (field, other) => {
    const hash = createHash('sha256').update('line\n')
    const sealed = { bytes: 5, lines: 1, sha256: hash.copy().digest('hex') }
    const context = { contest: 'toy-1', key: key.publicKey, segment: 1, previous: null }
    const signature = key.sign(sealText({ contest: 'toy-1', segment: 1, ...sealed }))
    expect(sealFault({ ...sealed, signature }, context, sealed, hash)).toBeNull()
    const claimed = { ...sealed, [field]: other }
    expect(sealFault({ ...claimed, signature }, context, sealed, hash)).toContain('does not match')
  },
)
