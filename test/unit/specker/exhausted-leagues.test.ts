import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bundle, type Action } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { specker } from '../../../main/referees/specker/specker.ts'
import type { State } from '../../../main/referees/specker/state.ts'

/** Clause types of one literal: (1, 0) and (1, 1), and no more. */
function begun(settings: { readonly [key: string]: string | number }): State {
  const file = new URL('../../../grammars/challenges/max-sat.challenge', import.meta.url)
  const source = { challenge: readFileSync(file, 'utf8'), challengeConfig: { maxClauseLength: 1, maxVars: 3 } }
  const config = specker.config.parse({ ...source, maxTurns: 3, ...settings })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  return rules.initial(config, seats, '0'.repeat(64))
}

function act(state: State, seat: number, ...actions: Action[]): string | undefined {
  expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse({ actions }).actions })).toBeNull()
  return state.removals.find((removal) => removal.seat === seat)?.violation.rule
}

const types = (...positives: number[]): Action => {
  const predicate = { types: positives.map((p) => ({ length: 1, positives: p })) }
  return { type: 'offer', predicate, price: 0 }
}

describe('decision 4: the duty to offer lapses where no legal offer exists', () => {
  test('although nothing is on offer: the league admits no predicate at all', () => {
    const state = begun({ league: 'level-k-independent', leagueParameter: 3 })
    for (const seat of [0, 1, 0, 1, 0, 1]) expect(act(state, seat)).toBeUndefined()
    expect(rules.outcome(state)?.places.map(({ rank }) => rank)).toEqual([1, 1])
  })

  test('but not where the league admits one, however many it wants', () => {
    expect(act(begun({ league: 'level-k-independent', leagueParameter: 2 }), 0)).toBe('new-offer')
    expect(act(begun({}), 0)).toBe('new-offer')
  })

  test('and again once all that the league admits is to be had for nothing', () => {
    const state = begun({ league: 't-ball', offersMin: 3 })
    expect(act(state, 0, types(0), types(1))).toBeUndefined()
    const early = begun({ league: 't-ball', offersMin: 3 })
    expect(act(early, 0, types(0))).toBe('new-offer')
  })
})

test.each([6, 20])('a league of %i relations has predicates, though chance hardly makes one', (leagueParameter) => {
  const file = new URL('../../../grammars/challenges/max-csp.challenge', import.meta.url)
  const challenge = readFileSync(file, 'utf8')
  const config = specker.config.parse({ challenge, league: 'level-k-independent', leagueParameter })
  const seats = [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 }))
  expect(act(rules.initial(config, seats, '0'.repeat(64)), 0)).toBe('new-offer')
})
