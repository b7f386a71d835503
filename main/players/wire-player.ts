import type { Fault } from '../contract/faults.ts'
import type { Ms } from '../contract/clock.ts'
import type { Wire, WireEffect } from '../contract/wire.ts'
import type { Json } from '../contract/json.ts'
import type { Limits } from '../contract/limits.ts'
import type { Player, PlayerEvent } from '../contract/player.ts'
import { whyTooLong, whyUnreadable } from './read-answer.ts'
import type { Channel, ChannelEnd, ChannelSource } from './channels/channel.ts'
import { makeFault } from './make-fault.ts'
import { overtimeText, startLimit, type Effort, type Overtime } from './time-limit.ts'
import { printedOf } from './printed-output.ts'
import { ofBody } from './player-of-bodies.ts'
import { noQuestions, type OutgoingMessage, type OpenQuestion } from './open-questions.ts'

export interface WirePlayerOptions {
  readonly wire: Wire<Json, Json>
  readonly channels: ChannelSource
  readonly limits: Pick<Limits, 'startMs' | 'messageBytes' | 'consoleBytes'>
  /** Bytes of state that may come with each message beyond its own. Absent: none. */
  readonly stateBytes?: number
  readonly emit: (event: PlayerEvent) => void
  /** What the agent has done since its oldest open question; null: unknown, as of one that runs elsewhere. */
  readonly effort?: () => Effort | null
}

/** Faults that no question waits for, one after the other: whoever goes on like this floods the match. */
const maxUnsolicitedFaults = 100
/** What an agent that stops reading may leave lying with us before it is given up. */
export const unreadBytes = 67_108_864

/** `down`: no channel. `greeting`: one is up, the wire's handshake is not through. `gone`: nothing more will come. */
type Phase = 'down' | 'greeting' | 'up' | 'gone'

/**
 * A player behind a game's wire: a program on pipes or a connection, one for the match, one a move, or one that drops and
 * comes back. It runs the clock of each question, from written to answered; the handshake has a budget of its own
 * (`startMs`). An answer that no question waits for (unasked, doubled, too early) is reported as `said`, never kept for
 * the next question.
 */
