import { config, newContestSettings } from '../../../main/referees/haggle/config.ts'
import type { GameSettings } from '../game.ts'
import { settingsOf, fieldsOf } from '../settings-fields.ts'

const fields = fieldsOf(
  config,
  {
    types: { label: 'Types of objects' },
    minObjects: { label: 'Objects of all types, at least' },
    maxObjects: { label: 'Objects of all types, at most' },
    totalValue: { label: 'Total value', hint: 'of all objects together, for each side' },
    maxRounds: { label: 'Rounds', hint: 'in each round, each side has one turn' },
    generator: {
      label: 'Drawn scenarios',
      options: {
        original: [
          'as in 2018',
          'some are never drawn if “Objects of all types, at least” is above “Types of objects”',
        ],
        corrected: ['all', 'none are left out'],
      },
    },
    seed: { label: 'One scenario for all matches', hint: 'its number', empty: 'each match has its own' },
    walkingAway: {
      label: 'A side that walks away',
      options: {
        last: 'ranks behind the other',
        shares: ['shares a rank', 'with the other side, which also gets nothing'],
      },
    },
    invalidOffers: {
      label: 'The reason of an invalid offer',
      options: {
        explained: ['names the part that is wrong', 'and what was expected there'],
        plain: ['as in 2018', 'nothing but "Invalid offer"'],
      },
    },
  },
  { walkingAway: 'shares', invalidOffers: 'plain' },
  newContestSettings,
)

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  presets: [
    {
      label: 'Haggling 2018',
      hint: 'As the contest of that year: all ordered pairs on 500 scenarios, then a final of 50.',
      title: 'Haggling 2018',
      format: { format: 'ordered-pairs', seeds: 500, finalists: 50, finalSeeds: 500 },
      settings: { generator: 'original', walkingAway: 'shares', invalidOffers: 'plain' },
    },
  ],
  problems(given) {
    const problems = plain.problems(given)
    if (Object.keys(problems).length > 0) return problems
    // A problem of several fields together: the schema states it in one sentence.
    const parsed = config.safeParse(plain.config(given))
    return parsed.success ? {} : { '': parsed.error.issues[0]?.message ?? 'This scenario does not exist.' }
  },
}
