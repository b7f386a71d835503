import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KIT_MATCHES_LISTED } from '../../../main/contract/procedures/kit-procedures.ts'
import { keptMatchPath, listKeptMatches } from '../../../main/services/matches/kept-match-list.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const history = join(import.meta.dirname, '../../conformance/specker/golden/history-1.jsonl')

test('a kit lists the matches that were kept last, each with its players, and tells what is wrong with a file', async () => {
  const kit = temporaryFolder('kept-list')
  expect(await listKeptMatches(kit)).toEqual({ matches: [], total: 0 })
  mkdirSync(join(kit, 'matches'))
  const at = (number: number): string => join(kit, 'matches', `match-${number}.history`)
  copyFileSync(history, at(2))
  copyFileSync(history, at(10))
  writeFileSync(at(3), readFileSync(history).subarray(0, 2_000))
  writeFileSync(at(4), 'shopping list\n')
  // A number that was taken by a match that did not end, and a file of somebody else.
  writeFileSync(at(5), '')
  writeFileSync(join(kit, 'matches', 'notes.txt'), 'notes')
  const { matches, total } = await listKeptMatches(kit)
  expect(total).toBe(4)
  expect(matches.map(({ number, name }) => [number, name])).toEqual(
    [10, 4, 3, 2].map((number) => [number, `match-${number}.history`]),
  )
  expect(matches.map(({ summary, message }) => [summary === null, message === null])).toEqual([
    [false, true],
    [true, false],
    [true, false],
    [false, true],
  ])
  expect(matches[0]?.summary).toMatchObject({
    ...{ game: 'specker', contest: 'golden-1' },
    seats: [{ name: 'minmax' }, { name: 'baby' }, { name: 'greedy' }],
  })
  expect(Date.parse(matches[0]?.at ?? '')).toBeGreaterThan(0)
  expect(keptMatchPath(kit, 10)).toBe(at(10))
  expect(() => keptMatchPath(kit, 5)).toThrow(refusal('match-unknown'))
  expect(() => keptMatchPath(kit, 11)).toThrow(refusal('match-unknown'))
})

test('of many kept matches the last ones are listed', async () => {
  const kit = temporaryFolder('kept-many')
  mkdirSync(join(kit, 'matches'))
  const all = KIT_MATCHES_LISTED + 3
  for (let number = 1; number <= all; number++) writeFileSync(join(kit, 'matches', `match-${number}.history`), 'x\n')
  const { matches, total } = await listKeptMatches(kit)
  expect([total, matches.length, matches[0]?.number, matches.at(-1)?.number]).toEqual([all, KIT_MATCHES_LISTED, all, 4])
})
