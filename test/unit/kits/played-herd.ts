import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { config, mapOf } from '../../../main/referees/cows/config.ts'
import type { HerderAction, PerceptionMessage, StartMessage } from '../../../main/referees/cows/messages.ts'
import { perceptionOf } from '../../../main/referees/cows/perception.ts'
import { rules } from '../../../main/referees/cows/rules.ts'

/** The arguments of a herder: its number, its perception, and the message before the first step. */
export type ToldHerder = [body: number, perception: PerceptionMessage, start: StartMessage]

/** The exports of a script of Cows and Herders. */
export interface Herders {
  act(...told: ToldHerder): HerderAction
}

/** Plays a match of two teams on a map that ships; the cows of both. */
export async function playHerd(
  map: string,
  steps: number,
  teams: readonly ((told: ToldHerder) => Promise<HerderAction>)[],
): Promise<readonly number[]> {
  const text = readFileSync(new URL(`../../../agents/cows/maps/${map}.json`, import.meta.url), 'utf8')
  const settings = config.parse({ map: text, steps })
  const state = rules.initial(settings, [], 'herd')
  const { width, height, bodies } = state
  const { corrals } = mapOf(settings)
  while (state.step < steps) {
    const actions: HerderAction[][] = []
    for (const [seat, act] of teams.entries()) {
      const start: StartMessage = { type: 'start', opponent: '', steps, width, height, corral: corrals[seat]! }
      const own: HerderAction[] = []
      for (let body = 0; body < bodies; body++) own.push(await act([body, perceptionOf(state, { seat, body }), start]))
      actions.push(own)
    }
    expect(rules.apply(state, { type: 'step', step: state.step, actions })).toBeNull()
  }
  return [...state.scores]
}
