import { readdirSync, readFileSync } from 'node:fs'
import { readChallenge } from '../../../grammars/challenges/index.ts'
import type { Challenge } from '../../../grammars/challenges/index.ts'
import type { Json } from '../../../grammars/json.ts'

/** The text of a challenge that ships. */
export function sourceOf(name: string): string {
  return readFileSync(new URL(`../../../grammars/challenges/${name}.challenge`, import.meta.url), 'utf8')
}

/** A challenge that must be without problems. */
export function challengeOf(source: string): Challenge {
  const { challenge, problems } = readChallenge(source)
  if (!challenge) throw new Error(JSON.stringify(problems))
  return challenge
}

/** The result of a check, which must be a success. */
export function accepted<T extends { readonly value: Json }>(
  result: ({ readonly ok: true } & T) | { readonly ok: false; readonly error: string },
): T {
  if (!result.ok) throw new Error(result.error)
  return result
}

/** The names of all challenges that ship. */
export const SHIPPED: readonly string[] = readdirSync(new URL('../../../grammars/challenges', import.meta.url))
  .filter((file) => file.endsWith('.challenge'))
  .map((file) => file.slice(0, -'.challenge'.length))
  .sort()
