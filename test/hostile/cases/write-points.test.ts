import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { foldLines } from '../../../main/services/cases/fold.ts'
import { openCases } from '../../../main/services/cases/class-cases.ts'
import { start } from '../../conformance/cli/process.ts'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('case-points')
const counter = join(import.meta.dirname, '../contests/fixtures/write-points.mjs')
const program = join(import.meta.dirname, 'fixtures/hearing.ts')

/** Takes the steps; the process is killed at a write. 0: at none. Returns the heads that were told. */
async function hear(data: string, point: number, how: string) {
  const command = [process.execPath, '--import', counter, program, data]
  const ended = await start('/usr/bin/env', [`WRITE_POINT=${point}`, `WRITE_HOW=${how}`, ...command]).ended
  return { ...ended, heads: ended.stdout.split('\n').slice(0, -1) }
}

/** The record holds after a crash, and has every step that somebody was told of. */
async function expectWhole(data: string, heads: readonly string[]): Promise<void> {
  const home = await openClassFolder(data)
  try {
    const { kept } = openCases(home, { now: () => Date.now(), steady: () => 0, onChange: () => undefined })
    const found = kept.get('case-1')
    expect(found?.damage ?? null).toBeNull()
    const path = join(data, 'cases', 'case-1', 'record.jsonl')
    if (existsSync(path) && found !== undefined)
      expect(foldLines(readFileSync(path, 'utf8').split('\n').slice(0, -1), home.key.publicKey).ok).toBe(true)
    for (const told of heads) {
      const [n, head] = told.split(':')
      expect(found?.entries[Number(n) - 1]?.h, told).toBe(head)
    }
  } finally {
    await home.close()
  }
}

test.skipIf(process.platform === 'win32')(
  'a process that is killed at a write leaves a record that holds, with every step that was answered',
  { timeout: 3_600_000 },
  async () => {
    const whole = await hear(join(folder, 'whole'), 0, 'after')
    expect([whole.code, whole.heads.length], whole.stderr).toEqual([0, 3])
    await expectWhole(join(folder, 'whole'), whole.heads)
    const points = Number(/^write points: (\d+)$/m.exec(whole.stderr)![1])
    expect(points).toBeGreaterThan(10)
    // In the short form the last points, which are those of the record, one for each how.
    for (const [offset, how] of (['before', 'after', 'torn'] as const).entries()) {
      for (let point = isLong ? 1 : points - 2 * offset - 1; point <= points; point += isLong ? 1 : points) {
        const data = join(folder, `${how}-${point}`)
        const killed = await hear(data, point, how)
        await expectWhole(data, killed.heads)
        const again = await hear(data, 0, 'after')
        expect(again.code, again.stderr).toBe(0)
        await expectWhole(data, [...killed.heads, ...again.heads])
      }
    }
  },
)
