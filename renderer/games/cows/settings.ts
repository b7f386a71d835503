import type { GameSettings } from '../game.ts'
import { settingsIn, settingsOf } from '../settings-fields.ts'
import { shownText } from '../text-names.ts'
import { fields, tournamentFields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  initial: { ...plain.initial, map: 'meadow' },
  limits: { startMs: 10_000, moveMs: 2_000 },
  form: SettingsForm,
  quick: { map: 'small', steps: 100 },
  formats: [{ name: 'tournament', label: 'Tournament on several maps', fields: tournamentFields, replaces: ['Map'] }],
  presets: [
    {
      label: 'Contest of 2008',
      hint: 'Everybody against everybody on three maps, with corrals swapped: 3 points a simulation won, 1 for a draw.',
      title: 'Cows and Herders',
      format: { format: 'game:tournament' },
      settings: {},
    },
  ],
  config: (given) => ({ ...plain.config(given), map: given.map ?? 'meadow' }),
  words: (config) => [['Map', shownText(settingsIn(config).map)], ...plain.words(config)],
}
