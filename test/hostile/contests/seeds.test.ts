import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { matchSeed } from '../../../main/services/contests/schedule/schedule.ts'
import { seedWarning } from '../../../main/contract/contests/contest-seed.ts'
import type { SeedDerivation } from '../../../main/contract/histories/history.ts'
import { bytesSource } from '../../../main/histories/history-source.ts'
import { readExportedMatch } from '../../../main/histories/match-file.ts'
import { seedOfPlayer } from '../../../main/histories/derived-seeds.ts'
import { playContestFile } from '../../../main/services/contests/command/contest-command.ts'
import { replayMatch } from '../../../main/services/matches/replay/replay.ts'
import { randomHex } from '../../../renderer/random-hex.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const folder = temporaryFolder('seeds')

const given = (contestSeed: string, match: number, seat: number): string =>
  seedOfPlayer(matchSeed(contestSeed, { match }, 'hmac'), { seat, body: 0 }, 'hmac')

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
    const published = matchSeed('x', { match: 0 }, 'hmac')
    const seeds = [given('x', 0, 0), given('x', 0, 1), given('x', 1, 0), published]
    expect(new Set(seeds).size).toBe(4)
    // The facts published at the end of match 0 give the seeds of this match only.
    expect(seedOfPlayer(published, { seat: 1, body: 0 }, 'hmac')).toBe(seeds[1])
  })
})

/** Offers what its random numbers say, so that its offers show its seed. */
const GAMBLER = `module.exports = class {
  constructor(me, counts) { this.counts = counts }
  offer() { return this.counts.map((count) => Math.floor(Math.random() * (count + 1))) }
}`

/** Plays a contest of one match; returns the sentences about its seed, and the file of its match. */
async function play(name: string, seed: string, signal = new AbortController().signal) {
  const written = {
    ...{
      title: name,
      game: 'haggle',
      format: { type: 'round-robin', seats: 2 },
      seed,
      sample: 0,
      isolation: 'permission',
    },
    entrants: ['anna', 'bert'].map((entrant) => ({ name: entrant, agent: 'gambler.js' })),
  }
  writeFileSync(join(folder, 'gambler.js'), GAMBLER)
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(written))
  const notices: string[] = []
  const report = await playContestFile({
    ...{ contest: join(folder, `${name}.json`), data: join(folder, name), exportTo: join(folder, `${name}-matches`) },
    ...{ cores: 1, signal, onNotice: (text) => notices.push(text), onProgress: () => undefined },
  })
  const [match] = report.histories
  const file = match !== undefined && 'file' in match ? match.file : ''
  return { played: report.matches.played, warnings: notices.filter((text) => text.includes('seed')), file }
}

/** The match's seed and how it was derived, as its history tells. */
function seedIn(file: string) {
  const read = readExportedMatch(bytesSource(readFileSync(file)))
  if (!read.ok) throw new Error(read.message)
  return { seed: read.file.outcome.seed, seeds: read.file.header.seeds }
}

/** The first move at which an agent that is asked again answers differently. */
async function firstDifference(file: string): Promise<number | null> {
  const agent = join(folder, 'gambler.js')
  const options = { isolation: 'permission', debug: false, onNotice: () => undefined } as const
  return (await replayMatch({ history: file, agent, seat: 1, until: 1, ...options })).differs
}

test('contest run warns of a short seed, and plays', async () => {
  expect(await play('short', 'short')).toMatchObject({ played: 1, warnings: [seedWarning('short')] })
  expect(await play('long', randomHex())).toMatchObject({ played: 1, warnings: [] })
})

describe('what agents are given', () => {
  const seed = 'Venice, 13 February 1535'
  const expected = (derivation: SeedDerivation) => matchSeed(seed, { match: 0 }, derivation)

  test('is an HMAC whose key is secret until the end; replays give the same', async () => {
    const { file } = await play('new', seed)
    expect(seedIn(file)).toEqual({ seed: expected('hmac'), seeds: 'hmac' })
    expect(await firstDifference(file)).toBe(null)
  })

  test('stays the same in a contest that an earlier version has begun', async () => {
    const stopped = AbortSignal.abort()
    expect((await play('old', seed, stopped)).played).toBe(0)
    const stored = join(folder, 'old', 'class.json')
    const before = readFileSync(stored, 'utf8')
    writeFileSync(stored, before.replace(/"seeds": ?"hmac",/, ''))
    expect(readFileSync(stored, 'utf8')).not.toBe(before)
    const { file } = await play('old', seed)
    expect(seedIn(file)).toEqual({ seed: expected('sha256') })
    expect(await firstDifference(file)).toBe(null)
  })
})
