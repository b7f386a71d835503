import { config, newContestSettings } from '../../../main/referees/haggle/config.ts'
import type { GameSettings } from '../game.ts'
import { settingsOf, fieldsOf } from '../settings-fields.ts'

const fields = fieldsOf(
  config,
  {
    types: { label: 'Types of objects' },
    minObjects: { label: 'Objects of all types, at least' },
    maxObjects: { label: 'Objects of all types, at most' },
    totalValue: { label: 'Total value', hint: 'of all objects, to each side' },
    maxRounds: { label: 'Rounds', hint: 'in each round, each side has one turn' },
    generator: {
      label: 'Drawing of scenarios',
      options: {
        original: ['as in 2018', 'including its error in the minimum number of objects'],
        corrected: ['corrected', 'the minimum counts objects of all types together'],
      },
    },
    seed: { label: 'One scenario for all', hint: 'its number', empty: 'each match has its own' },
    walkingAway: {
      label: 'A side that walks away',
      options: {
        last: 'ranks behind the other',
        shares: ['shares a rank', 'with the other side, which also gets nothing'],
      },
    },
  },
  { walkingAway: 'shares' },
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
      settings: { generator: 'original', walkingAway: 'shares' },
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
