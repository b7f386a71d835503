import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resources } from '../../../main/services/machine/resources.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'

const folder = temporaryFolder('cops-contest')

/** A strong agent whose robber moves illegally as soon as it meets another contestant of that kind: in the playoffs. */
const foul = join(folder, 'foul.js')
writeFileSync(
  foul,
  `${readFileSync(join(resources.agents, 'cops', 'tartaglia.js'), 'utf8')}
  const honest = module.exports
  module.exports = {
    ...honest,
    robber: (game) =>
      game.cops.some((name) => name.startsWith('Tartaglia')) ? { move: () => 'nowhere' } : honest.robber(game),
  }`,
)

interface Match {
  readonly entrants: readonly string[]
  readonly outcome: { readonly places: readonly { readonly score: number; readonly removed: boolean }[] }
}

/** A contest in pods of these agents by name, with `baby` as the house; its report and all its matches in order. */
async function contestOf(agents: Readonly<Record<string, string>>) {
  const entrants = Object.entries({ ...agents, house: 'baby' }).map(([name, agent]) => ({ name, agent }))
  const file = join(folder, 'contest.json')
  const data = join(folder, `data-${entrants.length}`)
  const config = { map: 'hamlet', lastWorld: 40 }
  const seed = 'a'.repeat(64)
  writeFileSync(file, JSON.stringify({ title: 'Pods', game: 'cops', format: { type: 'pods' }, seed, config, entrants }))
  const ran = await run('contest', 'run', file, '--data', data, '--json')
  expect(ran.code, ran.stderr).toBe(0)
  const report = JSON.parse(ran.stdout) as {
    contest: string
    standings: { agent: string; rank: number; points: number; removals: number }[]
  }
  const listed = await run('history', 'list', report.contest, '--data', data, '--json')
  const { matches } = JSON.parse(listed.stdout) as { matches: Match[] }
  // Scores are in points, as in the standings.
  const [{ entrants: seats, outcome }] = matches as [Match]
  const first = seats.map((name, seat) => `${name} ${outcome.places[seat]!.score}`).join(', ')
  expect((await run('history', 'list', report.contest, '--data', data)).stdout).toContain(`0  ${first}\n`)
  return { names: Object.keys(agents), standings: report.standings, matches }
}

/** The sums of six games by member of their pod, and the names of those who were disqualified (section 4). */
function podOf(games: readonly Match[]) {
  expect(games).toHaveLength(6)
  const members = games[0]!.entrants
  const sums = members.map(() => 0)
  const out = new Set<string>()
  for (const [robber, { entrants, outcome }] of games.entries()) {
    const seats = [robber, ...[0, 1, 2, 3, 4, 5].filter((member) => member !== robber)]
    expect(entrants).toEqual(seats.map((member) => members[member]))
    for (const [seat, { score, removed }] of outcome.places.entries()) {
      // In tenths, so that sums are exact.
      sums[seats[seat]!]! += Math.round(10 * score)
      if (removed) out.add(entrants[seat]!)
    }
  }
  return { members, sums, out }
}

/** Plays the contest once more on paper: from the matches in order to the names in the order of the final standings. */
function onPaper(names: readonly string[], matches: readonly Match[]) {
  const chunks = Array.from({ length: matches.length / 6 }, (_, at) => matches.slice(6 * at, 6 * at + 6))
  const next = () => podOf(chunks.shift() ?? [])
  const results = new Map(names.map((name): [string, number[]] => [name, []]))
  let players: string[] = []
  for (const name of names) {
    const { members, sums } = next()
    expect(members).toEqual([name, ...Array<string>(5).fill('house')])
    results.get(name)!.push(sums[0]!)
    if (sums.slice(1).every((sum) => sum < sums[0]!)) players.push(name)
  }
  const better = (a: string, b: string): number => {
    const [x, y] = [results.get(a)!, results.get(b)!]
    if (x.length !== y.length) return y.length - x.length
    return x.map((score, round) => y[round]! - score).findLast((difference) => difference !== 0) ?? 0
  }
  const rounds = [players]
  const fouls = new Set<string>()
  let again = 0
  while (chunks.length > 0) {
    const going: string[] = []
    const seen: string[] = []
    for (let open = Math.ceil(players.length / 6); open > 0;) {
      const { members, sums, out } = next()
      const own = members.map((name, member) => ({ name, sum: sums[member]! })).filter(({ name }) => name !== 'house')
      if (out.size > 0) {
        // It is played again, and its results count for nobody.
        for (const name of out) fouls.add(name)
        seen.push(...out)
        again += 1
        continue
      }
      open -= 1
      seen.push(...own.map(({ name }) => name))
      for (const { name, sum } of own) {
        const scores = results.get(name)!
        while (scores.length < rounds.length) scores.push(0)
        scores.push(sum)
      }
      going.push(
        ...own
          .map(({ name }) => name)
          .sort(better)
          .slice(0, 3),
      )
    }
    expect(seen).toEqual(expect.arrayContaining(players))
    players = going
    rounds.push(players)
  }
  const clean = names.filter((name) => !fouls.has(name)).sort(better)
  return { order: [...clean, ...fouls], first: rounds[0]!, rounds: rounds.length - 1, fouls: [...fouls], again }
}

