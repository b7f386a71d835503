import { expect, test } from 'vitest'
import type { ContestRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { createRecords } from '../../../main/services/contests/results/contest-records.ts'
import { createFinishedTable } from '../../../main/histories/segments/finished-table.ts'
import type { FinishedRun } from '../../../main/histories/segments/run-index.ts'

/** A record of matches of two, in each of which the second entrant has one fault and prints. */
function recordOf(matches: number): ContestRecord {
  const finished = createFinishedTable()
  for (let match = 0; match < matches; match++) {
    const counted = { match, run: match, entrants: ['ada', 'bob'], faults: [0, 1], printed: [0, 3] }
    const [from, to] = [0, 1].map((byte) => ({ segment: 1, byte }))
    finished.add({ ...counted, from, to, head: '0'.repeat(64), outcome: { places: [] } } as unknown as FinishedRun)
  }
  return { finished, done: matches } as unknown as ContestRecord
}

function stage(most: number, sizes: Readonly<Record<string, number>>) {
  const read: string[] = []
  const records = createRecords(async (id) => {
    read.push(id)
    const size = sizes[id]
    if (size === undefined) throw new Error(`${id} is damaged`)
    return recordOf(size)
  }, most)
  return { records, read }
}

test('a record is read once while there is room; the one asked for longest ago goes first', async () => {
  const { records, read } = stage(10, { a: 4, b: 4, c: 4 })
  for (const id of ['a', 'b', 'a', 'c', 'a']) expect((await records.get(id)).finished.size).toBe(4)
  expect(read).toEqual(['a', 'b', 'c'])
  await records.get('b')
  expect(read).toEqual(['a', 'b', 'c', 'b'])
})

test('what is remembered of a record that went needs no reading', async () => {
  const { records, read } = stage(5, { a: 4, b: 4 })
  const counts = await records.counts('a')
  expect(counts).toEqual({
    done: 4,
    finished: 4,
    faults: new Map([['bob', 4]]),
    printed: new Map([['bob', 4]]),
    removals: new Map(),
  })
  await records.get('b')
  expect(await records.counts('a')).toEqual(counts)
  expect(read).toEqual(['a', 'b'])
})

test('one that is larger than the room there is can be had, as the only one', async () => {
  const { records, read } = stage(5, { a: 50, b: 1 })
  await records.get('a')
  await records.get('a')
  await records.get('b')
  await records.get('a')
  expect(read).toEqual(['a', 'b', 'a'])
})

test('the record of a contest that runs stays, and its counts follows it', async () => {
  const { records, read } = stage(5, { b: 4, c: 4 })
  records.live('a', recordOf(4))
  for (const id of ['b', 'c', 'b']) await records.get(id)
  expect((await records.counts('a')).finished).toBe(4)
  records.live('a', recordOf(6))
  expect((await records.counts('a')).faults.get('bob')).toBe(6)
  expect(read).toEqual(['b', 'c', 'b'])
  // When it has ended it goes like any other; here it cannot even be read again.
  records.rest('a')
  await records.get('c')
  await expect(records.get('a')).rejects.toThrow('a is damaged')
  expect((await records.counts('a')).done).toBe(6)
})

test('what could not be read is read again', async () => {
  const { records, read } = stage(5, {})
  await expect(records.get('x')).rejects.toThrow('x is damaged')
  await expect(records.counts('x')).rejects.toThrow('x is damaged')
  expect(read).toEqual(['x', 'x'])
})
