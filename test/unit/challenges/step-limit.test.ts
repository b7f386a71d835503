import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { STEPS } from '../../../grammars/formulas/index.ts'
import type { Json } from '../../../main/contract/json.ts'
import { bundle, type Action } from '../../../main/referees/specker/messages.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { samples } from '../../../renderer/challenge-worker/samples.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../cli/environment.ts'
import { challengeOf } from './shipped.ts'
import { chainOf, chains, loops } from './step-limits.ts'

const solution = { s: 1 }
const folder = temporaryFolder('limits')
function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text)
  return join(folder, name)
}

async function byCommandLine(source: string, instance: Json): Promise<boolean> {
  const [path, raw, answer] = [
    file('own.challenge', source),
    file('i.json', JSON.stringify(instance)),
    file('s.json', JSON.stringify(solution)),
  ]
  const { stdout } = await run('challenge', 'evaluate', path, raw, answer, '--json')
  return (JSON.parse(stdout) as { quality: string | null }).quality === '1/1'
}

/** A match of one sale; true: the solution is rated. */
function byReferee(source: string, predicate: Json, instance: Json): boolean {
  const config = specker.config.parse({ challenge: source, maxTurns: 5, offersMin: 0, judgement: 'lenient' })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  const state = specker.rules.initial(config, seats, '0'.repeat(64))
  const act = (seat: number, ...actions: Action[]): void => {
    expect(specker.rules.apply(state, { type: 'turn', seat, actions: bundle.parse({ actions }).actions })).toBeNull()
  }
  act(0, { type: 'offer', predicate, price: 500_000_000 })
  act(1, { type: 'accept', challenge: 0 })
  act(0, { type: 'deliver', challenge: 0, instance })
  act(1, { type: 'solve', challenge: 0, solution })
  return state.events.some(({ type }) => type === 'solved')
}

async function byWindow(source: string): Promise<boolean> {
  const wanted = { seed: '1', count: 1, effort: 1, parameters: null }
  for await (const reply of samples(source, wanted, () => Promise.resolve('1'.repeat(64)))) {
    if (reply.kind === 'sampled') return reply.sample.best.quality === '1/1'
  }
  return false
}

describe.each([
  [STEPS, true],
  [STEPS + 1, false],
])('a measure of %i steps', (n, rated) => {
  const source = loops(n)
  const challenge = challengeOf(source)
  const config = { most: n }

  test('is judged in the same way by evaluation, count of steps, referee, command line and window', async () => {
    const [measure] = challenge
      .spent(config, { n }, { n }, solution, () => 0)
      .filter(({ what }) => what === 'measure')
      .map(({ steps }) => steps)
    expect({
      evaluation: challenge.judgement(config, { n }, solution).kind === 'rated',
      steps: measure,
      referee: byReferee(source, { n }, { n }),
      commandLine: await byCommandLine(source, { n }),
      window: await byWindow(source),
    }).toEqual({
      ...{ evaluation: rated, steps: rated ? n : Infinity, referee: rated },
      ...{ commandLine: rated, window: rated },
    })
  }, 60_000)
})

test('the deepest chain of calls is the same by evaluation, count of steps, referee and command line', async () => {
  const challenge = challengeOf(chains)
  const isRated = (links: number): boolean =>
    challenge.judgement({ links: 1 }, chainOf(links), solution).kind === 'rated'
  let deepest = 1
  while (isRated(deepest + 1)) deepest += 1
  expect(deepest).toBeGreaterThan(200)
  for (const [links, rated] of [
    [deepest, true],
    [deepest + 1, false],
  ] as const) {
    const instance = chainOf(links)
    const spent = challenge.spent({ links: 1 }, { n: 1 }, instance, solution, () => 0)
    expect({
      links,
      steps: Number.isFinite(spent.find(({ what }) => what === 'measure')!.steps),
      referee: byReferee(chains, { n: 1 }, instance),
      commandLine: await byCommandLine(chains, instance),
    }).toEqual({ links, steps: rated, referee: rated, commandLine: rated })
  }
})
