import { config } from '../../../main/referees/haggle/config.ts'
import type { GameSettings } from '../game.ts'
import { settingsOf } from '../settings-fields.ts'
import { fields } from './fields.ts'

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
