import type { Fault, FaultKind } from '../contract/faults.ts'
import type { ClockMode, Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent, TimeBank } from '../contract/player.ts'
import type { AgentProcess, End, HostFrame } from './agent-process.ts'
import { readAnswer } from './read-answer.ts'
import { consoleRoom } from './console-budget.ts'
import { ofBody } from './player-of-bodies.ts'
import { makeFault } from './make-fault.ts'
import { overtimeText, startLimit, type Effort, type Overtime } from './time-limit.ts'
import { scriptText } from './script-source.ts'

/** What it takes to seat a script agent in one match. */
export interface ScriptSeat {
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
  readonly emit: (event: PlayerEvent) => void
}

/** What a player needs of the pool. */
export interface Lease {
  readonly process: AgentProcess
  /** What the process has done since it got its present task; null: unknown. */
  readonly effort: () => Effort | null
  /** The match is over. `reusable`: the process is quiet and has committed no fault. */
  readonly release: (reusable: boolean) => void
  /**
   * Where it may still be leaving its last match: what to use instead when it does not; null when it has. It can be spoken to
   * at once, and nothing counts before that.
   */
  readonly instead?: Promise<Lease | End | null>
}

interface Open {
  readonly body: number
  /** Clock at which the question had been written; null until then. */
  startedAt: number | null
  /** Stops its limit's clock. */
  stop: () => void
  withdrawn: boolean
}

/** A process is ours to start: how long that takes is no matter of the agent's limits. */
const processMs = 30_000
/** Faults that a realm may report of itself. */
const ownFaults: readonly FaultKind[] = ['crash', 'invalid', 'protocol']

