import type { IsolationTier } from '../../../main/contract/limits.ts'
import type { ContestSummary } from '../../../main/contract/procedures.ts'

/** A contest's state as people say it, and the tone of its badge. `open` means three things to them. */
export function stateOf({ state, progress }: ContestSummary): {
  readonly text: string
  readonly tone: 'plain' | 'good' | 'weak' | 'info'
} {
  switch (state) {
    case 'running':
      return { text: 'Running', tone: 'info' }
    case 'queued':
      return { text: 'Waiting', tone: 'info' }
    case 'ended':
      return { text: 'Ended', tone: 'good' }
    case 'cancelled':
      return { text: 'Cancelled', tone: 'weak' }
    case 'open':
      return progress.done > 0 ? { text: 'Paused', tone: 'weak' } : { text: 'Ready', tone: 'plain' }
  }
}

/** What a tier of isolation means for whoever runs agents of others. */
export const tiers: Readonly<
  Record<IsolationTier, { readonly name: string; readonly text: string; readonly tone: 'good' | 'weak' | 'bad' }>
> = {
  bubblewrap: {
    name: 'Sealed box',
    text: 'Each agent runs in a box of its own: no network, no files, no other programs.',
    tone: 'good',
  },
  permission: {
    name: 'Permissions only',
    text: 'Agents reach no files and no network, but one could disturb another agent that runs at the same time.',
    tone: 'weak',
  },
  none: {
    name: 'No isolation',
    text: 'Agents can do on this machine whatever you can. Only for agents that you have written yourself.',
    tone: 'bad',
  },
}
