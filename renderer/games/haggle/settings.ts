import { config } from '../../../main/referees/haggle/config.ts'
import type { Settings } from '../field.ts'
import type { GameSettings } from '../game.ts'
import { configOf, initialOf, problemsOf, wordsOf } from '../settings-fields.ts'
import { fields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

export const settings: GameSettings = {
  initial: initialOf(fields),
  presets: [
    {
      label: 'Haggling 2018',
      hint: 'As the contest of that year: all ordered pairs on 500 scenarios, then a final of 50.',
      title: 'Haggling 2018',
      format: { format: 'ordered-pairs', seeds: 500, finalists: 50, finalSeeds: 500 },
      settings: { generator: 'original', walkingAway: 'shares' },
    },
  ],
  form: SettingsForm,
  problems(given) {
    const problems = problemsOf(fields, given)
    if (Object.keys(problems).length > 0) return problems
    // What hangs on several fields: the schema says it in one sentence.
    const parsed = config.safeParse(configOf(fields, given))
    return parsed.success ? {} : { '': parsed.error.issues[0]?.message ?? 'There is no such scenario.' }
  },
  config: (given) => configOf(fields, given),
  words: (given) =>
    wordsOf(fields, typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Settings) : {}),
}
