import type { HistoryBody } from '../../main/contract/histories/history.ts'
import { eventOf } from '../../main/contract/histories/match-events.ts'
import type { RecordedMatch } from '../../main/contract/histories/recorded-match.ts'
import type { InputOf, MatchEvent, OutputOf, ProcedureName } from '../../main/contract/procedures/procedures.ts'
import { CallFailure, type Client } from '../connection/client.ts'

type Answers = { readonly [N in ProcedureName]?: (input: InputOf<N>) => OutputOf<N> }

/** Answers the calls of the match view from a recorded match, as the program would; refuses all others. */
export function recordedProgram({ detail, history, outline, states }: RecordedMatch): Client {
  const events = eventsIn(history)
  const answers: Answers = {
    'me.get': () => ({ role: 'guest', person: null, team: null, isReadOnly: true }),
    'matches.get': () => detail,
    'matches.outline': () => outline,
    'matches.events': ({ offset, limit }: { readonly offset: number; readonly limit: number }) => ({
      items: events.slice(offset, offset + limit),
      offset,
      total: events.length,
    }),
    'matches.state': ({ position }: { readonly position: number }) =>
      states.findLast((each) => each.position <= position) ?? null,
  }
  return {
    async call(name, input) {
      const answer = answers[name]
      if (answer === undefined)
        throw new CallFailure({ code: 'refused', message: 'This page holds a match and no class.' })
      return answer(input)
    },
    subscribe: () => () => undefined,
    lookAs: () => undefined,
    onLink(listener) {
      listener('up')
      return () => undefined
    },
  }
}

/** The events that the lines of a history record, in order. */
function eventsIn(history: string): readonly MatchEvent[] {
  return history
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => eventOf((JSON.parse(line) as { readonly b: HistoryBody }).b) ?? [])
}
