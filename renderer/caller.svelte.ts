import { mayCall } from '../main/contract/procedures/access.ts'
import type { Me } from '../main/contract/people/people-procedures.ts'
import { settingsOfTrust } from '../main/contract/people/objects.ts'
import type { ProcedureName, Settings } from '../main/contract/procedures/procedures.ts'
import { onlyReads } from '../main/contract/procedures/read-only.ts'
import { call } from './connection/client.ts'

/** Until the program has answered: the person at this machine. */
let current = $state.raw<Me>({ role: 'educator', person: null, team: null, isReadOnly: false })

/** The person at the window, as the program knows them. */
export const caller = {
  get value(): Me {
    return current
  },
}

/** Asks once who is at the window. Rejects with a CallFailure. */
export async function askWhoCalls(): Promise<Me> {
  current = await call('me.get', {})
  return current
}

/**
 * True if the person at the window may call all of these procedures, by the tables that the program enforces. Navigation, buttons and
 * screens ask it, so that nothing is shown that would be refused.
 */
export function may(...procedures: readonly ProcedureName[]): boolean {
  return procedures.every((name) => mayCall(current, name) && !(current.isReadOnly && !onlyReads(name)))
}

/** True if the person at the window may change all of these settings of the class. */
export function maySet(...settings: readonly (keyof Settings)[]): boolean {
  return may('settings.set') && (current.role === 'educator' || !settings.some((each) => settingsOfTrust.has(each)))
}

/** True if the page of an agent is open to the person at the window: staff open all, students those of their team. */
export function opensAgentOf(team: string): boolean {
  return may('agents.get') && (current.role !== 'student' || current.team?.name === team)
}
