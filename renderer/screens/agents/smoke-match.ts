import type { AgentVersion } from '../../../main/contract/procedures.ts'

/** What a version's smoke match says about it, in few words and in the program's own. */
export function smokeOf(version: AgentVersion | undefined): {
  readonly tone: 'plain' | 'good' | 'weak' | 'bad'
  readonly label: string
  readonly text: string
} {
  const { smoke, trial } = version ?? { smoke: null, trial: null }
  if (trial === 'playing') return { tone: 'plain', label: 'Playing…', text: 'Its first match is being played.' }
  if (smoke !== null) return { tone: smoke.ok ? 'good' : 'bad', label: smoke.ok ? 'Works' : 'Fails', text: smoke.text }
  if (trial === null) return { tone: 'plain', label: 'Not tried', text: 'Its first match is still to be played.' }
  return { tone: 'weak', label: 'Not tried', text: trial.trouble }
}
