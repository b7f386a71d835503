import type { HistoryBody } from '../../main/contract/histories/history.ts'
import { eventOf } from '../../main/contract/histories/match-events.ts'
import type { RecordedMatch } from '../../main/contract/histories/recorded-match.ts'
import type { MatchEvent, OutputOf, ParsedInputOf, ProcedureName } from '../../main/contract/procedures/procedures.ts'
import { CallFailure, type Client } from '../connection/client.ts'

type Answers = { readonly [N in ProcedureName]?: (input: ParsedInputOf<N>) => OutputOf<N> }

/** Answers the calls of the match view from a recorded match, as the program would; refuses all others. */
export function recordedProgram({ detail, history, outline, states }: RecordedMatch): Client {
  const events = eventsIn(history)
  const answers: Answers = {
    'me.get': () => ({ role: 'guest', person: null, team: null, isReadOnly: true }),
    'matches.get': () => detail,
    'matches.outline': () => outline,
    'matches.events': ({ offset, limit }) => ({
      items: events.slice(offset, offset + limit),
      offset,
      total: events.length,
    }),
    'matches.state': ({ position }) => states.findLast((each) => each.position <= position) ?? null,
  }
  return {
    async call(name, input) {
      const answer = answers[name] as ((asked: typeof input) => OutputOf<typeof name>) | undefined
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
