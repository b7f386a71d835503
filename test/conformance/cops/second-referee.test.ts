import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { randomStream } from '../../../main/contract/random.ts'
import { newContestSettings } from '../../../main/referees/cops/config.ts'
import { makeTown, townOptions, townText } from '../../../main/referees/cops/kinds.ts'
import { sha256 } from '../../../main/referees/sha256.ts'
import { repeats } from '../../long.ts'
import { playRandomGame } from './random-game.ts'

const official = join(import.meta.dirname, '..', '..', '..', '..', 'shared', 'data')
const officialMaps = ['phase1', 'twist']
  .map((phase) => join(official, `hyde-park-2005-${phase}.wsk`))
  .filter((file) => existsSync(file))
const small = [1, 2, 3, 4, 5, 6].map((seed) =>
  townText(makeTown(townOptions.parse({ seed: String(seed), avenues: 5, streets: 5, culdesacs: 3, shortcuts: 12 }))),
)
const maps = [...small, ...small, ...officialMaps.map((file) => readFileSync(file, 'utf8'))]

/** Plays games and has them played again; counts their events. Throws the first difference. */
async function countsOf(games: number, chance: () => number): Promise<Readonly<Record<string, number>>> {
  const recorded: string[] = []
  for (let game = 0; game < games; game += 1)
    recorded.push(JSON.stringify(await playRandomGame({ maps, chance, settings: newContestSettings })))
  const { status, stdout, stderr } = spawnSync('python3', [join(import.meta.dirname, 'second_referee.py')], {
    input: recorded.join('\n'),
    encoding: 'utf8',
  })
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout) as Record<string, number>
}

test('random games of both phases are as a second referee in Python, written from the texts of 2005, has them', async () => {
  const next = randomStream(sha256('second referee'))
  const chance = (): number => next() / 2 ** 32
  const happened = new Map<string, number>()
  for (let batch = 0; batch < repeats({ short: 1, long: 40 }); batch += 1) {
    for (const [what, count] of Object.entries(await countsOf(40, chance)))
      happened.set(what, (happened.get(what) ?? 0) + count)
  }
  // Everything that the rules know has happened in these games.
  const all = ['caught', 'escaped', 'thefts', 'evidence', 'elections', 'bribed', 'pushes', 'accused', 'liars']
  for (const what of [...all, 'accusations that are ignored', 'accusations of taken bots'])
    expect(happened.get(what), what).toBeGreaterThan(0)
}, 600_000)
