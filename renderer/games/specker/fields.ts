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
    mindec: { label: 'Least decrement', hint: 'in energy', unit: UNIT },
    offersMin: { label: 'New offers a turn, at least' },
    offersMax: { label: 'New offers a turn, at most' },
    acceptOrReoffer: {
      label: 'An agent that buys nothing reoffers',
      options: { all: 'all offers of the others', one: 'at least one of them' },
    },
    order: {
      label: 'Order of turns',
      options: { fixed: 'the same every round', rotating: 'another one begins each round' },
    },
    mode: {
      label: 'Timing of turns',
      options: {
        synchronous: 'one after the other',
        asynchronous: 'everybody at any time',
        'mega-moves': 'two, in mega-moves',
      },
    },
    duration: {
      label: 'Time for trading',
      hint: 'in seconds',
      unit: 1_000,
      when: ({ mode }) => mode === 'asynchronous',
    },
    timeslot: {
      label: 'Time slot of rule 8',
      hint: 'in seconds, and never longer than the limit for a move',
      unit: 1_000,
      empty: 'the limit for a move',
    },
    variant: {
      label: 'Kind of challenges',
      options: {
        classic: ['classic', 'The seller pays the quality that is reached'],
        belief: [
          'belief',
          'The seller claims that a quality cannot be reached; a buyer who reaches exactly that gets the price back, and more only above it',
        ],
        secret: ['secret', 'The seller has a solution of its own'],
        'base-ball': ['base ball', 'Classic and secret ones in one market'],
      },
    },
    profitFactor: {
      label: 'Profit factor',
      hint: 'times the gain in quality over the claim',
      when: ({ variant }) => variant !== undefined && variant !== 'classic',
    },
    f: {
      label: 'Quality claimed out of reach in a belief',
      options: { price: 'its price', free: 'stated in the offer' },
      when: ({ variant }) => variant === 'belief',
    },
    falseSecrets: {
      label: 'The buyer of a false secret is paid',
      options: { 'as-true': 'as if the truth had been told', 'as-promised': 'as the seller promised' },
      when: ({ variant }) => variant === 'secret' || variant === 'base-ball',
    },
    judgement: {
      label: 'A solution or secret that cannot be judged',
      options: {
        full: 'is invalid, and its player is removed',
        strict: 'is invalid; raw material whose solutions cannot be generated is not',
        lenient: 'makes the sale void',
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
