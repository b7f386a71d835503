import type { Json } from '../../contract/json.ts'
import { stepsOf, type ClockMode, type Limits } from '../../contract/limits.ts'
import type { HostFrame, Lease } from './agent-process.ts'
import { makeFault } from '../make-fault.ts'
import type { OpenQuestion, End, PlayerTransport } from '../transports/transport.ts'
import type { PlayerCore } from '../player-core.ts'
import { readAnswer } from '../read-answer.ts'
import { readsTime, scriptText } from './script-source.ts'
import { overtimeText, startLimit, type Meter, type LikelyCauses } from '../time-limit.ts'
import type { Fault, FaultKind } from '../../contract/faults.ts'

/** The opening of a realm. */
export interface ScriptOpening {
  /** The script's text. A byte order mark or a `#!` line is dropped here. */
  readonly source: string
  /** `ScriptApi.adapter` of the game. */
  readonly adapter: string
  /** `ScriptApi.nodeGlobals`. */
  readonly nodeGlobals?: boolean
  /** Any text. Equal seeds give an agent equal Math.random(); different for each match and seat. */
  readonly seed: string
  readonly clock: ClockMode
  /** All of the seat's play in one realm. Absent: one. */
  readonly bodies?: number
  readonly limits: Limits
}

/** Starting a process is our work: its time does not count against the agent's limits. */
const processMs = 30_000
const waitsForTime =
  'Its code reads the time, and the clock stands still in this match, as in contests: a loop that waits for it never ends, so let it count its steps, for instance with remaining().'

/** Questions to a script in the realm of a worker's process, which nobody else uses until `release`. */
export class ScriptTransport implements PlayerTransport {
  /** A realm that computes cannot be spoken to. */
  readonly outlivesTimeout = false
  readonly #core: PlayerCore
  readonly #opening: ScriptOpening
  #phase: 'starting' | 'opening' | 'ready' | 'closed' = 'starting'
  #lease: Lease | undefined
  /** It has committed a fault, or ended: its process serves no other match. */
  #faulty = false
  #openingSince: number | null = null
  /** Stops the clock of what is being waited for before the first question. */
  #stopStart: () => void = () => undefined

  /** `lease`: the process, or why there is none. */
  constructor(core: PlayerCore, lease: Promise<Lease | End>, opening: ScriptOpening) {
    this.#core = core
    this.#opening = opening
    this.#awaitStart()
    void lease.then((given) => this.#attach(given))
  }

  get timeoutCause(): LikelyCauses | null {
    const { clock, source } = this.#opening
    return clock === 'frozen' && readsTime(source) ? { timeout: waitsForTime } : null
  }

  ask(question: OpenQuestion, message: Json): void {
    const { number, body } = question
    if (this.#lease === undefined || this.#phase !== 'ready') throw new Error('ask: the player is not ready yet')
    question.sent = true
    const { process } = this.#lease
    process.send('Q', body === 0 ? number : `${number}:${body}`, JSON.stringify(message), () => {
      this.#core.begin(question)
    })
  }

  tell(message: Json, body: number): void {
    if (this.#phase === 'ready') this.#lease?.process.send('T', body, JSON.stringify(message))
  }

  cancel(): void {
    // It answers all the same, before the next question.
  }

  meter(): Meter {
    return this.#lease?.meter() ?? (() => null)
  }

  close(): void {
    const reusable = this.#phase === 'ready' && this.#core.isIdle && !this.#faulty
    this.#phase = 'closed'
    this.#stopStart()
    this.#release(reusable)
  }

  #release(reusable: boolean): void {
    if (this.#lease === undefined) return
    this.#lease.process.owner = null
    this.#lease.release(reusable)
    this.#lease = undefined
  }

  #end(end: End): void {
    this.#faulty = true
    this.#core.leave(end)
  }

  /** Host code never sends such a thing, so something else wrote it. */
  #endAsStrange(): void {
    this.#end(makeFault('protocol', "The agent's process sent a message that nothing had asked for."))
  }

  #awaitStart(): void {
    const timer = setTimeout(() => {
      this.#end(makeFault('host', `The agent's process did not start within ${processMs} ms.`))
    }, processMs)
    this.#stopStart = () => clearTimeout(timer)
  }

