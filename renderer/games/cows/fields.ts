import { config } from '../../../main/referees/cows/config.ts'
import { tournamentSettings } from '../../../main/referees/cows/choices.ts'
import { fieldsOf } from '../settings-fields.ts'
import { mapOptions } from '../../../main/referees/cows/kinds.ts'
import type { Settings } from '../field.ts'

export const fields = fieldsOf(config, {
  steps: { label: 'Steps' },
  profile: {
    label: 'Rules',
    options: {
      document: ['As written in 2008', 'the text of the scenario'],
      'server-2008': ['As played in 2008', 'what the organisers’ server did'],
    },
  },
  failure: { label: 'Actions that fail', hint: 'per cent of all actions, at random' },
  cowWeight: { label: 'Weight of a cow', hint: 'cows move towards positive weights' },
  cowPrivateWeight: { label: 'Weight of an adjacent cow', hint: 'instead of the weight of a cow' },
  agentWeight: { label: 'Weight of a herder' },
  emptyWeight: { label: 'Weight of an empty cell', hint: 'an obstacle has minus this weight' },
  lineOfSight: { label: 'A herder sees a square of', hint: 'cells a side, an odd number', empty: '17' },
  attractionRange: { label: 'A cow sees', hint: 'cells in each direction', empty: 'the number in the rules' },
  fearRange: { label: 'A cow fears herders nearer than', hint: 'cells', empty: 'the number in the rules' },
})

/** Settings of the tournament. */
export const tournamentFields = fieldsOf(tournamentSettings, {
  maps: {
    label: 'Maps',
    hint: 'one simulation on each; an odd number avoids draws',
    of: { game: 'cows', field: 'map' },
  },
  matches: { label: 'Matches of each pair', hint: '2: first and return match' },
})

const hasObstacles = ({ kind }: Settings): boolean => kind === 'random' || kind === 'scattered'

/** How a map is made; the seed has a field of its own. */
export const mapFields = fieldsOf(mapOptions, {
  kind: {
    label: 'Kind',
    options: {
      random: ['random', 'as in 2008: everything at random, which can favour one team'],
      scattered: ['scattered', 'obstacles here and there, the same for both teams'],
      maze: ['maze', 'rooms with openings, the same for both teams'],
      corridors: ['corridors', 'walls across the grid with gaps, the same for both teams'],
    },
  },
  width: { label: 'Width', hint: 'cells from west to east' },
  height: { label: 'Height', hint: 'cells from north to south' },
  obstacles: { label: 'Obstacles', hint: 'at most', when: hasObstacles },
  cows: { label: 'Cows', hint: 'at most' },
  herders: { label: 'Herders', hint: 'of each team' },
  corral: { label: 'Side of a corral', hint: 'cells' },
})
