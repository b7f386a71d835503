import { mapOptions } from '../../../main/referees/cows/kinds.ts'
import type { Settings } from '../field.ts'
import { fieldsOf } from '../settings-fields.ts'

const hasObstacles = ({ kind }: Settings): boolean => kind === 'random' || kind === 'scattered'

/** How a map is made; the seed has a field of its own. */
export const mapFields = fieldsOf(mapOptions, {
  kind: {
    label: 'Kind',
    options: {
      random: ['random', 'as in 2008: everything anywhere, so that one team may be lucky'],
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
