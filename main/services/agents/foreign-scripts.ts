import * as z from 'zod'
import { readAgent } from '../../administrator/classroom/agents.ts'
import type { ContestDescription } from '../../contract/contests/contests.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import type { GameId, Sha256 } from '../../contract/ids.ts'
import { HUMAN, NETWORK } from '../../contract/players/agents.ts'
import { games } from '../../referees/games.ts'
import { readingJob, readText } from '../machine/reading.ts'
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
  const code = new TextDecoder().decode(script)
  if (defines(methods).test(code)) return null
  for (const word of codeWords(code, 'without plain texts')) {
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

/**
 * A text that may be the name of a method: in brackets, before a colon or a parenthesis, or as an argument; or a script that makes
 * code from texts.
 */
function defines(methods: readonly string[]): RegExp {
  const text = `["'\`](?:${methods.join('|')})["'\`]`
  return new RegExp(String.raw`\[\s*${text}\s*\]|${text}\s*[:(]|,\s*${text}\s*,|\b(?:eval|Function)\b`)
}

/** `foreignScript` of a stranger's script, or of a stored agent, which is checked; null for one that is not a script. */
export const foreignScriptJob = readingJob<
  { readonly script: Uint8Array | { readonly data: string; readonly agent: Sha256 }; readonly game: GameId },
  string | null
>({
  name: 'foreign-script',
  what: 'a script',
  result: z.string().nullable(),
  async read({ script, game }) {
    if (script instanceof Uint8Array) return foreignScript(script, game)
    const { kind, bytes } = await readAgent(script.data, script.agent)
    return kind === 'script' ? foreignScript(bytes, game) : null
  },
})

/** `foreignScript` of a stored agent; null for one that is not a script. Throws ExpectedError 'host' like `readAgent`. */
export const whyForeign = (data: string, agent: Sha256, game: GameId): Promise<string | null> =>
  readText(foreignScriptJob, { script: { data, agent }, game })

/**
 * The check of all contests that are made in a class, whatever they are made from: a script that is an agent of another game
 * plays in none of them. Throws ExpectedError 'usage' that names the first such entrant, and 'host' like `readAgent`.
 */
export async function checkScripts(
  data: string,
  { game, entrants }: Pick<ContestDescription, 'game' | 'entrants'>,
): Promise<void> {
  /** Many entrants may have the same agent. */
  const checked = new Set<Sha256>([NETWORK, HUMAN])
  for (const { name, agent } of entrants) {
    if (checked.has(agent)) continue
    checked.add(agent)
    const foreign = await whyForeign(data, agent, game)
    if (foreign !== null) throw foreignEntrant(name, foreign)
  }
}

/** `foreign`: the end of a sentence, from `foreignScript`. */
export function foreignEntrant(name: string, foreign: string): ExpectedError {
  return new ExpectedError('usage', 'other-game', `Entrant "${name}" ${foreign}.`)
}
