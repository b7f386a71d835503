import { config, newContestSettings } from '../../../main/referees/haggle/config.ts'
import { fieldsOf } from '../settings-fields.ts'

export const fields = fieldsOf(
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
