import type { GameSettings } from '../game.ts'
import { settingsIn, settingsOf } from '../settings-fields.ts'
import { shownText } from '../text-names.ts'
import { fields, podsFields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  initial: { ...plain.initial, map: 'park' },
  limits: { startMs: 5_000, moveMs: 5_000 },
  form: SettingsForm,
  quick: { lastWorld: 40 },
  roles: true,
  formats: [
    { name: 'pods', label: 'Season against the house, then pods of six', fields: podsFields, replaces: [], house: 1 },
  ],
  presets: [
    {
      label: 'Contest of 2005',
      hint: 'A regular season against the house agent; then playoffs in pods of six, of which three go on.',
      title: 'Cops & Robbers 2005',
      format: { format: 'game:pods' },
      settings: {},
    },
  ],
  config: (given) => ({ ...plain.config(given), map: given.map ?? 'park' }),
  words: (config) => [
    ['Map', shownText(settingsIn(config).map)],
    // Absent: the contest is older.
    ...plain.words({ secondPhase: 'earlier', ...settingsIn(config) }),
  ],
}
