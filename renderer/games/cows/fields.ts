import { config } from '../../../main/referees/cows/config.ts'
import { tournamentSettings } from '../../../main/referees/cows/maps/tournament.ts'
import { fieldsOf } from '../settings-fields.ts'

export const fields = fieldsOf(config, {
  steps: { label: 'Steps' },
  failures: { label: 'Actions that fail', hint: 'per cent' },
  unknown: { label: 'Cells that are withheld', hint: 'per cent of those in sight' },
})

/** Of the tournament. */
export const tournamentFields = fieldsOf(tournamentSettings, {
  maps: {
    label: 'Maps',
    hint: 'a simulation on each; an odd number leaves no draw',
    of: { game: 'cows', field: 'map' },
  },
  matches: { label: 'Matches of each pair', hint: '2: first and return match' },
})
