import type { AgentVersion } from '../../../main/contract/procedures/procedures.ts'

/** The state of a version's trial match: a short label and the program's sentence. */
export function smokeOf(version: Pick<AgentVersion, 'smoke' | 'trial'> | undefined): {
  readonly tone: 'plain' | 'good' | 'weak' | 'bad'
  readonly label: string
  readonly text: string
} {
  const { smoke, trial } = version ?? { smoke: null, trial: null }
  if (trial === 'playing') return { tone: 'plain', label: 'Playing…', text: 'Its trial match is being played.' }
  if (smoke !== null) return { tone: smoke.ok ? 'good' : 'bad', label: smoke.ok ? 'Works' : 'Fails', text: smoke.text }
  if (trial === null) return { tone: 'plain', label: 'Not tested', text: 'Its trial match has not been played yet.' }
  return { tone: 'weak', label: 'Not tested', text: trial.problem }
}
