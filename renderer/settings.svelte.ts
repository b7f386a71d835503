import type { InputOf, Settings } from '../main/contract/procedures.ts'
import { showAppearance } from './appearance.ts'
import { call, subscribe } from './client.ts'
import { letterKeys } from './shortcuts.svelte.ts'

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
