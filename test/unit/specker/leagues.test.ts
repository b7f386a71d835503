import { describe, expect, test, vi } from 'vitest'
import { eraseGame } from '../../../main/contract/game/erased-game.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import { match, offer } from './match.ts'
import { SUMS } from './sums.ts'

vi.mock('../../../grammars/challenges/index.ts', () => import('./sums.ts'))

const game = eraseGame(specker)

describe('a league', () => {
  test('admits its predicates, and who offers another is removed', () => {
    const m = match(2, { league: 'few' })
    const violation = m.act(0, offer([3, 4], 0.5), offer([3, 4, 5], 0.5))
    expect(violation).toMatchObject({ rule: 'league', action: 1 })
    expect(violation?.text).toContain('not of this league: at most 2 sizes, not 3.')
  })

  test('may take a number', () => {
    const m = match(2, { league: 'few', leagueParameter: 3 })
    expect(m.act(0, offer([3, 4, 5], 0.5))).toBeNull()
  })

  test('admits what counts for the duty to offer', () => {
    // The league has two of [1], [2] and [1, 2].
    const m = match(2, { league: 'few', leagueParameter: 1, challengeConfig: { max: 2 }, offersMin: 3 })
    expect(m.act(0, offer([1], 0), offer([2], 0))).toBeNull()
    const all = match(2, { challengeConfig: { max: 2 }, offersMin: 3 })
    expect(all.act(0, offer([1], 0), offer([2], 0))?.rule).toBe('new-offer')
  })

  test('with secrets is base ball unless all is secret', () => {
    expect(specker.config.parse({ challenge: SUMS, league: 'secrets' })).toMatchObject({ variant: 'base-ball' })
    const secret = specker.config.parse({ challenge: SUMS, league: 'secrets', variant: 'secret' })
    expect(secret).toMatchObject({ variant: 'secret' })
  })

  test('is told to the players', () => {
    const m = match(2, { league: 'few', leagueParameter: 3 })
    expect(m.start(0)).toMatchObject({ protocol: 2, config: { league: 'few', leagueParameter: 3 } })
  })
})

test.each([
  [{ league: 'none' }, 'league: the challenge sums has no league "none"; its leagues are few, secrets'],
  [{ league: 'few', leagueParameter: 0 }, 'leagueParameter: n must be 1 to 9, not 0'],
  [{ league: 'secrets', leagueParameter: 1 }, 'leagueParameter: the league secrets wants no number'],
  [{ leagueParameter: 1 }, 'leagueParameter: there is no league'],
  [
    { league: 'secrets', variant: 'belief' },
    'variant: the league secrets sells secret challenges; its variant is base-ball or secret',
  ],
])('%j is refused in words', (settings, error) => {
  expect(game.config({ challenge: SUMS, ...settings })).toEqual({ ok: false, error })
})

test('settings that are as they always were leave the config as it always was', () => {
  const plain = game.config({ challenge: SUMS })
  const said = { variant: 'classic', profitFactor: 1, f: 'price', league: null, leagueParameter: null }
  expect(game.config({ challenge: SUMS, ...said })).toEqual(plain)
})
