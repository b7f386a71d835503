import type { AgentVersion } from '../../../main/contract/procedures.ts'

/** What a version's smoke match says about it, in few words and in the program's own. */
export function smokeOf(version: AgentVersion | undefined): {
  readonly tone: 'plain' | 'good' | 'bad'
  readonly label: string
  readonly text: string
} {
  if (version === undefined) return { tone: 'plain', label: 'Not tried', text: '' }
  const { smoke } = version
  if (smoke === null) return { tone: 'plain', label: 'Playing…', text: 'Its first match is being played.' }
  return { tone: smoke.ok ? 'good' : 'bad', label: smoke.ok ? 'Works' : 'Fails', text: smoke.text }
}
