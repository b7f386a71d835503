import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import * as lines from '../../../main/histories/read-line.ts'
import { indexMatch } from '../../../main/services/matches/match-index.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

vi.mock('../../../main/histories/read-line.ts', { spy: true })
beforeEach(() => vi.clearAllMocks())

/** Looks at the lines of a file that is too long to be shown only when it has been read. */
async function lookedAt(line: string): Promise<number> {
  const path = join(temporaryFolder('index'), 'match.jsonl')
  writeFileSync(path, `${line}\n`.repeat(Math.ceil(5_000_000 / line.length)))
  const place = { run: null, stretches: [{ path, from: 0, to: Infinity }] }
  await expect(indexMatch({ place, name: 'match.jsonl' })).rejects.toMatchObject({ code: 'history-invalid' })
  return vi.mocked(lines.glanceAtLine).mock.calls.length
}

// The end is searched for an outcome in one turn of the process that carries the bytes of network agents.
test('lines at the end are not looked at, except outcomes', async () => {
  expect(await lookedAt('{}')).toBe(1)
})

test('a few of those that may be outcomes are', async () => {
  expect(await lookedAt('{"k":"outcome"}')).toBeLessThanOrEqual(201)
})
