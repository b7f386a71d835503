import type { AgentSummary } from '../../../../main/contract/procedures/procedures.ts'
import { call } from '../../../connection/client.ts'

/** All agents of the class. */
export async function allAgents(): Promise<readonly AgentSummary[]> {
  const all: AgentSummary[] = []
  for (let total = 1; all.length < total;) {
    const page = await call('agents.list', { offset: all.length, limit: 1_000 })
    if (page.items.length === 0) break
    all.push(...page.items)
    total = page.total
  }
  return all
}
