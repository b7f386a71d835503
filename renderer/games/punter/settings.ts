import type { Json } from '../../../main/contract/json.ts'
import type { GameSettings } from '../game.ts'
import { settingsIn, settingsOf } from '../settings-fields.ts'
import { fields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

const plain = settingsOf(fields)

export const settings: GameSettings = {
  ...plain,
  initial: { ...plain.initial, map: 'grid' },
  limits: { startMs: 10_000, moveMs: 1_000 },
  form: SettingsForm,
  config: (given) => ({ ...plain.config(given), map: given.map ?? 'grid' }),
  words: (config) => [['Map', mapName(settingsIn(config).map)], ...plain.words(config)],
}

/** A map by its name, by the beginning of the hash under which the class keeps it, or a whole file by its size. */
function mapName(map: Json | undefined): string {
  if (typeof map !== 'string') return 'none'
  const [, hash] = /^sha256:([0-9a-f]{12})/.exec(map) ?? []
  if (hash !== undefined) return `a file with the hash ${hash}…`
  return map.includes('{') ? `a file of ${Math.ceil(map.length / 1_000)} KB` : map
}
