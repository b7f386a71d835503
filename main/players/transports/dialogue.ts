import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { Wire, WireEffect, WireQuestion } from '../../contract/game/wire.ts'

type Effects = readonly WireEffect<Json>[]
export type WireFault = Extract<WireEffect<Json>, { type: 'fault' }>

/** Runs the steps of a game's wire on its clock, which begins when the post is seated. */
export class WireDialogue {
  readonly #wire: Wire<Json, Json>
  readonly #perform: (effects: Effects) => void
  readonly #failed: (fault: Fault) => void
  readonly #born = performance.now()

  /** `perform` performs the effects of a step. `failed` is called when a step throws: the dialogue cannot go on. */
  constructor(wire: Wire<Json, Json>, perform: (effects: Effects) => void, failed: (fault: Fault) => void) {
    this.#wire = wire
    this.#perform = perform
    this.#failed = failed
  }

  joined(): void {
    this.#run((at) => this.#wire.joined(at))
  }

  /** Returns whether the bytes had an effect. */
  receive(chunk: Uint8Array): boolean {
    return this.#run((at) => this.#wire.receive(chunk, at))
  }

  send(message: Json, question: WireQuestion | null, body: number): void {
    this.#run((at) => this.#wire.send(message, question, at, body))
  }

  withdrawn(question: number): void {
    this.#run((at) => this.#wire.withdrawn(question, at))
  }

  /** A question that was never sent. */
  unsent(message: Json, body: number): void {
    this.#run(() => {
      this.#wire.unsent?.(message, body)
      return []
    })
  }

  /** The channel has ended. Returns the fault that the wire sees in that, such as half a message; performs the other effects. */
  left(): WireFault | undefined {
    let fault: WireFault | undefined
    this.#run((at) => {
      const effects = this.#wire.left(at)
      fault = effects.find((effect) => effect.type === 'fault')
      return effects.filter(({ type }) => type !== 'fault')
    })
    return fault
  }

  /** A wire that throws is our error, not the agent's, unless its message has used up our stack. */
  #run(step: (at: number) => Effects): boolean {
    try {
      const effects = step(performance.now() - this.#born)
      this.#perform(effects)
      return effects.length > 0
    } catch (error) {
      const deep = 'The agent sent a message that is nested too deeply to be read.'
      if (error instanceof RangeError) this.#failed({ kind: 'protocol', text: deep })
      else this.#failed({ kind: 'host', text: `The dialogue of this game failed: ${String(error)}` })
      return false
    }
  }
}
