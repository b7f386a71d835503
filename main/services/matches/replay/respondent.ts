import type { ErasedGame } from '../../../contract/game/game.ts'
import type { Json } from '../../../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../../../contract/limits.ts'
import type { Player, PlayerEvent } from '../../../contract/players/player.ts'
import { createScriptPool } from '../../../players/scripts/script-pool.ts'
import type { ToldMessage } from '../../../worker/replay/dialogue.ts'
import { resources } from '../../machine/resources.ts'

/** An agent's answer, or a description of its fault. */
export type AgentReply = { readonly answer: Json } | { readonly fault: string }

/** An agent that receives recorded messages. */
export interface Respondent {
  /** The answer; null: none is expected. */
  hear(told: Pick<ToldMessage, 'message' | 'wants' | 'body'>): Promise<AgentReply | null>
  /** The lines that it printed. */
  readonly console: readonly string[]
  close(): Promise<void>
}

/** A script and the conditions of the match in which it is asked again. */
export interface ScriptConditions {
  readonly source: string
  readonly game: ErasedGame
  readonly limits: Limits
  readonly clock: ClockMode
  /** The seed of the player that it replaces, so that Math.random() gives the same numbers. */
  readonly seed: string
}

/** Runs the agent isolated, as in a match, with a minute for each answer. */
export async function boxedRespondent({
  source,
  game,
  tier,
  limits,
  clock,
  seed,
}: ScriptConditions & { readonly tier: IsolationTier }): Promise<Respondent> {
  const pool = createScriptPool({
    tier,
    nodeBinary: resources.node,
    hostFile: resources.agentHost,
    warmMax: 0,
    recycleAfter: 1,
  })
  const seated = { agent: '0'.repeat(64), source, ...game.script, seed, clock, limits }
  return playerRespondent({
    seat: (emit) => pool.seat({ ...seated, emit }),
    answerMs: 60_000,
    close: () => pool.close(),
  })
}

/** Asks a player. `close`: called after the player is closed. */
export async function playerRespondent({
  seat,
  answerMs,
  close,
}: {
  seat(emit: (event: PlayerEvent) => void): Player
  readonly answerMs: number
  close(): Promise<void>
}): Promise<Respondent> {
  const console: string[] = []
  let next = Promise.withResolvers<PlayerEvent>()
  const player = seat((event) => {
    if (event.type === 'console') console.push(event.text)
    else if (event.type !== 'said') next.resolve(event)
  })
  await player.ready()
  let questions = 0
  return {
    console,
    async hear({ message, wants, body }) {
      if (wants === 'nothing') {
        player.tell(message, body)
        return null
      }
      player.ask(++questions, message, answerMs, undefined, body)
      const event = await next.promise
      next = Promise.withResolvers()
      if (event.type === 'answer') return { answer: event.value }
      // The last words of a program that exited, which no console event has brought.
      if (event.type === 'fault' && event.fault.stderr !== undefined && console.length === 0)
        console.push(event.fault.stderr)
      return {
        fault: event.type === 'fault' ? `${event.fault.kind}: ${event.fault.text}` : `It ended: ${event.type}.`,
      }
    },
    async close() {
      player.close()
      await close()
    },
  }
}
