import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

interface Timed {
  readonly file: string
  readonly seconds: number
  readonly loading: number
  readonly cpu: number
  readonly suite?: string
}
const script = pathToFileURL(join(import.meta.dirname, '../../../scripts/test-seconds.mjs')).href
const { tellSeconds } = (await import(script)) as {
  tellSeconds(files: readonly Timed[], path: string): readonly string[]
}

test('sums up layers and files with what loading them and the processors took, the dearest first', () => {
  const folder = temporaryFolder('seconds')
  const path = join(folder, 'cache', 'seconds.tsv')
  const files = [
    { file: 'test/hostile/contests/a.test.ts', seconds: 20, loading: 1, cpu: 4 },
    { file: 'test/hostile/contests/b.test.ts', seconds: 30, loading: 1, cpu: 5 },
    { file: 'test/hostile/contests/b.test.ts', seconds: 6, loading: 1, cpu: 2, suite: 'again' },
    { file: 'test/unit/a/c.test.ts', seconds: 1, loading: 2, cpu: 3 },
    { file: 'test/property/d.test.ts', seconds: 1, loading: 0.5, cpu: 1 },
  ]
  expect(tellSeconds(files, path)).toEqual([
    'Seconds per layer (loading; CPU; files):',
    '    52.0  hostile/contests (2.0; 9.0; 2)',
    '     7.0  again (1.0; 2.0; 1)',
    '     4.5  the rest (2.5; 4.0; 2)',
    '    63.5  all (5.5; 15.0; 5)',
    'The dearest files:',
    '    31.0  test/hostile/contests/b.test.ts',
    '    21.0  test/hostile/contests/a.test.ts',
    '     7.0  test/hostile/contests/b.test.ts',
    '     3.0  test/unit/a/c.test.ts',
    '     1.5  test/property/d.test.ts',
  ])
  expect(readFileSync(path, 'utf8').split('\n').slice(0, 2)).toEqual([
    'seconds\tof it loading\tCPU\tlayer\tfile',
    '31.00\t1.00\t5.00\thostile/contests\ttest/hostile/contests/b.test.ts',
  ])
})