  #attach(given: Lease | End): void {
    if (!('process' in given)) return this.#end(given)
    this.#lease = given
    if (this.#phase !== 'starting') return this.#release(false)
    const { process } = given
    if (!process.alive) return this.#end(makeFault('host', "The agent's process ended before it could be used."))
    const { messageBytes, consoleBytes } = this.#opening.limits
    process.owner = {
      frame: (frame) => this.#hear(frame),
      ended: (end) => this.#end(end),
      // JSON writes a control character in six bytes.
      frameBytes: Math.max(messageBytes, 6 * consoleBytes) + 65_536,
      busySince: () => this.#openingSince ?? this.#core.busySince,
      atRest: () => this.#phase === 'ready' && this.#core.busySince === null,
    }
    void process.started.then((end) => (end === null ? this.#open(given) : this.#end(end)))
  }

  async #open({ process, instead }: Lease): Promise<void> {
    if (this.#phase !== 'starting') return
    this.#phase = 'opening'
    this.#stopStart()
    const { source: script, adapter, nodeGlobals = false, seed, clock, limits } = this.#opening
    const { consoleBytes, messageBytes } = limits
    // An agent can be large and its matches many: a process gets its texts once.
    const { loaded } = process
    const isLoaded = loaded?.source === script && loaded.adapter === adapter
    const texts = isLoaded ? null : { source: scriptText(script), adapter }
    process.loaded = { source: script, adapter }
    const written = Promise.withResolvers<undefined>()
    const opening = { texts, nodeGlobals, seed, clock, steps: stepsOf(limits), consoleBytes, messageBytes }
    process.send('O', 1, JSON.stringify(opening), () => written.resolve(undefined))
    const other = (await instead) ?? null
    if (other !== null) {
      this.#changeTo(other)
      return
    }
    await written.promise
    this.#startClock()
  }

  /** The process has not left its last match, which this one must not suffer for. */
  #changeTo(other: Lease | End): void {
    if (this.#phase === 'opening') {
      this.#phase = 'starting'
      this.#awaitStart()
    }
    this.#attach(other)
  }

  #startClock(): void {
    if (this.#phase !== 'opening') return
    this.#openingSince = performance.now()
    const limitMs = this.#opening.limits.startMs
    this.#stopStart = startLimit({
      limitMs,
      meter: () => this.meter(),
      late: (over) => {
        const text = overtimeText(over, limitMs, 'had not finished loading', { cause: this.timeoutCause })
        this.#end(makeFault(over.kind, text, { tookMs: over.tookMs }))
      },
    })
  }

  #hear({ letter, number, json }: HostFrame): void {
    // The number of these is a body, and the process may say anything.
    if ('CSU'.includes(letter) && !(number >= 0 && number < (this.#opening.bodies ?? 1))) return this.#endAsStrange()
    const question = letter === 'A' || letter === 'X' ? this.#core.question(number) : undefined
    if (letter === 'C') this.#printed(json, number)
    else if (letter === 'A' && question !== undefined) this.#answered(json, question)
    else if (letter === 'S' && this.#phase === 'ready') this.#answered(json, undefined, number)
    else if ((letter === 'X' || letter === 'U') && this.#phase === 'opening') this.#notOpened(json)
    else if (letter === 'X' && question !== undefined) this.#failed(json, question)
    else if (letter === 'U') this.#failed(json, undefined, number)
    else if (letter === 'R' && this.#phase === 'opening') this.#opened()
    else this.#endAsStrange()
  }

  #opened(): void {
    this.#stopStart()
    this.#openingSince = null
    this.#phase = 'ready'
    this.#core.becomeReady()
  }

  #notOpened(json: string): void {
    const fault = readFault(json)
    if (fault === null) this.#endAsStrange()
    else this.#end(fault)
  }

  /** `question`: the one that this answers; without one it is said unasked, by `body`. */
  #answered(json: string, question: OpenQuestion | undefined, body?: number): void {
    const answer = readAnswer(json)
    if (!answer.ok) {
      this.#faulty = true
      this.#core.fault(makeFault('invalid', `The agent answered with ${answer.problem}.`), question, body)
    } else if (question === undefined) this.#core.said(answer.value, body)
    else this.#core.answer(question, answer.value)
  }

  /** The host in the process has seen a fault: the script threw, or its answer is not valid. The realm lives on. */
  #failed(json: string, question: OpenQuestion | undefined, body?: number): void {
    const fault = readFault(json)
    if (fault === null) return this.#endAsStrange()
    this.#faulty = true
    this.#core.fault(fault, question, body)
  }

  #printed(json: string, body: number): void {
    const text = readText(json)
    if (text === null) return this.#endAsStrange()
    this.#core.printed.speaker = body
    this.#core.printed.show(text)
  }
}

/** Faults that a realm may report of itself. */
const ownFaults: readonly FaultKind[] = ['crash', 'invalid', 'protocol']

/** The fault that a frame reports; null: a realm may not report such a thing. */
function readFault(json: string): Fault | null {
  try {
    const report: unknown = JSON.parse(json)
    if (typeof report !== 'object' || report === null || !('kind' in report) || !('text' in report)) return null
    const kind = ownFaults.find((known) => known === report.kind)
    return kind === undefined || typeof report.text !== 'string' ? null : makeFault(kind, report.text)
  } catch {
    return null
  }
}

/** The console text of a frame; null: the frame has none. */
function readText(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