export function wirePlayer(options: WirePlayerOptions): Player {
  const { wire, channels, limits, stateBytes = 0 } = options
  const bytesMax = limits.messageBytes + stateBytes
  const born = performance.now()
  let phase: Phase = 'down'
  let closed = false
  let channel: Channel | null = null
  let opening = false
  let greeting: NodeJS.Timeout | undefined
  let goneFor: Fault | null = null
  let settleReady: (() => void) | null = null
  let announced = false
  /** Bytes since the wire last made anything of them. */
  let fruitless = 0
  let strays = 0
  const questions = noQuestions()

  const at = (): Ms => performance.now() - born
  const emit = (event: PlayerEvent): void => {
    if (!closed) options.emit(event)
  }
  /** Who speaks: what is printed goes with it. */
  let speaker: number | undefined
  const printed = printedOf(limits.consoleBytes, (text) => emit({ type: 'console', text, ...ofBody(speaker) }))
  const tookOf = ({ begun }: OpenQuestion): Ms | undefined => (begun === null ? undefined : at() - begun)

  const report = (fault: Fault, gone: boolean, question?: OpenQuestion, body = question?.body): void => {
    const tookMs = question === undefined ? fault.tookMs : (tookOf(question) ?? fault.tookMs)
    // A wire's words may quote the agent: they are capped and made well formed like any other's.
    const told = makeFault(fault.kind, fault.text, {
      ...(tookMs === undefined ? {} : { tookMs }),
      stderr: printed.take(),
    })
    // Who is gone is gone for all bodies.
    const whose = gone ? {} : ofBody(body)
    if (question === undefined) return emit({ type: 'fault', fault: told, gone, ...whose })
    strays = 0
    questions.forget(question)
    emit({ type: 'fault', to: question.number, fault: told, gone, ...whose })
  }

  const hangUp = (): void => {
    clearTimeout(greeting)
    channel?.close()
    channel = null
    questions.hangUp()
    fruitless = 0
    // What an ended process was asked, nobody can answer any more; an agent that comes back may.
    if (channels.reopens !== 'by-itself') {
      for (const question of questions.all()) if (question.over) questions.forget(question)
    }
    if (phase !== 'gone') phase = 'down'
  }

  /** Nothing more will come: the owed question is answered with the fault. */
  const leave = (fault: Fault, question = questions.owed(), quiet = false): void => {
    if (phase === 'gone') return
    phase = 'gone'
    goneFor = makeFault(fault.kind, fault.text)
    cease(goneFor)
    if (question !== undefined || !quiet) report(fault, true, question)
    printed.pass()
    for (const each of questions.all()) questions.forget(each)
    settleReady?.()
  }

  /** It was ended by no act of its own: the match does not count. */
  const interrupted = (reason: string): void => {
    phase = 'gone'
    goneFor = makeFault('host', reason)
    cease()
    emit({ type: 'interrupted', reason })
    settleReady?.()
  }

  const cease = (fault?: Fault): void => {
    hangUp()
    channels.close(fault)
    questions.silence()
  }

  /** Runs a step of the wire. A wire that throws is our mistake, not the agent's, unless what he sent has used up our stack. */
  const run = (step: () => readonly WireEffect<Json>[]): number => {
    try {
      const from = channel
      const effects = step()
      // What follows the end of a channel is not for the next one.
      for (const effect of effects) if (channel === from) perform(effect)
      return effects.length
    } catch (error) {
      const deep = error instanceof RangeError
      if (deep) leave({ kind: 'protocol', text: 'The agent sent a message that is nested too deeply to be read.' })
      else leave({ kind: 'host', text: `The dialogue of this game failed: ${String(error)}` })
      return 0
    }
  }

  const write = (bytes: Uint8Array): void => {
    channel?.write(bytes)
    if (channel !== null && channel.unread() > unreadBytes) {
      leave({ kind: 'protocol', text: `The agent does not read: ${String(channel.unread())} bytes wait for it.` })
    }
  }

  /** A fault that the agent outlives, for a while. */
  const stray = (fault: Fault, question?: OpenQuestion, body?: number): void => {
    report(fault, false, question, question?.body ?? body)
    if (question === undefined && ++strays >= maxUnsolicitedFaults) {
      leave(
        makeFault(
          'protocol',
          `The agent sent ${String(maxUnsolicitedFaults)} messages in a row that could not be read.`,
        ),
      )
    }
  }

  const unreadable = (problem: string, question?: OpenQuestion, body?: number): void =>
    stray(makeFault('invalid', `The agent sent ${problem}.`), question, body)

  /** What the state left free is no room for a longer answer. */
  const problemOf = (value: Json): string | null =>
    whyUnreadable(value) ?? (fruitless > limits.messageBytes ? whyTooLong(value, limits.messageBytes) : null)

  const said = (value: Json, body?: number): void => {
    const problem = problemOf(value)
    if (problem === null) emit({ type: 'said', value, ...ofBody(body) })
    else unreadable(problem, undefined, body)
  }

  const answered = (value: Json, to: number | null, body = 0): void => {
    const question = questions.find(to, body)
    if (question === undefined || !question.sent) return said(value, body)
    const problem = problemOf(value)
    if (problem !== null) return unreadable(problem, question)
    const tookMs = tookOf(question) ?? 0
    strays = 0
    questions.forget(question)
    printed.pass()
    emit({ type: 'answer', to: question.number, value, tookMs, ...ofBody(body) })
  }

  const perform = (effect: WireEffect<Json>): void => {
    if (phase === 'gone' || closed) return
    if ('body' in effect) speaker = effect.body
    if (effect.type === 'write') write(effect.bytes)
    else if (effect.type === 'answer') answered(effect.value, effect.to, effect.body)
    else if (effect.type === 'said') said(effect.value, effect.body)
    else if (effect.type === 'console') printed.show(effect.text)
    else if (effect.type === 'ready') cameUp()
    else if (effect.type === 'fault') faulted(effect)
    else closedByWire()
  }

  const faulted = ({ fault, gone, to, body }: Extract<WireEffect<Json>, { type: 'fault' }>): void => {
    const question = to === undefined ? undefined : questions.find(to)
    if (gone) leave(fault, question ?? questions.owed())
    else stray(fault, question, body)
  }

  const cameUp = (): void => {
    if (phase !== 'greeting') return
    clearTimeout(greeting)
    phase = 'up'
    if (announced && channels.reopens === 'by-itself') emit({ type: 'joined' })
    settleReady?.()
    flush()
  }

  const closedByWire = (): void => {
    const greeted = phase === 'up'
    hangUp()
    // After a farewell this is no fault, unless somebody still waits for an answer.
    if (channels.reopens === 'never')
      leave({ kind: 'protocol', text: 'The dialogue has ended.' }, questions.owed(), true)
    else if (channels.reopens === 'by-itself' && greeted) emit({ type: 'left' })
    else if (channels.reopens === 'on-send' && !greeted)
      missed(makeFault('protocol', 'The dialogue ended before the program was ready.'))
    else flush()
  }

  const flush = (): void => {
    while (phase === 'up') {
      const item = questions.next()
      if (item === undefined) return
      put(item)
    }
    if (phase === 'down' && questions.waits() && channels.reopens === 'on-send') open()
  }

  const put = ({ message, question, body }: OutgoingMessage): void => {
    if (question === null) {
      run(() => wire.send(message, null, at(), body))
      return
    }
    const now = at()
    const left = question.begun === null ? question.limitMs : question.begun + question.limitMs - now
    question.begun ??= now
    questions.write(question)
    run(() => wire.send(message, { number: question.number, limitMs: left }, now, body))
    // The wire may have answered at once, from what had come before.
    if (questions.holds(question)) wind(question)
  }

  const wind = (question: OpenQuestion): void => {
    const { number, limitMs, bank } = question
    question.stop ??= startLimit({
      limitMs,
      effort: () => options.effort?.() ?? null,
      late: (over) => timeIsUp(question, over),
      bank,
      strike: (over, text) =>
        emit({ type: 'strike', to: number, fault: lateFault(question, over, text), ...ofBody(question.body) }),
    })
  }

  /** With what was printed meanwhile. */
  const lateFault = (question: OpenQuestion, over: Overtime, text: string): Fault =>
    makeFault(over.kind, text, { tookMs: tookOf(question) ?? over.tookMs, stderr: printed.take() })

  const timeIsUp = (question: OpenQuestion, over: Overtime): void => {
    const { number, limitMs, bank } = question
    if (question.over || !questions.holds(question)) return
    question.over = true
    const fault = lateFault(question, over, overtimeText(over, limitMs, 'gave no answer', bank))
    emit({ type: 'fault', to: number, fault, gone: false, ...ofBody(question.body) })
    end(question)
  }

  /** A question that was written may still be answered late; one that was not is forgotten. */
  const end = (question: OpenQuestion): void => {
    question.over = true
    question.stop?.()
    if (!question.sent) questions.forget(question)
    else if (phase !== 'gone' && !closed) run(() => wire.withdrawn(question.number, at()))
  }

  const open = (): void => {
    if (opening) return
    opening = true
    try {
      channels.open(adopt)
    } catch (error) {
      leave({ kind: 'host', text: `The agent could not be started: ${String(error)}` })
    }
    opening = channels.reopens === 'by-itself'
  }

  const adopt = (next: Channel): void => {
    if (closed || phase === 'gone') return next.close()
    if (channel !== null) {
      // The agent has come back before we saw that it had dropped.
      dropped({ text: 'connected anew.' })
    }
    channel = next
    phase = 'greeting'
    greeting = setTimeout(greetingIsOver, limits.startMs)
    next.start({
      data: (chunk) => {
        if (channel === next) heard(chunk)
      },
      printed: (text) => {
        if (channel === next) printed.hear(text)
      },
      end: (end) => {
        if (channel === next) dropped(end)
      },
    })
    run(() => wire.joined(at()))
  }

  const heard = (chunk: Uint8Array): void => {
    fruitless += chunk.byteLength
    if (run(() => wire.receive(chunk, at())) > 0) fruitless = 0
    if (fruitless <= bytesMax) return
    const text = `The agent sent more than ${String(bytesMax)} bytes without completing a message.`
    leave({ kind: 'protocol', text })
  }

  const greetingIsOver = (): void => {
    const text = `The agent did not complete its greeting within ${String(limits.startMs)} ms.`
    const fault: Fault = { kind: 'timeout', text }
    if (channels.reopens === 'never') return leave(fault)
    hangUp()
    missed(fault)
  }

  /** A channel of many has failed before anything was said on it: what it was opened for has failed. */
  const missed = (fault: Fault): void => {
    if (channels.reopens === 'on-send') report(fault, false, questions.next()?.question ?? undefined)
    else report(fault, false)
    flush()
  }

  const dropped = (end: ChannelEnd): void => {
    if (end.interrupted !== undefined) return interrupted(end.interrupted)
    const before = phase
    const asked = questions.owed('written')
    let effects: readonly WireEffect<Json>[] = []
    run(() => {
      effects = wire.left(at())
      return effects.filter((effect) => effect.type !== 'fault')
    })
    // What the wire says of the end (half a message, say) goes before what the channel says.
    const own = effects.find((effect) => effect.type === 'fault')
    const crash = { kind: 'crash', text: `The agent ${end.text}` } as const
    const fault: Fault = end.fault ?? own?.fault ?? crash
    if (own?.gone === true || channels.reopens === 'never') {
      return leave(fault, questions.find(own?.to ?? -1) ?? questions.owed())
    }
    hangUp()
    if (channels.reopens === 'by-itself') {
      if (own !== undefined) report(fault, false, questions.find(own.to ?? -1))
      if (before === 'up') emit({ type: 'left' })
      return
    }
    if (before === 'greeting') return missed(fault)
    // A process a move may end as it likes once it has answered.
    if (asked !== undefined && questions.holds(asked)) report(fault, false, asked)
    else if (own !== undefined) report(fault, false)
    flush()
  }

  return {
    ready() {
      if (closed) return Promise.resolve()
      const done = new Promise<void>((resolve) => {
        settleReady = () => {
          announced = true
          settleReady = null
          clearTimeout(absent)
          resolve()
        }
      })
      let absent: NodeJS.Timeout | undefined
      if (channels.reopens === 'on-send') settleReady?.()
      else {
        if (channels.reopens === 'by-itself') {
          absent = setTimeout(() => {
            if (channel === null) report({ kind: 'timeout', text: 'The agent has not connected.' }, false)
            settleReady?.()
          }, limits.startMs)
        }
        open()
      }
      return done
    },
    ask(number, message, limitMs, bank, body) {
      if (closed) return
      if (goneFor !== null) {
        emit({ type: 'fault', to: number, fault: goneFor, gone: true })
        return
      }
      const question = questions.ask(number, message, limitMs, bank, body)
      if (channels.reopens === 'by-itself' && phase !== 'up') {
        question.begun = at()
        wind(question)
      }
      flush()
    },
    tell(message, body) {
      if (closed || phase === 'gone') return
      // An agent that is away is told when it comes.
      questions.tell(message, body)
      flush()
    },
    withdraw(number) {
      const question = questions.find(number)
      if (question !== undefined && !question.over) end(question)
    },
    close() {
      if (closed) return
      printed.pass()
      closed = true
      settleReady?.()
      for (const question of questions.all()) question.stop?.()
      hangUp()
      channels.close()
    },
  }
}
