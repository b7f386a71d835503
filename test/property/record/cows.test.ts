import { join } from 'node:path'
import { expect, test } from 'vitest'
import { config } from '../../../main/referees/cows/config.ts'
import { mapText } from '../../../main/referees/cows/maps/map-file.ts'
import { actions } from '../../../main/referees/cows/messages.ts'
import { rules } from '../../../main/referees/cows/rules.ts'
import { games } from '../../../main/referees/games.ts'
import { repeats } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { dice } from '../../unit/record/haggle-matches.ts'
import { askedOf, build, record, rowsOf, seedOf, type Happening, type Played } from '../../unit/record/stage.ts'
import { expectRows, grouped, sum } from './plain.ts'
import { endedWithFaults, expectCommonAnswers } from './common.ts'

const cows = games.get('cows')!
const rows = ['..........', '.c.c..c.c.', 'c.c....c.c', '..#....#..', '.c.c..c.c.', '..........']
const corrals = [
  { x0: 0, y0: 1, x1: 0, y1: 4 },
  { x0: 9, y0: 1, x1: 9, y1: 4 },
] as const
/** Each team begins beside the corral of the other one, so that it drives cows into that. */
const herders = [
  [
    [7, 0],
    [7, 5],
  ],
  [
    [2, 0],
    [2, 5],
  ],
] as const
const map = mapText({
  rows: rows.map((row) => `.${row.slice(1, -1)}.`),
  corrals: [corrals[0], corrals[1]],
  herders: [
    [[...herders[0][0]], [...herders[0][1]]],
    [[...herders[1][0]], [...herders[1][1]]],
  ],
})

interface Capture {
  readonly match: number
  readonly step: number
  readonly cow: number
  readonly team: string
  readonly driver: string | null
  readonly distance: number
}

interface Deed {
  readonly agent: string
  readonly herder: number
  readonly match: number
  readonly deed: 'moved' | 'failed' | 'skipped' | 'unanswered'
}

type Next = (below: number) => number

function playedMatch(match: number, next: Next): { played: Played; captures: Capture[]; deeds: Deed[] } {
  const settings = config.parse({ map, steps: 20 + next(40), failure: 20 })
  const state = rules.initial(settings, [], seedOf(match))
  const names = next(2) === 0 ? ['anna', 'ben'] : ['ben', 'anna']
  const happenings: Happening[] = []
  const [captures, deeds]: [Capture[], Deed[]] = [[], []]
  for (let step = 0; step < settings.steps; step++) {
    const chosen = [0, 1].map(() => [0, 1].map(() => (next(9) === 0 ? null : actions[next(9)]!)))
    const before = rules.view(state, 'panel')
    const input = { type: 'step', step, actions: chosen } as const
    rules.apply(state, input)
    happenings.push({ input })
    const after = rules.view(state, 'panel')
    const gained = after.scores.map((score, team) => score - before.scores[team]!)
    for (const { id, x, y } of before.cows) {
      if (after.cows.some((cow) => cow.id === id)) continue
      // The corrals are on opposite sides, so that the nearer one is the one that it came into.
      const team = x < 5 ? 0 : 1
      expect(gained[team]).toBeGreaterThan(0)
      const near = before.herders.map((all) =>
        Math.min(...all.map((each) => Math.max(Math.abs(each.x - x), Math.abs(each.y - y)))),
      )
      const driver = near[0] === near[1] ? null : names[near[0]! < near[1]! ? 0 : 1]!
      captures.push({ match, step, cow: id, team: names[team]!, driver, distance: Math.min(...near) })
    }
    for (const [team, all] of chosen.entries())
      for (const [herder, action] of all.entries()) {
        const [from, to] = [before.herders[team]![herder]!, after.herders[team]![herder]!]
        const stays = from.x === to.x && from.y === to.y
        const deed = action === null ? 'unanswered' : action === 'skip' ? 'skipped' : stays ? 'failed' : 'moved'
        deeds.push({ agent: names[team]!, herder, match, deed })
      }
  }
  return { played: { match, config: { ...settings }, names, happenings }, captures, deeds }
}

test('ready questions about random contests are answered as by watching each match', async () => {
  const folder = temporaryFolder('cows-record')
  let lost = 0
  for (let round = 0; round < repeats({ short: 4, long: 200 }); round++) {
    const next = dice(round + 90)
    const matches = Array.from({ length: 1 + next(4) }, (_, match) => playedMatch(match, next))
    const dir = join(folder, String(round))
    const ended = matches.map(({ played }) => endedWithFaults(cows, played, next))
    await record(
      dir,
      cows,
      ended.map(({ played }) => played),
    )
    await build(dir, cows)
    expectCommonAnswers(dir, cows, ended, { agent: ended[0]!.agents[0]!, match: next(ended.length) })
    const captures = matches.flatMap((match) => match.captures)
    expectRows(
      rowsOf(dir, cows, 'SELECT match, step, cow, team, driver, distance FROM captures'),
      captures.map((each) => ({ ...each })),
      [],
    )
    const theirs = captures.filter(({ team, driver }) => driver !== null && driver !== team)
    lost += theirs.length
    expectRows(
      askedOf(dir, cows, 'cows-lost'),
      theirs.map(({ team, driver, ...rest }) => ({ ...rest, agent: driver, opponent: team })),
      ['line', 'move'],
    )
    expectRows(askedOf(dir, cows, 'idle-herders'), idle(matches.flatMap(({ deeds }) => deeds)))
    // The steps of a team add up to those of its herders.
    expect(
      rowsOf(dir, cows, 'SELECT sum(moved) AS a, sum(failed) AS b, sum(skipped) AS c, sum(unanswered) AS d FROM steps'),
    ).toEqual(
      rowsOf(
        dir,
        cows,
        'SELECT sum(moved) AS a, sum(failed) AS b, sum(skipped) AS c, sum(unanswered) AS d FROM herders',
      ),
    )
  }
  expect(lost).toBeGreaterThan(0)
})

function idle(all: readonly Deed[]) {
  return grouped(all, ({ agent, herder }) => JSON.stringify([agent, herder])).map(([, deeds]) => {
    const share = (wanted: Deed['deed']): number => deeds.filter(({ deed }) => deed === wanted).length / deeds.length
    const byMatch = grouped(deeds, ({ match }) => String(match)).map(([, own]) => longestRest(own))
    return {
      ...{ agent: deeds[0]!.agent, herder: deeds[0]!.herder, matches: byMatch.length, idle: 1 - share('moved') },
      ...{ skipped: share('skipped'), failed: share('failed'), unanswered: share('unanswered') },
      longest_rest: Math.max(...byMatch),
    }
  })
}

function longestRest(deeds: readonly Deed[]): number {
  const rests = deeds
    .map(({ deed }) => (deed === 'moved' ? ' ' : 'x'))
    .join('')
    .split(' ')
  return Math.max(...rests.map(({ length }) => length), sum([]))
}
