import * as z from 'zod'
import type { GameId } from '../../contract/ids.ts'
import { games } from '../../referees/games.ts'
import { readingJob } from '../machine/reading.ts'
import { codeWords } from './similarity/code-tokens.ts'

/**
 * Why a script is an agent of another game, as the end of a sentence; null: it may be one of this game. It is, if it nowhere
 * names what agents of this game must have, and names what those of another must have: so no agent of this game is refused.
 */
export function foreignScript(script: Uint8Array, game: GameId): string | null {
  const methods = games.get(game)?.script.methods ?? []
  if (methods.length === 0) return null
  const methodsOfOthers = new Set([...games.values()].flatMap(({ script: other }) => other.methods ?? []))
  const words = new Set<string>()
  for (const word of codeWords(new TextDecoder().decode(script))) {
    if (methods.includes(word)) return null
    if (methodsOfOthers.has(word)) words.add(word)
  }
  for (const [id, { script: other }] of games) {
    const has = other.methods?.find((method) => words.has(method))
    if (id === game || has === undefined) continue
    return `does not play ${game}: it has no ${methods.join(' or ')}, but ${has}, as agents of ${id} have`
  }
  return null
}

/** `foreignScript` of a stranger's script. */
export const foreignScriptJob = readingJob<{ readonly script: Uint8Array; readonly game: GameId }, string | null>({
  name: 'foreign-script',
  what: 'a script',
  result: z.string().nullable(),
  read: ({ script, game }) => foreignScript(script, game),
})
