import type { Json } from '../../../main/contract/json.ts'
import type { Settings } from '../field.ts'
import type { GameSettings } from '../game.ts'
import { configOf, initialOf, problemsOf, wordsOf } from '../settings-fields.ts'
import { fields } from './fields.ts'
import SettingsForm from './settings-form.svelte'

export const settings: GameSettings = {
  initial: { ...initialOf(fields), map: 'grid' },
  limits: { startMs: 10_000, moveMs: 1_000 },
  form: SettingsForm,
  problems: (given) => problemsOf(fields, given),
  config: (given) => ({ ...configOf(fields, given), map: given.map ?? 'grid' }),
  words(config) {
    const given = typeof config === 'object' && config !== null && !Array.isArray(config) ? (config as Settings) : {}
    return [['Map', mapName(given.map)], ...wordsOf(fields, given)]
  },
}

/** A map by its name, by the beginning of the hash under which the class keeps it, or a whole file by its size. */
function mapName(map: Json | undefined): string {
  if (typeof map !== 'string') return 'none'
  const [, hash] = /^sha256:([0-9a-f]{12})/.exec(map) ?? []
  if (hash !== undefined) return `a file with the hash ${hash}…`
  return map.includes('{') ? `a file of ${Math.ceil(map.length / 1_000)} KB` : map
}
