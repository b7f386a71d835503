import type { GameSettings } from '../game.ts'
import { settingsIn, settingsOf } from '../settings-fields.ts'
import { shownText } from '../text-names.ts'
import { fields, roundsFields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  initial: { ...plain.initial, map: 'grid' },
  limits: { startMs: 10_000, moveMs: 1_000 },
  form: SettingsForm,
  formats: [{ name: 'rounds', label: 'Rounds with median cuts', fields: roundsFields, replaces: ['Map'] }],
  presets: [
    {
      label: 'Contest of 2017',
      hint: 'Three rounds on small, larger and fiendish maps; entrants below the median are eliminated.',
      title: 'Lambda Punter in three rounds',
      format: { format: 'game:rounds' },
      settings: {},
    },
  ],
  config: (given) => ({ ...plain.config(given), map: given.map ?? 'grid' }),
  words: (config) => [['Map', shownText(settingsIn(config).map)], ...plain.words(config)],
}
