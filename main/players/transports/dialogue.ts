import type { Fault } from '../../contract/faults.ts'
import type { Json } from '../../contract/json.ts'
import type { Wire, WireEffect, WireQuestion } from '../../contract/wire.ts'

type Effects = readonly WireEffect<Json>[]
export type WireFault = Extract<WireEffect<Json>, { type: 'fault' }>

/** A game's wire on its clock, which begins when the post is seated. */
export class Dialogue {
  readonly #wire: Wire<Json, Json>
  readonly #perform: (effects: Effects) => void
  readonly #failed: (fault: Fault) => void
  readonly #born = performance.now()

  /** `perform`: does what a step of the wire wants done. `failed`: there is no going on. */
  constructor(wire: Wire<Json, Json>, perform: (effects: Effects) => void, failed: (fault: Fault) => void) {
    this.#wire = wire
    this.#perform = perform
    this.#failed = failed
  }

  joined(): void {
    this.#run((at) => this.#wire.joined(at))
  }

  /** Whether the wire has made anything of the bytes. */
  receive(chunk: Uint8Array): boolean {
    return this.#run((at) => this.#wire.receive(chunk, at))
  }

  send(message: Json, question: WireQuestion | null, body: number): void {
    this.#run((at) => this.#wire.send(message, question, at, body))
  }

  withdrawn(question: number): void {
    this.#run((at) => this.#wire.withdrawn(question, at))
  }

  /** What the wire says of the end of its channel: half a message, say. All else that it wants done is done. */
  left(): WireFault | undefined {
    let fault: WireFault | undefined
    this.#run((at) => {
      const effects = this.#wire.left(at)
      fault = effects.find((effect) => effect.type === 'fault')
      return effects.filter(({ type }) => type !== 'fault')
    })
    return fault
  }

  /** A wire that throws is our mistake, not the agent's, unless what it sent has used up our stack. */
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
