import type { WebSocketRoute } from '@playwright/test'
import type { ContestSummary, OutputOf, ParsedInputOf, ProcedureName } from '../../../main/contract/procedures.ts'

/** What a call is answered with: never, with a refusal in these words, or with what is made of the program's own answer. */
type Answer<N extends ProcedureName> =
  'never' | { readonly refusal: string } | ((input: Partial<ParsedInputOf<N>>, real: OutputOf<N>) => OutputOf<N>)
/** Procedures that are not named are answered by the program. */
export type Answers = { readonly [N in ProcedureName]?: Answer<N> }

/** A message of birpc as JSON: a call `q`, or the answer `s` to the call with the same `i`. */
interface Message {
  readonly t: 'q' | 's'
  readonly i?: string
  readonly m?: string
  a?: readonly unknown[]
  r?: { readonly ok: boolean; readonly value?: unknown; readonly error?: unknown }
}

/** What a screen is told otherwise than it is. `running`: the contests that run; without it those that do. */
export interface Otherwise {
  readonly answers?: Answers
  readonly running?: readonly ContestSummary[]
}

/** Stands between a screen and the program; `otherwise` says at each moment what it changes. */
export function standBetween(screen: WebSocketRoute, otherwise: () => Otherwise): void {
  const program = screen.connectToServer()
  const calls = new Map<string, { readonly name: string; readonly input: unknown }>()
  const answerTo = (name: unknown): Answer<never> | undefined =>
    otherwise().answers?.[name as ProcedureName] as Answer<never> | undefined
  screen.onMessage((text) => {
    const { i, m, a } = JSON.parse(String(text)) as Message
    if (i !== undefined && m === 'call') calls.set(i, { name: String(a?.[0]), input: a?.[1] })
    program.send(text)
  })
  program.onMessage((text) => {
    const message = JSON.parse(String(text)) as Message
    // A contest that is shown otherwise than it is does not move.
    if (message.m === 'notify' && String(message.a?.[0]).startsWith('contest:') && answerTo('contests.get')) return
    const { running } = otherwise()
    if (running !== undefined && message.m === 'notify' && message.a?.[0] === 'status') {
      message.a = ['status', running]
      return screen.send(JSON.stringify(message))
    }
    const call = message.t === 's' ? calls.get(String(message.i)) : undefined
    const answer = call && answerTo(call.name)
    if (call === undefined || answer === undefined) return screen.send(text)
    if (answer === 'never') return
    if (typeof answer === 'object') message.r = { ok: false, error: { code: 'host', message: answer.refusal } }
    else message.r = { ok: true, value: answer(call.input as never, message.r?.value as never) }
    screen.send(JSON.stringify(message))
  })
}
