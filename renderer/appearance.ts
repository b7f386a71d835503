import type { Settings } from '../main/contract/procedures.ts'

type Appearance = Settings['appearance']
const key = 'tartaglia-appearance'

/** Light, dark or what the system says. Remembered, so that the next start shows no flash of the other one. */
export function showAppearance(appearance: Appearance): void {
  if (appearance === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = appearance
  try {
    localStorage.setItem(key, appearance)
  } catch {
    // A browser that keeps nothing: the settings bring it after the start.
  }
}

/** What `showAppearance` was last told, before the settings are here. */
export function showRememberedAppearance(): void {
  try {
    const remembered = localStorage.getItem(key)
    if (remembered === 'light' || remembered === 'dark') showAppearance(remembered)
  } catch {
    // As above.
  }
}
