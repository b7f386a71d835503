import type { Wire, WireEffect } from '../../contract/game/wire.ts'
import type { MatchNumber } from '../../contract/ids.ts'
import type { Json } from '../../contract/json.ts'

type Effects = readonly WireEffect<Json>[]

/** Lines around the game's own on a connection that stays for many matches; see docs/agents.md. */
type ArenaLine =
  | { readonly arena: 'match'; readonly match: MatchNumber; readonly seed: string }
  | { readonly arena: 'over'; readonly match: MatchNumber }

/** One line, as all that an arena says. */
export function arenaLine(line: ArenaLine | { readonly arena: string; readonly [field: string]: Json }): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(line)}\n`)
}

const newline = 10
/** How a line of the arena's begins, and none of a game's. */
const opening = Buffer.from('{"arena":')

/**
 * A game's dialogue on a connection that has been used for other matches. It begins when the agent has said that it is ready for
 * this match; whatever comes before that was meant for an earlier one and is nothing here. Questions are numbered anew in each
 * match, so without this a late answer could be taken for one to a question of the next.
 */
export function arenaWire(
  wire: Wire<Json, Json>,
  { match, seed }: { readonly match: MatchNumber; readonly seed: string },
): Wire<Json, Json> {
  let begun = false
  /** A line that is not whole. */
  let rest: Uint8Array[] = []

  const hear = (line: Uint8Array, at: number): Effects => {
    const own = ownLine(line)
    if (!begun) {
      if (own?.arena !== 'ready' || own.match !== match) return []
      begun = true
      return wire.joined(at)
    }
    if (own === null) return wire.receive(line, at)
    if (own.arena !== 'left' || own.match !== match) return []
    const why = typeof own.text === 'string' ? own.text.slice(0, 400) : 'it did not say why.'
    return [{ type: 'fault', fault: { kind: 'crash', text: `The agent has given the match up: ${why}` }, gone: true }]
  }

  return {
    joined() {
      begun = false
      rest = []
      return [{ type: 'write', bytes: arenaLine({ arena: 'match', match, seed }) }]
    },
    receive(chunk, at) {
      const effects: WireEffect<Json>[] = []
      let from = 0
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        const last = chunk.subarray(from, end + 1)
        from = end + 1
        effects.push(...hear(rest.length === 0 ? last : Buffer.concat([...rest, last]), at))
        rest = []
      }
      // A copy: the reader of the chunk may use it again.
      if (from < chunk.length) rest.push(chunk.slice(from))
      return effects
    },
    left: (at) => (begun ? wire.left(at) : []),
    send: (message, question, at, body) => wire.send(message, question, at, body),
    withdrawn: (question, at) => (begun ? wire.withdrawn(question, at) : []),
    unsent: (message, body) => wire.unsent?.(message, body),
  }
}

/** null: the line is none of the arena's. */
function ownLine(line: Uint8Array): { readonly arena: Json; readonly match?: Json; readonly text?: Json } | null {
  if (!opening.equals(line.subarray(0, opening.length))) return null
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)) as ReturnType<typeof ownLine>
  } catch {
    return null
  }
}
