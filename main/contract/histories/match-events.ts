import type { MatchEvent } from '../procedures/match-answers.ts'
import type { HistoryBody } from './history.ts'

/** The event that a line of a history records; null: it records none. */
export function eventOf(body: HistoryBody): MatchEvent | null {
  switch (body.k) {
    case 'input':
      return {
        n: body.n,
        at: body.at,
        kind: 'input',
        input: body.input,
        ...(body.audience === 'public' ? {} : { audience: body.audience }),
      }
    case 'fault':
      return { n: body.n, at: body.at, kind: 'fault', seat: body.post.seat, fault: body.fault }
    case 'console':
      return { n: body.n, at: body.at, kind: 'console', seat: body.post.seat, text: body.text }
    default:
      return null
  }
}
