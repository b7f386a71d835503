import type { IsolationTier } from '../../../main/contract/limits.ts'
import type { SecurityPolicy } from '../../../main/contract/contests/policy.ts'
import type { ContestSummary } from '../../../main/contract/procedures/procedures.ts'

/** The text and tone of a contest's badge. The state `open` is shown as one of six texts. */
export function stateOf({ state, progress, waitsFor }: ContestSummary): {
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
      if (waitsFor === 'entries') return { text: 'Entries open', tone: 'info' }
      if (waitsFor === 'trials') return { text: 'Waits for trials', tone: 'info' }
      if (waitsFor === 'phrase') return { text: 'Needs a phrase', tone: 'weak' }
      return progress.done > 0 ? { text: 'Paused', tone: 'weak' } : { text: 'Ready', tone: 'plain' }
  }
}

/** Targets that agents may attack in a contest, in the order of the bits of its security policy. */
export const attacks = [
  ['administratorAttack', 'The administrator'],
  ['intelligenceAttack', 'Other agents’ decisions'],
  ['mechanismAttack', 'The implementation of other agents'],
] as const satisfies readonly (readonly [keyof SecurityPolicy, string])[]

/** The consequences of running agents without control groups. */
export const uncounted = {
  name: 'Use not fully counted',
  text: 'This machine has no control groups for agents: memory that the system holds for an agent is only estimated, and the computing time of very short processes is not counted.',
}

/** The meaning of an isolation tier for a person who runs other people's agents. */
export const tiers: Readonly<
  Record<IsolationTier, { readonly name: string; readonly text: string; readonly tone: 'good' | 'weak' | 'bad' }>
> = {
  bubblewrap: {
    name: 'Full isolation',
    text: 'Each agent runs in a sandbox of its own: no network, no files, no other programs.',
    tone: 'good',
  },
  shared: {
    name: 'Isolation with a shared folder',
    text: 'Each agent runs in a sandbox; the agents of a match share one folder, through which they can attack each other.',
    tone: 'good',
  },
  permission: {
    name: 'Permissions only',
    text: 'Agents have no access to files and network, but one could disturb another agent that runs at the same time.',
    tone: 'weak',
  },
  none: {
    name: 'No isolation',
    text: 'Agents can do whatever you can on this machine, even after the match. Only for your own agents.',
    tone: 'bad',
  },
}
