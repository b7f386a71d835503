import type { Settings } from '../main/contract/procedures.ts'

type Appearance = Settings['appearance']
const key = 'tartaglia-appearance'

/** Light, dark or the system's setting. Stored locally so that the next start does not flash the other theme. */
export function showAppearance(appearance: Appearance): void {
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
