import { config, newContestSettings } from '../../../main/referees/haggle/config.ts'
import { fieldsOf } from '../settings-fields.ts'

export const fields = fieldsOf(
  config,
  {
    types: { label: 'Types of objects' },
    minObjects: { label: 'Objects of all types, at least' },
    maxObjects: { label: 'Objects of all types, at most' },
    totalValue: { label: 'Total value', hint: 'of all objects, to each side' },
    maxRounds: { label: 'Rounds', hint: 'a round is a turn of each side' },
    generator: {
      label: 'Drawing of scenarios',
      options: {
        original: ['as in 2018', 'with its quirk about the least number of objects'],
        corrected: ['corrected', 'the least number of objects is that of all types together'],
      },
    },
    seed: { label: 'One scenario for all', hint: 'its number', empty: 'each match has its own' },
    walkingAway: {
      label: 'A side that walks away',
      options: {
        last: 'ranks behind the other',
        shares: ['shares a rank', 'with the other, which gets nothing either'],
      },
    },
  },
  { walkingAway: 'shares' },
  newContestSettings,
)
