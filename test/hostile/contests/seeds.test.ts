import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { matchSeed } from '../../../main/histories/seed-derivation.ts'
import { seedWarning } from '../../../main/contract/contest-seed.ts'
import { playContestFile } from '../../../main/services/contests/contest-command.ts'
import { playerSeed } from '../../../main/worker/conduct-match.ts'
import { randomHex } from '../../../renderer/random-hex.ts'

const folder = mkdtempSync(join(tmpdir(), 'tartaglia-seeds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const given = (contestSeed: string, match: number, seat: number): string =>
  playerSeed(matchSeed(contestSeed, { match }), { seat, body: 0 })

/** The seed of the contest, found by a player of match 0 from its own seed. */
function found(own: string, seeds: Iterable<string>): string | null {
  for (const seed of seeds) if (given(seed, 0, 0) === own) return seed
  return null
}

function* shortSeeds(): Iterable<string> {
  for (let seed = 0; seed < 65_536; seed++) yield seed.toString(16).padStart(4, '0')
}

describe("an agent that searches for the contest's seed", () => {
  test('finds a short one, and with it what others are given: therefore there is a warning', () => {
    expect(found(given('beef', 0, 0), shortSeeds())).toBe('beef')
    expect(seedWarning('beef')).toMatch(/^This seed is short\. /)
    // 32 bits, the default of earlier versions.
    expect(seedWarning('0123abcd')).not.toBe(null)
    expect(seedWarning('Venice, 13 February 1535')).not.toBe(null)
  })

  test('meets 256 random bits in a contest of the window', () => {
    const seeds = Array.from({ length: 100 }, randomHex)
    for (const seed of seeds) expect(seed).toMatch(/^[\da-f]{64}$/)
    expect(new Set(seeds).size).toBe(100)
    // Every digit varies.
    for (let at = 0; at < 64; at++) expect(new Set(seeds.map((seed) => seed[at])).size).toBeGreaterThan(4)
    expect(seedWarning(seeds[0]!)).toBe(null)
    expect(found(given(seeds[0]!, 0, 0), shortSeeds())).toBe(null)
  })

  test('has a seed from which neither that of its opponent nor that of the next match follows', () => {
    const seeds = [given('x', 0, 0), given('x', 0, 1), given('x', 1, 0), matchSeed('x', { match: 0 })]
    expect(new Set(seeds).size).toBe(4)
    // What is published at the end of match 0 gives the seeds of this match only.
    expect(playerSeed(seeds[3] as never, { seat: 1, body: 0 })).toBe(seeds[1])
  })
})

test('contest run warns of a short seed, and plays', async () => {
  writeFileSync(join(folder, 'a.js'), 'module.exports = class { offer() { return undefined } }')
  const notices = async (seed: string): Promise<readonly string[]> => {
    const file = join(folder, `${seed}.json`)
    const entrants = ['anna', 'bert'].map((name) => ({ name, agent: 'a.js' }))
    const format = { type: 'round-robin', seats: 2 }
    const written = { title: 'Seeds', game: 'haggle', format, seed, sample: 0, isolation: 'permission', entrants }
    writeFileSync(file, JSON.stringify(written))
    const heard: string[] = []
    const report = await playContestFile({
      contest: file,
      data: join(folder, 'data'),
      cores: 1,
      signal: new AbortController().signal,
      onNotice: (text) => heard.push(text),
      onProgress: () => undefined,
    })
    expect(report.matches.played).toBe(1)
    return heard.filter((text) => text.includes('seed'))
  }
  expect(await notices('short')).toEqual([seedWarning('short')])
  expect(await notices(randomHex())).toEqual([])
})
