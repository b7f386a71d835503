import type { InputOf, Settings } from '../main/contract/procedures/procedures.ts'
import { call, subscribe } from './connection/client.ts'
import { letterKeys } from './navigation/shortcuts.svelte.ts'

let current = $state.raw<Settings | null>(null)

/** The class's settings; null until loaded. */
export const settings = {
  get value(): Settings | null {
    return current
  },
}

/** Starts following changes; called once, by the window. */
export function followSettings(): () => void {
  return subscribe('settings', take)
}

/** Rejects with a CallFailure. */
export async function loadSettings(): Promise<Settings> {
  return take(await call('settings.get', {}))
}

/** Rejects with a CallFailure; then nothing has been changed. */
export async function changeSettings(change: InputOf<'settings.set'>): Promise<Settings> {
  return take(await call('settings.set', change))
}

function take(loaded: Settings): Settings {
  current = loaded
  showAppearance(loaded.appearance)
  letterKeys.on = loaded.letterKeys
  return loaded
}

type Appearance = Settings['appearance']
const key = 'tartaglia-appearance'

/** Light, dark or the system's setting. Stored locally so that the next start does not flash the other theme. */
function showAppearance(appearance: Appearance): void {
  if (appearance === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = appearance
  try {
    localStorage.setItem(key, appearance)
  } catch {
    // No local storage: the theme is applied when the settings arrive.
  }
}

/** The last appearance shown, for use before the settings arrive. */
export function showRememberedAppearance(): void {
  try {
    const remembered = localStorage.getItem(key)
    if (remembered === 'light' || remembered === 'dark') showAppearance(remembered)
  } catch {
    // As above.
  }
}