/** Seats a script agent in a process that nobody else uses until `release`. A fault instead of one: it cannot be had. */
export function seatScript(holding: Promise<Lease | End>, seat: ScriptSeat): Player {
  const { limits, emit, bodies = 1 } = seat
  const readiness = Promise.withResolvers<undefined>()
  const questions = new Map<number, Open>()
  let phase: 'starting' | 'opening' | 'ready' | 'gone' | 'closed' = 'starting'
  let held: Lease | undefined
  let gone: End | undefined
  let faulty = false
  const console = consoleRoom(limits.consoleBytes)
  let stopStart = (): void => undefined

  const letGo = (reusable: boolean): void => {
    if (held === undefined) return
    held.process.owner = null
    held.release(reusable)
    held = undefined
  }

  /** Nothing more comes from this player. Answers the oldest question that is still waited for. */
  const finish = (end: End, question?: number): void => {
    if (phase === 'gone' || phase === 'closed') return
    const to = question ?? [...questions].find(([, open]) => !open.withdrawn)?.[0]
    phase = 'gone'
    gone = end
    stopStart()
    for (const open of questions.values()) open.stop()
    questions.clear()
    letGo(false)
    emit(lastEvent(end, to))
    readiness.resolve(undefined)
  }

  const effort = (): Effort | null => held?.effort() ?? null
  const overtime = (over: Overtime, limitMs: number, what: string, bank?: TimeBank): Fault =>
    makeFault(over.kind, overtimeText(over, limitMs, what, bank), { tookMs: over.tookMs })

  const open = async (given: Lease): Promise<void> => {
    if (phase !== 'starting') return
    phase = 'opening'
    stopStart()
    const { adapter, seed, clock, nodeGlobals = false } = seat
    const { consoleBytes, messageBytes } = limits
    const { process } = given
    // An agent can be large and its matches many: a process gets its text once.
    const source = process.loaded === seat.source ? null : scriptText(seat.source)
    process.loaded = seat.source
    const opening = { source, adapter, nodeGlobals, seed, clock, consoleBytes, messageBytes }
    const written = Promise.withResolvers<undefined>()
    process.send('O', 1, JSON.stringify(opening), () => written.resolve(undefined))
    const other = (await given.instead) ?? null
    if (other !== null) {
      changeTo(other)
      return
    }
    await written.promise
    startClock(process)
  }

  const startClock = (process: AgentProcess): void => {
    if (phase !== 'opening') return
    process.busySince = performance.now()
    stopStart = startLimit({
      limitMs: limits.startMs,
      effort,
      late: (over) => finish(overtime(over, limits.startMs, 'had not finished loading')),
    })
  }

  const settle = (number: number): { readonly tookMs: number; readonly body: number } | null => {
    const question = questions.get(number)
    if (question === undefined) return null
    questions.delete(number)
    question.stop()
    if (questions.size === 0 && held !== undefined) held.process.busySince = null
    const { startedAt, body } = question
    return { tookMs: startedAt === null ? 0 : performance.now() - startedAt, body }
  }

  const frame = ({ letter, number, json }: HostFrame): void => {
    // The number of these is a body, and the process may say anything.
    if ('CSU'.includes(letter) && !(number >= 0 && number < bodies)) return finish(strange())
    if (letter === 'C') return print(json, number)
    if (letter === 'X') return reported(json, number)
    if (letter === 'U') return reported(json, null, number)
    if (letter === 'R' && phase === 'opening') {
      stopStart()
      if (held !== undefined) held.process.busySince = null
      phase = 'ready'
      return readiness.resolve(undefined)
    }
    if (letter === 'S' && phase === 'ready') {
      const whose = ofBody(number)
      return answered(json, (value) => emit({ type: 'said', value, ...whose }), whose)
    }
    const settled = letter === 'A' ? settle(number) : null
    if (settled === null) return finish(strange())
    const { tookMs } = settled
    const [whose, to] = [ofBody(settled.body), number]
    answered(json, (value) => emit({ type: 'answer', to, value, tookMs, ...whose }), { to, ...whose }, tookMs)
  }

  const answered = (
    json: string,
    pass: (value: Parameters<Player['tell']>[0]) => void,
    about: { readonly to?: number; readonly body?: number },
    tookMs?: number,
  ): void => {
    const answer = readAnswer(json)
    if (answer.ok) return pass(answer.value)
    faulty = true
    const took = tookMs === undefined ? {} : { tookMs }
    const fault = makeFault('invalid', `The agent answered with ${answer.problem}.`, took)
    emit({ type: 'fault', ...about, fault, gone: false })
  }

  /** A fault that the host in the process has seen: the script threw, or gave what is no answer. The realm lives on. */
  const reported = (json: string, number: number | null, body = 0): void => {
    const report = readReport(json)
    if (phase === 'opening') return finish(report === null ? strange() : makeFault(report.kind, report.text))
    const settled = number === null ? { body } : settle(number)
    if (report === null || settled === null) return finish(strange())
    faulty = true
    const fault = makeFault(report.kind, report.text, 'tookMs' in settled ? { tookMs: settled.tookMs } : {})
    emit({ type: 'fault', ...(number === null ? {} : { to: number }), fault, gone: false, ...ofBody(settled.body) })
  }

  const print = (json: string, body: number): void => {
    const text = readText(json)
    if (text === null) return finish(strange())
    const kept = console.take(text)
    if (kept !== '') emit({ type: 'console', text: kept, ...ofBody(body) })
  }

  const attach = (given: Lease | End): void => {
    if (!('process' in given)) return finish(given)
    held = given
    if (phase !== 'starting') return letGo(false)
    if (!given.process.alive) return finish(makeFault('host', "The agent's process ended before it could be used."))
    given.process.owner = {
      frame,
      ended: finish,
      // JSON writes a control character in six bytes.
      frameBytes: Math.max(limits.messageBytes, 6 * limits.consoleBytes) + 65_536,
    }
    void given.process.started.then((end) => (end === null ? open(given) : finish(end)))
  }

  const awaitStart = (): void => {
    const timer = setTimeout(() => {
      finish(makeFault('host', `The agent's process did not start within ${processMs} ms.`))
    }, processMs)
    stopStart = () => clearTimeout(timer)
  }

  /** The process has not left its last match; that is no matter of this one. */
  const changeTo = (other: Lease | End): void => {
    if (phase === 'opening') {
      phase = 'starting'
      awaitStart()
    }
    attach(other)
  }

  awaitStart()
  void holding.then(attach)

  return {
    ready: () => readiness.promise,
    ask(number, message, limitMs, bank, body = 0) {
      if (phase === 'closed') return
      if (gone !== undefined) {
        const last = lastEvent(gone, number)
        queueMicrotask(() => {
          if (phase === 'gone') emit(last)
        })
        return
      }
      if (held === undefined || phase !== 'ready') throw new Error('ask: the player is not ready yet')
      const { process } = held
      const question: Open = { body, startedAt: null, stop: () => undefined, withdrawn: false }
      questions.set(number, question)
      process.send('Q', body === 0 ? number : `${number}:${body}`, JSON.stringify(message), () => {
        question.startedAt = performance.now()
        process.busySince ??= question.startedAt
        if (!questions.has(number) || question.withdrawn) return
        question.stop = startLimit({
          limitMs,
          effort,
          late: (over) => finish(overtime(over, limitMs, 'gave no answer', bank), number),
          bank,
          strike: ({ kind, tookMs }, text) =>
            emit({ type: 'strike', to: number, fault: makeFault(kind, text, { tookMs }), ...ofBody(body) }),
        })
      })
    },
    tell(message, body = 0) {
      if (phase === 'ready') held?.process.send('T', body, JSON.stringify(message))
    },
    withdraw(number) {
      const question = questions.get(number)
      if (question === undefined) return
      question.withdrawn = true
      question.stop()
    },
    close() {
      if (phase === 'closed') return
      const quiet = phase === 'ready' && questions.size === 0 && !faulty
      phase = 'closed'
      stopStart()
      for (const question of questions.values()) question.stop()
      questions.clear()
      letGo(quiet)
      readiness.resolve(undefined)
    },
  }
}

/** What is told when nothing more will come; `to`: the question that it answers. */
function lastEvent(end: End, to: number | undefined): PlayerEvent {
  if ('interrupted' in end) return { type: 'interrupted', reason: end.interrupted }
  return { type: 'fault', ...(to === undefined ? {} : { to }), fault: end, gone: true }
}

/** Host code never sends such a thing, so something else wrote it. */
const strange = (): Fault => makeFault('protocol', "The agent's process sent a message that nothing had asked for.")

function readReport(json: string): { kind: FaultKind; text: string } | null {
  try {
    const report: unknown = JSON.parse(json)
    if (typeof report !== 'object' || report === null || !('kind' in report) || !('text' in report)) return null
    const kind = ownFaults.find((known) => known === report.kind)
    return kind === undefined || typeof report.text !== 'string' ? null : { kind, text: report.text }
  } catch {
    return null
  }
}

function readText(json: string): string | null {
  try {
    const text: unknown = JSON.parse(json)
    return typeof text === 'string' ? text : null
  } catch {
    return null
  }
}
