import { expect, test } from 'vitest'
import { toolchainLines } from '../../../main/cli/toolchain-lines.ts'
import { contestDescription } from '../../../main/contract/contests/contests.ts'
import type { ToolchainVersions } from '../../../main/contract/players/toolchains.ts'
import { createRecord } from '../../../main/services/contests/standings/contest-record.ts'
import { saying } from '../../refusal.ts'

const agent = 'a'.repeat(64)

/** The record of a contest of two whose matches used these toolchains, the last match first. */
function recordWith(versions: readonly (ToolchainVersions | undefined)[]) {
  const description = contestDescription.parse({
    ...{ title: 'Compilers', game: 'toy', config: {}, seed: 'x' },
    format: { type: 'round-robin', seats: 2, repeats: versions.length },
    entrants: ['ada', 'ben'].map((name) => ({ name, agent })),
  })
  const record = createRecord(description)
  const places = [1, 2].map((rank, seat) => ({ seat, rank, score: 2 - rank, removed: false }))
  for (const [match, toolchains] of [...versions.entries()].toReversed())
    record.finish({
      ...{
        match,
        attempt: 1,
        run: match + 1,
        head: agent,
        outcome: { places },
        state: agent,
        entrants: ['ada', 'ben'],
      },
      ...{ faults: [0, 0], printed: [0, 0], isolation: 'none', ms: 1 },
      ...{ from: { segment: 1, byte: match }, to: { segment: 1, byte: match + 1 } },
      ...(toolchains === undefined ? {} : { toolchains }),
    })
  return record
}

test('a contest knows the versions that differ between its matches, with a match of each', () => {
  const record = recordWith([
    { gcc: '12.2.0', python: '3.11.2' },
    { gcc: '14.1.0', python: '3.11.2' },
    undefined,
    { gcc: '14.1.0', jdk: '17.0.1' },
  ])
  expect(record.toolchains()).toEqual([
    {
      name: 'gcc',
      versions: [
        { version: '14.1.0', matches: 2, match: 1 },
        { version: '12.2.0', matches: 1, match: 0 },
      ],
    },
  ])
  const lines = toolchainLines(record.toolchains())
  expect(lines).toEqual([saying('GCC', '14.1.0', '2 matches', 'match 1', '12.2.0', 'match 0', 'history show')])
})

test('a contest whose matches used the same toolchains, or none, says nothing', () => {
  for (const versions of [[undefined], [{ gcc: '12.2.0' }, { gcc: '12.2.0' }, undefined, { rust: '1.75.0' }]]) {
    const record = recordWith(versions)
    expect([record.toolchains(), toolchainLines(record.toolchains())]).toEqual([[], []])
  }
})

test('made-up histories with a version a match are counted up to a limit', () => {
  const versions = Array.from({ length: 100 }, (_, at) => ({ go: `1.${at}` }))
  expect(recordWith(versions).toolchains()[0]?.versions.length).toBeLessThanOrEqual(32)
})
