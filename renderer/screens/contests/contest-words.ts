import type { IsolationTier } from '../../../main/contract/limits.ts'
import type { SecurityPolicy } from '../../../main/contract/policy.ts'
import type { ContestSummary } from '../../../main/contract/procedures.ts'

/** A contest's state as people say it, and the tone of its badge. `open` means three things to them. */
export function stateOf({ state, progress }: ContestSummary): {
  readonly text: string
  readonly tone: 'plain' | 'good' | 'weak' | 'info'
} {
  switch (state) {
    case 'running':
      return { text: 'Running', tone: 'info' }
    case 'gathering':
      return { text: 'Waiting for agents', tone: 'info' }
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

/** What agents may attack in a contest, by the bits of its security policy and in their order. */
export const attacks = [
  ['administratorAttack', 'The administrator'],
  ['intelligenceAttack', 'Other agents’ decisions'],
  ['mechanismAttack', 'How other agents are built'],
] as const satisfies readonly (readonly [keyof SecurityPolicy, string])[]

/** What a tier of isolation means for whoever runs agents of others. */
export const tiers: Readonly<
  Record<IsolationTier, { readonly name: string; readonly text: string; readonly tone: 'good' | 'weak' | 'bad' }>
> = {
  bubblewrap: {
    name: 'Sealed box',
    text: 'Each agent runs in a box of its own: no network, no files, no other programs.',
    tone: 'good',
  },
  shared: {
    name: 'Boxes with a shared folder',
    text: 'Each agent runs in a sealed box; the agents of a match have one folder in common, to attack each other through.',
    tone: 'good',
  },
  permission: {
    name: 'Permissions only',
    text: 'Agents reach no files and no network, but one could disturb another agent that runs at the same time.',
    tone: 'weak',
  },
  none: {
    name: 'No isolation',
    text: 'Agents can do on this machine whatever you can, even after the match. Only for agents of your own.',
    tone: 'bad',
  },
}
