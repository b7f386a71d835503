import type { CarriedState, Wire, WireEffect } from '../../contract/game/wire.ts'
import type { Json } from '../../contract/json.ts'

/** Most of what an unfinished line may hold is the limit of a message, which the player watches. */
type Line = Readonly<Record<string, Json>>

/**
 * A dialogue of JSON lines for a program that is started anew for each question. It says `{"ready":true}` when it has
 * started; then it gets the question with two more fields: `start`, the match's first message, and `state`, what it put
 * under this name into its last answer (null at first). It ends when it has answered.
 */
export function oneMoveWire(wire: Wire<Json, Json>, state: CarriedState): Wire<Json, Json> {
  const encoder = new TextEncoder()
  let start: Json = null
  /** The question that the present process has. */
  let asked: number | null = null
  /** True once the present process has been asked anything. */
  let wasAsked = false
  let rest: Uint8Array[] = []
  let ready = false

  /** The game's own effects; an answer, or the end of waiting for one, is also the end of the process. */
  const passed = (effects: readonly WireEffect<Json>[]): WireEffect<Json>[] =>
    effects.flatMap((effect): WireEffect<Json>[] => {
      if (effect.type === 'ready') return []
      return effect.type === 'answer' ? [effect, { type: 'close' }] : [effect]
    })

  const tooLarge = (text: string): WireEffect<Json> => ({
    type: 'fault',
    ...(asked === null ? {} : { to: asked }),
    fault: { kind: 'protocol', text },
    gone: false,
  })

  const read = (bytes: Uint8Array, at: number): WireEffect<Json>[] => {
    const line = parse(bytes)
    if (!ready && line?.['ready'] === true) {
      ready = true
      return [{ type: 'ready' }]
    }
    if (line === null) return passed(wire.receive(bytes, at))
    const { state: kept, ...answer } = line
    const effects = passed(wire.receive(encoder.encode(`${JSON.stringify(answer)}\n`), at))
    // Before it is ready it has been asked nothing; its process ends all the same.
    if (!ready) return effects.filter(({ type }) => type !== 'answer')
    const isAnswer = effects.some(({ type }) => type === 'answer')
    const refusal = kept === undefined || !isAnswer || !wasAsked ? null : state.keep(kept)
    return refusal === null ? effects : [tooLarge(refusal), { type: 'close' }]
  }

  /** Every process gets the match's first question, also if the one that it was asked for never got it. */
  const noteStart = (message: Json): void => {
    if (start === null) start = message
  }

  return {
    joined(at) {
      rest = []
      ready = false
      asked = null
      wasAsked = false
      return passed(wire.joined(at))
    },
    receive(chunk, at) {
      const effects: WireEffect<Json>[] = []
      let from = 0
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        rest.push(chunk.slice(from, end + 1))
        from = end + 1
        effects.push(...read(Buffer.concat(rest), at))
        rest = []
        // Output behind an answer is ignored, and so is a state in it.
        if (effects.at(-1)?.type === 'close') return effects
      }
      if (from < chunk.length) rest.push(chunk.slice(from))
      return effects
    },
    left: (at) => passed(wire.left(at)),
    send: (message, question, at) =>
      wire.send(message, question, at).map((effect) => {
        if (effect.type !== 'write') return effect
        const line = parse(effect.bytes) ?? {}
        asked = question?.number ?? null
        if (question !== null) {
          wasAsked = true
          noteStart(message)
        }
        return { type: 'write', bytes: encoder.encode(`${JSON.stringify({ ...line, start, state: state.value })}\n`) }
      }),
    withdrawn: (question, at) => [
      ...wire.withdrawn(question, at).filter(({ type }) => type !== 'write'),
      { type: 'close' },
    ],
    unsent(message) {
      noteStart(message)
      wire.unsent?.(message)
    },
  }
}

function parse(bytes: Uint8Array): Line | null {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : null
  } catch {
    return null
  }
}
