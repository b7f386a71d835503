import { afterAll, expect, test } from 'vitest'
import { openStage, reportOf } from './stage.ts'
import { saying } from '../../refusal.ts'

const stage = openStage('conditions')
afterAll(() => stage.remove())

/** A haggler that takes what it is offered, after the commonest loop of bots. */
const waiting = stage.write(
  'waiting.js',
  `module.exports = class {
  constructor(me, counts) { this.counts = counts }
  offer(offered) {
    const start = Date.now()
    while (Date.now() - start < 30);
    return offered === undefined ? this.counts : undefined
  }
}`,
)
/** The reason: its clock stands still. */
const why = saying('time', 'clock', 'stands still')

interface Check {
  readonly ok: boolean
  readonly text: string
  readonly agent: { readonly faults: readonly { readonly text: string }[] }
}

test('a script that waits for the time fails its check as it fails in a contest, with the reason', async () => {
  const limits = { startMs: 10_000, moveMs: 200 }
  const contest = (name: string, more: object): string =>
    stage.contest(name, {
      ...{ game: 'haggle', config: {}, limits, ...more },
      entrants: [
        { name: 'waiting', agent: waiting },
        { name: 'baby', agent: 'baby' },
      ],
    })
  const check = async (...more: readonly string[]): Promise<Check> => {
    const { stdout } = await stage.run('agent', 'check', waiting, '--isolation', 'permission', '--json', ...more)
    return JSON.parse(stdout) as Check
  }
  const frozen = contest('frozen.json', {})
  const real = contest('real.json', { clock: 'real', limits: { moveMs: 60_000 } })

  const own = await check('--game', 'haggle')
  expect(own).toMatchObject({ ok: false, text: why })
  const ofContest = await check('--contest', frozen)
  expect(ofContest.text).toEqual(saying('200 ms', 'time', 'clock', 'stands still'))
  expect(await check('--contest', real)).toMatchObject({ ok: true })

  const data = ['--data', `${stage.folder}/data`]
  expect(reportOf(await stage.run('contest', 'run', frozen, ...data, '--json')).standings).toContainEqual(
    expect.objectContaining({ agent: 'waiting', faults: 1 }),
  )

  const match = ['match', 'play', '--game', 'haggle', waiting, 'baby']
  expect((await stage.run(...match)).stdout).toEqual(why)
  expect((await stage.run(...match, '--clock', 'real')).stdout).not.toContain('waiting:')
})
