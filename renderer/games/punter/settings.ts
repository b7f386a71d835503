import type { Settings } from '../field.ts'
import type { GameSettings } from '../game.ts'
import { configOf, initialOf, problemsOf, wordsOf } from '../settings-fields.ts'
import { shownText } from '../text-names.ts'
import { fields, roundsFields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

export const settings: GameSettings = {
  initial: { ...initialOf(fields), map: 'grid' },
  limits: { startMs: 10_000, moveMs: 1_000 },
  form: SettingsForm,
  formats: [{ name: 'rounds', label: 'Rounds with median cuts', fields: roundsFields, replaces: ['Map'] }],
  presets: [
    {
      label: 'Contest of 2017',
      hint: 'Three rounds on small, larger and fiendish maps; who has less than the median is eliminated.',
      title: 'Lambda Punter in three rounds',
      format: { format: 'game:rounds' },
      settings: {},
    },
  ],
  problems: (given) => problemsOf(fields, given),
  config: (given) => ({ ...configOf(fields, given), map: given.map ?? 'grid' }),
  words(config) {
    const given = typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Settings) : {}
    return [['Map', shownText(given.map)], ...wordsOf(fields, given)]
  },
}
