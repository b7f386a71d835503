import type { Belonging } from '../../../main/contract/players/agents.ts'
import { whyNoNewName } from '../../../main/contract/names.ts'
import { type SecurityPolicy } from '../../../main/contract/contests/policy.ts'
import { patternText } from '../../../main/contract/contests/policy-patterns.ts'
import { attacks } from '../contests/contest-words.ts'

/** Contests that allow an attack, contests that forbid it, or both. */
type Where = '1' | '0' | '*'

/** The team and policies that apply to the files handed in. */
export interface DeclaredFields {
  /** '': no team. */
  readonly team: string
  readonly where: Readonly<Record<keyof SecurityPolicy, Where>>
}

export const noDeclaredFields: DeclaredFields = {
  team: '',
  where: { administratorAttack: '*', intelligenceAttack: '*', mechanismAttack: '*' },
}

/** The policies meant, as a pattern such as `01*`. */
function patternOf({ where }: DeclaredFields): string {
  return attacks.map(([bit]) => where[bit]).join('')
}

/** The fields sent to the program; defaults are left out. */
export function belongingOf(said: DeclaredFields): Belonging {
  const team = said.team.trim().normalize('NFC')
  const pattern = patternOf(said)
  return { ...(team === '' ? {} : { team }), ...(pattern === '***' ? {} : { policies: [pattern] }) }
}

/** Why the fields are not valid; '' if they are. */
export function problemOf(said: DeclaredFields): string {
  const { team } = belongingOf(said)
  const problem = team === undefined ? null : whyNoNewName(team)
  return problem === null ? '' : `This team name is not allowed: ${problem}.`
}

/** A short summary; '' for the defaults. */
export function inShort(said: DeclaredFields): string {
  const { team, policies } = belongingOf(said)
  return [
    ...(team === undefined ? [] : [team]),
    ...(policies ?? []).map((pattern) => `for ${patternText(pattern)}`),
  ].join(', ')
}

/** The chosen policies in a sentence. */
export function meaningOf(said: DeclaredFields): string {
  return `Meant for ${patternText(patternOf(said))}.`
}
