import type { OtherAnswer } from '../../../main/contract/histories/other-answers.ts'
import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import type { SeatId, Sha256 } from '../../../main/contract/ids.ts'
import type { Opponent } from '../../../main/contract/procedures/human-match.ts'
import { call, subscribe, type CallFailure } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import type { Digest, Line, OpenMatch } from '../../games/game.ts'

/** The answer of another agent beside what was played. */
export interface ComparedAnswer {
  /** The match as its viewer saw it: another viewer may not know these lines. */
  readonly match: OpenMatch
  readonly seat: SeatId
  /** The agent's name. */
  readonly name: string
  readonly answer: OtherAnswer
  /** Line by line, in the game's words; null: hidden from the viewer. */
  readonly played: readonly (Line | null)[]
  readonly instead: readonly (Line | null)[]
}

/** The question that a person puts: what would another agent have played here? */
export interface OtherAgent {
  /** The agents that can be asked; null: they have not been fetched. */
  readonly agents: readonly Opponent[] | null
  /** null: that of the event shown. */
  seat: SeatId | null
  /** '': the first one. */
  agent: Sha256
  readonly asking: boolean
  /** Progress, 0 to 1; null: not known. */
  readonly part: number | null
  readonly failure: CallFailure | null
  readonly compared: ComparedAnswer | null
  load(game: string): Promise<void>
  /** Asks an agent in place of a seat at a position. */
  ask(match: OpenMatch, seat: SeatId, agent: Opponent, position: number): Promise<void>
  stop(): void
}

/** Call only during component initialization. */
export function createOtherAgent(source: () => MatchSource): OtherAgent {
  let agents = $state.raw<readonly Opponent[] | null>(null)
  let seat = $state<SeatId | null>(null)
  let agent = $state<Sha256>('')
  /** The id of the running request. */
  let request = $state<string | null>(null)
  let part = $state<number | null>(null)
  let failure = $state.raw<CallFailure | null>(null)
  let compared = $state.raw<ComparedAnswer | null>(null)

  $effect(() => (request === null ? undefined : subscribe(`otherAnswer:${request}`, (now) => (part = now || part))))
  // Nobody waits for the answer of a screen that is left.
  $effect(() => stop)

  function stop(): void {
    if (request === null) return
    call('matches.stopOtherAnswer', { request }).catch(() => undefined)
    request = null
  }

  return {
    get agents() {
      return agents
    },
    get seat() {
      return seat
    },
    set seat(to) {
      seat = to
    },
    get agent() {
      return agent
    },
    set agent(to) {
      agent = to
    },
    get asking() {
      return request !== null
    },
    get part() {
      return part
    },
    get failure() {
      return failure
    },
    get compared() {
      return compared
    },
    async load(game) {
      try {
        agents = await call('play.opponents', { game })
      } catch (reason) {
        failure = asFailure(reason)
      }
    },
    async ask(match, of, { name, agent: hash }, position) {
      const own = crypto.randomUUID()
      request = own
      part = null
      failure = null
      compared = null
      try {
        const wish = { request: own, source: source(), position, seat: of, agent: hash }
        const answer = await call('matches.otherAnswer', wish)
        const played = linesOf(match, [await match.digestOf(answer.event)])
        const digests = await match.otherwise(answer.first, answer.events)
        const instead = linesOf(
          match,
          answer.shown.map((at) => digests[at] ?? null),
        )
        if (request === own) compared = { match, seat: of, name, answer, played, instead }
      } catch (reason) {
        if (request === own) failure = asFailure(reason)
      }
      if (request === own) request = null
    },
    stop,
  }
}

function linesOf({ story }: OpenMatch, digests: readonly (Digest | null)[]): readonly (Line | null)[] {
  return digests.flatMap((digest) =>
    digest === null
      ? [null]
      : Array.from({ length: story.lines(digest) }, (_, part) => story.line(digest, part, 'exact')),
  )
}
