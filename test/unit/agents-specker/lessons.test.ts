import { readFileSync } from 'node:fs'
import { createContext, runInContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { config as speckerConfig } from '../../../main/referees/specker/config.ts'
import { bundle, type StartMessage, type TurnMessage } from '../../../main/referees/specker/messages.ts'
import { rules } from '../../../main/referees/specker/rules.ts'
import { startMessage, turnMessage } from '../../../main/referees/specker/views.ts'
import Baby from '../../../agents/specker/baby.ts'
import { configOf, generator } from './table.ts'

/** The pieces of the page, as students put them together. */
const page = readFileSync(new URL('../../../agents/specker/README.md', import.meta.url), 'utf8')
const pieces = [...page.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code!)
const config = speckerConfig.parse(configOf('max-csp', { maxVars: 8, maxConstraints: 60 }, { maxTurns: 8 }))

interface Player {
  turn(view: TurnMessage): unknown
}

/** Plays the first `steps` pieces against the baby: whether they win, and what they broke. */
function play(steps: number, seed: number): { readonly won: boolean; readonly faults: readonly string[] } {
  const real = Math.random
  Math.random = generator(seed)
  try {
    const realm = createContext({ module: { exports: {} }, Math })
    runInContext(pieces.slice(0, steps).join('\n'), realm)
    const Mine = (realm['module'] as { exports: new (start: StartMessage) => Player }).exports
    const mySeat = seed % 2
    const state = rules.initial(
      config,
      [0, 1].map((id) => ({ id, entrant: id, role: 'player', bodies: 1 })),
      '0'.repeat(64),
    )
    const players = [0, 1].map((seat): Player => new (seat === mySeat ? Mine : Baby)(startMessage(state, seat)))
    while (state.turn !== null) {
      const seat = state.turn
      const answer = JSON.parse(JSON.stringify(players[seat]!.turn(turnMessage(state, seat)))) as unknown
      expect(rules.apply(state, { type: 'turn', seat, actions: bundle.parse(answer).actions })).toBeNull()
    }
    const [me, other] = [mySeat, 1 - mySeat].map((seat) => rules.outcome(state)!.places[seat]!)
    return { won: me!.rank < other!.rank, faults: state.removals.map(({ violation }) => violation.text) }
  } finally {
    Math.random = real
  }
}

describe('the page that explains how to beat the baby', () => {
  test('has a first agent and three steps', () => expect(pieces).toHaveLength(4))

  test.each([1, 2, 3, 4])('after %i pieces there is an agent that keeps the rules', (steps) => {
    for (let seed = 0; seed < 4; seed++) expect(play(steps, seed).faults).toEqual([])
  })

  test('after all of them it beats the baby', () => {
    const wins = Array.from({ length: 10 }, (_, seed) => play(4, seed).won)
    expect(wins.filter(Boolean).length).toBeGreaterThanOrEqual(9)
  })
})