test('shipped agents play a contest in pods from the regular season to the final pod', async () => {
  const agents = {
    T1: 'tartaglia',
    H1: 'house',
    T2: 'tartaglia',
    H2: 'house',
    T3: 'tartaglia',
    T4: 'tartaglia',
    T5: 'tartaglia',
    B1: 'baby',
  }
  const { names, standings, matches } = await contestOf(agents)
  const { order, first, rounds, fouls } = onPaper(names, matches)
  // Seven or eight win their pods against the house, which is two pods and then the final one.
  expect(first.length).toBeGreaterThan(6)
  expect([rounds, fouls]).toEqual([2, []])
  expect(standings.map(({ agent }) => agent)).toEqual(order)
}, 120_000)

test('a pod is played again with a new sixth when somebody is disqualified in it', async () => {
  const { names, standings, matches } = await contestOf({ T1: 'tartaglia', F: foul, T2: 'tartaglia', H1: 'house' })
  const { order, fouls, again } = onPaper(names, matches)
  expect([fouls, again]).toEqual([['F'], 1])
  expect(standings.map(({ agent }) => agent)).toEqual(order)
  expect(standings.at(-1)).toMatchObject({ agent: 'F', removals: 1 })
}, 120_000)

test('the rules change after the first phase, and ranks in both phases count with their weights', async () => {
  const entrants = Object.entries({ T1: 'tartaglia', H1: 'house', B1: 'baby', house: 'baby' })
  const file = join(folder, 'phases.json')
  const data = join(folder, 'data-of-phases')
  writeFileSync(
    file,
    JSON.stringify({
      title: 'Two phases',
      game: 'cops',
      format: { type: 'pods' },
      seed: 'a'.repeat(64),
      config: { map: 'hamlet', lastWorld: 20 },
      phases: [{ weight: 1 }, { weight: 3, config: { rules: '2005-twist' } }],
      entrants: entrants.map(([name, agent]) => ({ name, agent })),
    }),
  )
  const ran = await run('contest', 'run', file, '--data', data, '--json')
  expect(ran.code, ran.stderr).toBe(0)
  const { phases } = JSON.parse(ran.stdout) as {
    phases: { contests: string[]; combined: { agent: string; points: number; byPhase: number[] }[] }
  }
  const rules: string[] = []
  for (const contest of phases.contests) {
    const to = join(folder, contest)
    await run('history', 'export', contest, '0', '--data', data, '--to', to)
    const [history] = readdirSync(to).filter((name) => name.endsWith('.jsonl'))
    rules.push(
      (await run('history', 'show', join(to, history!))).stdout.includes('asks for no bribe') ? 'twist' : 'first',
    )
  }
  expect(rules).toEqual(['first', 'twist'])
  // Pods eliminate entrants, so ranks count: a point for each entrant ranked lower.
  for (const { points, byPhase } of phases.combined) expect(points).toBe(byPhase[0]! + 3 * byPhase[1]!)
  expect(phases.combined.map(({ agent }) => agent).sort()).toEqual(['B1', 'H1', 'T1'])
}, 120_000)
