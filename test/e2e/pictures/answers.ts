import type { WebSocketRoute } from '@playwright/test'
import type {
  ContestSummary,
  OutputOf,
  ParsedInputOf,
  ProcedureName,
} from '../../../main/contract/procedures/procedures.ts'

/** The answer to a call: never, a refusal in these words, or a change of the program's own answer. */
type Answer<N extends ProcedureName> =
  'never' | { readonly refusal: string } | ((input: Partial<ParsedInputOf<N>>, real: OutputOf<N>) => OutputOf<N>)
/** Procedures that are not named are answered by the program. */
export type Answers = { readonly [N in ProcedureName]?: Answer<N> }

/** A message of birpc as JSON: a call `q`, or the answer `s` to the call with the same `i`. */
interface Message {
  readonly t: 'q' | 's'
  readonly i?: string
  readonly m?: string
  readonly a?: readonly unknown[]
  r?: { readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }
}

/** Answers that differ from the program's own. `running`: the contests that run; absent: the real ones. */
export interface Otherwise {
  readonly answers?: Answers
  readonly running?: readonly ContestSummary[]
}

/** The calls on a connection so far. */
export interface Traffic {
  asked: number
  /** Those that the program has not answered. */
  readonly open: Set<string>
}

/**
 * Stands between a screen and the program; `otherwise` says at each moment what it changes. `always`: changes of the answers that the
 * program gives, unless `otherwise` has another. `traffic` is kept.
 */
export function standBetween(
  screen: WebSocketRoute,
  otherwise: () => Otherwise,
  always: Answers,
  traffic: Traffic,
): void {
  const program = screen.connectToServer()
  const calls = new Map<string, { readonly name: string; readonly input: unknown }>()
  const answerTo = (name: unknown): Answer<never> | undefined =>
    otherwise().answers?.[name as ProcedureName] as Answer<never> | undefined
  const changeOf = (name: unknown): Answer<never> | undefined =>
    always[name as ProcedureName] as Answer<never> | undefined
  /** The value of a topic here; undefined: none. */
  function newsOf(topic: string, real: unknown): unknown {
    // A contest that is shown otherwise than it is does not move.
    if (topic.startsWith('contest:') && answerTo('contests.get') !== undefined) return undefined
    if (topic === 'status') return otherwise().running ?? real
    const answer = topic.startsWith('contest:')
      ? changeOf('contests.get')
      : topic === 'settings'
        ? (answerTo('settings.get') ?? changeOf('settings.get'))
        : undefined
    if (answer === undefined) return real
    return typeof answer === 'function' ? answer({} as never, real as never) : undefined
  }
  screen.onMessage((text) => {
    const { i, m, a } = JSON.parse(String(text)) as Message
    if (i !== undefined && m === 'call') {
      calls.set(i, { name: String(a?.[0]), input: a?.[1] })
      traffic.asked += 1
      traffic.open.add(i)
    }
    program.send(text)
  })
  program.onMessage((text) => {
    const message = JSON.parse(String(text)) as Message
    if (message.m === 'notify') {
      const news = newsOf(String(message.a?.[0]), message.a?.[1])
      if (news !== undefined) screen.send(JSON.stringify({ ...message, a: [message.a?.[0], news] }))
      return
    }
    if (message.t === 's') traffic.open.delete(String(message.i))
    const call = message.t === 's' ? calls.get(String(message.i)) : undefined
    const answer = call && (answerTo(call.name) ?? (message.r?.ok === true ? changeOf(call.name) : undefined))
    if (call === undefined || answer === undefined) return screen.send(text)
    if (answer === 'never') return
    if (typeof answer === 'object') message.r = { ok: false, error: { code: 'host', message: answer.refusal } }
    else message.r = { ok: true, value: answer(call.input as never, message.r?.value as never) }
    screen.send(JSON.stringify(message))
  })
}
