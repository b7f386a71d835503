import type { Belonging } from '../../../main/contract/agents.ts'
import { whyNoName } from '../../../main/contract/names.ts'
import { patternText, type SecurityPolicy } from '../../../main/contract/policy.ts'
import { attacks } from '../contests/contest-words.ts'

/** Contests in which an attack is allowed, in which it is forbidden, or both. */
type Where = '1' | '0' | '*'

/** What is said over the files that are handed in. */
export interface DeclaredFields {
  /** '': none is named. */
  readonly team: string
  readonly where: Readonly<Record<keyof SecurityPolicy, Where>>
}

export const nothingSaid: DeclaredFields = {
  team: '',
  where: { administratorAttack: '*', intelligenceAttack: '*', mechanismAttack: '*' },
}

/** `01*`: the policies that are meant. */
function patternOf({ where }: DeclaredFields): string {
  return attacks.map(([bit]) => where[bit]).join('')
}

/** What the program is told; what nothing is said about is not in it. */
export function belongingOf(said: DeclaredFields): Belonging {
  const team = said.team.trim().normalize('NFC')
  const pattern = patternOf(said)
  return { ...(team === '' ? {} : { team }), ...(pattern === '***' ? {} : { policies: [pattern] }) }
}

/** Why nothing can be handed in so; '': it can. */
export function problemOf(said: DeclaredFields): string {
  const { team } = belongingOf(said)
  const problem = team === undefined ? null : whyNoName(team)
  return problem === null ? '' : `That is no name for a team: ${problem}.`
}

/** In a few words; '': nothing is said. */
export function inShort(said: DeclaredFields): string {
  const { team, policies } = belongingOf(said)
  return [...(team === undefined ? [] : [team]), ...(policies ?? []).map((pattern) => `policy ${pattern}`)].join(', ')
}

/** What the choice of policies comes to, in a sentence. */
export function meaningOf(said: DeclaredFields): string {
  return `Meant for ${patternText(patternOf(said))}.`
}
