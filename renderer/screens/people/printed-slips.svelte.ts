import type { Slip } from '../../../main/contract/people/people-procedures.ts'

/** The slips made last. Their codes are shown once, so they are gone when the window is. */
export const printed = $state<{ slips: readonly Slip[] }>({ slips: [] })
