import { kitGame } from '../games.ts'
import { settings } from '../settings.svelte.ts'

/** The name of the class that the window shows; '' while it has none, and in the window of a kit, which is for one student. */
export const className = (): string => (kitGame === undefined ? (settings.value?.school ?? '') : '')
