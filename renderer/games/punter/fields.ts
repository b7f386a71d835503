import { config } from '../../../main/referees/punter/config.ts'
import type { Settings } from '../field.ts'
import { fieldsOf } from '../settings-fields.ts'

const isLater = ({ edition }: Settings): boolean => edition !== '1.0'

export const fields = fieldsOf(config, {
  repair: { label: 'Repair the map', hint: 'leave out what does not fit together' },
  edition: {
    label: 'Edition of the rules',
    options: { '1.0': ['1.0', 'of the first day: no extensions'], '1.3': ['1.3', 'the last one of the contest'] },
  },
  futures: { label: 'Futures', hint: 'bets on sites that will be joined to a mine', when: isLater },
  splurges: { label: 'Splurges', hint: 'passes are saved for several rivers at once', when: isLater },
  options: { label: 'Options', hint: 'a river of another can be used, too', when: isLater },
  coordinates: { label: 'Coordinates', hint: 'punters are told where sites lie' },
  maxTimeouts: { label: 'Time-outs that make a zombie' },
  timeouts: {
    label: 'Time-outs that count',
    options: { total: ['all', 'of the whole match'], 'in-a-row': ['in a row', 'an answer begins the count anew'] },
  },
})
