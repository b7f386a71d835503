import { choicesOf } from '../../../main/referees/specker/choices.ts'
import { config, newContestSettings } from '../../../main/referees/specker/config.ts'
import type { Settings } from '../field.ts'
import { fieldsOf } from '../settings-fields.ts'
import { UNIT } from './energy.ts'

const all = fieldsOf(
  config,
  {
    init: { label: 'Energy at the start', unit: UNIT },
    maxTurns: { label: 'Rounds of trading' },
    mindec: { label: 'Smallest price reduction', hint: 'in energy: a reoffer is cheaper by at least this', unit: UNIT },
    offersMin: { label: 'New offers a turn, at least' },
    offersMax: { label: 'New offers a turn, at most' },
    acceptOrReoffer: {
      label: 'An agent that buys nothing must reoffer',
      options: { all: 'all offers of the others', one: 'at least one offer of the others' },
    },
    order: {
      label: 'Order of turns',
      options: { fixed: 'the same in every round', rotating: 'the next agent begins each round' },
    },
    mode: {
      label: 'Timing of turns',
      options: {
        synchronous: ['in turns', 'one agent after the other'],
        asynchronous: ['at any time', 'all agents at once'],
        'mega-moves': ['in mega-moves', 'two agents; a round is a whole trade in each direction'],
      },
    },
    duration: {
      label: 'Time for trading',
      hint: 'in seconds',
      unit: 1_000,
      when: ({ mode }) => mode === 'asynchronous',
    },
    timeslot: {
      label: 'Time slot for an answer (rule 8)',
      hint: 'in seconds, at most the limit for a move',
      unit: 1_000,
      empty: 'the limit for a move',
    },
    variant: {
      label: 'Kind of challenges',
      options: {
        classic: ['classic', 'The seller pays the buyer the quality of the solution'],
        belief: [
          'belief',
          'The seller claims that no solution reaches a quality. A buyer that reaches it gets its price back, and a profit for quality above it',
        ],
        secret: [
          'secret',
          'The seller has a hidden solution. A buyer that reaches its quality times the price gets the price back, and a profit above that',
        ],
        'base-ball': ['base ball', 'Classic and secret challenges in one market'],
      },
    },
    profitFactor: {
      label: 'Profit factor',
      hint: 'a buyer’s profit is this times the quality above the claim',
      when: ({ variant }) => variant !== undefined && variant !== 'classic',
    },
    f: {
      label: 'Quality that a belief claims cannot be reached',
      options: { price: 'equal to its price', free: 'stated in the offer' },
      when: ({ variant }) => variant === 'belief',
    },
    falseSecrets: {
      label: 'If a seller lied about its secret, the buyer is paid',
      options: {
        'as-true': 'by the true quality of the secret',
        'as-promised': 'by the quality that the seller stated',
      },
      when: ({ variant }) => variant === 'secret' || variant === 'base-ball',
    },
    judgement: {
      label: 'A solution or secret that cannot be judged',
      options: {
        complete: ['is a fault', 'unless the challenge itself is at fault'],
        thorough: ['is a fault', 'unless the challenge itself is at fault, but its bound is not asked'],
        full: ['is a fault', 'and so is raw material for which no solution can be generated'],
        strict: ['is a fault', 'but raw material for which no solution can be generated is not'],
        lenient: ['is nobody’s fault', 'the sale is void'],
      },
    },
  },
  choicesOf({}),
  newContestSettings,
)

/** The settings that do not depend on the challenge; the form asks for the challenge, its league and its own settings. */
export const fields = all.filter(({ name }) => name !== 'leagueParameter')

/** The fields shown first; the others are behind a disclosure. */
const first = ['variant', 'maxTurns', 'init']
export const firstFields = first.flatMap((name) => fields.find((field) => field.name === name) ?? [])
export const furtherFields = fields.filter(({ name }) => !first.includes(name))

/** The challenge's own settings. */
export function ownOf({ challengeConfig }: Settings): Settings {
  return typeof challengeConfig === 'object' && challengeConfig !== null && !Array.isArray(challengeConfig)
    ? (challengeConfig as Settings)
    : {}
}
