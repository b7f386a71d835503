import { may } from '../../caller.svelte.ts'
import { beginsAtFirstScreen } from './asked-early.ts'

/** Parts of the Class screen that are loaded when somebody sees them. */
export const parts = {
  /** The standings of a contest: they draw a chart. */
  result: () => import('./result.svelte'),
  educatorHome: () => import('./educator/educator-home.svelte'),
} as const

/**
 * Begins to load the parts that an educator usually sees, so that they come beside the overview and not after it. If this fails, the part
 * fails too, and the page says so.
 */
export function loadForEducator(): void {
  if (may('home.get')) for (const load of Object.values(parts)) load().catch(() => undefined)
}

/** The same before the window is drawn, if it begins at the first screen. `hash`: the fragment of its address. */
export function loadEarly(hash: string): void {
  if (beginsAtFirstScreen(hash)) loadForEducator()
}
