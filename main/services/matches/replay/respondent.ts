import { Console } from 'node:console'
import inspector from 'node:inspector'
import { basename, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { runInThisContext } from 'node:vm'
import type { ErasedGame } from '../../../contract/game/game.ts'
import type { Json } from '../../../contract/json.ts'
import type { ClockMode, IsolationTier, Limits } from '../../../contract/limits.ts'
import type { PlayerEvent } from '../../../contract/players/player.ts'
import { ExpectedError } from '../../../contract/expected-error.ts'
import { createScriptPool } from '../../../players/scripts/script-pool.ts'
import type { ToldMessage } from './dialogue.ts'
import { resources } from '../../machine/resources.ts'

/** An agent's answer, or a description of its fault. */
export type AgentReply = { readonly answer: Json } | { readonly fault: string }

/** An agent that receives recorded messages. */
export interface Respondent {
  /** The answer; null: none is expected. `last`: whether this is the last message. */
  hear(told: Pick<ToldMessage, 'message' | 'wants' | 'body'>, last: boolean): Promise<AgentReply | null>
  /** The lines that it printed. */
  readonly console: readonly string[]
  close(): Promise<void>
}

export interface BoxedOptions {
  readonly source: string
  readonly game: ErasedGame
  readonly tier: IsolationTier
  readonly limits: Limits
  readonly clock: ClockMode
  /** The seed of the player that it replaces, so that Math.random() gives the same numbers. */
  readonly seed: string
}

/** Runs the agent isolated, as in a match, with a minute for each answer. */
export async function boxedRespondent({ source, game, tier, limits, clock, seed }: BoxedOptions): Promise<Respondent> {
  const console: string[] = []
  let next = Promise.withResolvers<PlayerEvent>()
  const pool = createScriptPool({
    tier,
    nodeBinary: resources.node,
    hostFile: resources.agentHost,
    warmMax: 0,
    recycleAfter: 1,
  })
  const player = pool.seat({
    agent: '0'.repeat(64),
    source,
    ...game.script,
    seed,
    clock,
    limits,
    emit(event) {
      if (event.type === 'console') console.push(event.text)
      else if (event.type !== 'said') next.resolve(event)
    },
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
      player.ask(++questions, message, 60_000, undefined, body)
      const event = await next.promise
      next = Promise.withResolvers()
      if (event.type === 'answer') return { answer: event.value }
      return {
        fault: event.type === 'fault' ? `${event.fault.kind}: ${event.fault.text}` : `It ended: ${event.type}.`,
      }
    },
    async close() {
      player.close()
      await pool.close()
    },
  }
}

/**
 * Runs the agent in this process, with all permissions of its user, so that a debugger sees its file. Waits for a
 * debugger and stops just before the agent receives the last message.
 */
export async function debuggedRespondent(
  file: string,
  game: ErasedGame,
  onNotice: (text: string) => void,
): Promise<Respondent> {
  const adapt = runInThisContext(`(${game.script.adapter})`) as (
    exported: unknown,
    log: (text: string) => void,
  ) => Hears
  const stop = runInThisContext('(hear, message, body) => { debugger; return hear(message, body) }') as (
    hear: Hears,
    message: Json,
    body: number,
  ) => unknown
  // Keeps the agent's output apart from that of the program.
  globalThis.console = new Console(process.stderr, process.stderr)
  inspector.open(0, '127.0.0.1')
  onNotice(`A debugger may connect to ${inspector.url()}. The agent waits for it, and runs without isolation.`)
  inspector.waitForDebugger()
  const loaded = (await import(pathToFileURL(resolve(file)).href).catch((error: unknown) => {
    throw new ExpectedError(
      'usage',
      'not-replayable',
      `${basename(file)} cannot be loaded: ${error instanceof Error ? error.message : String(error)}.`,
    )
  })) as { readonly default?: unknown }
  const console: string[] = []
  const hear = adapt(loaded.default ?? loaded, (text) => void console.push(text))
  return {
    console,
    hear({ message, wants, body }, last) {
      try {
        // A copy with only JSON values, as the agent would receive it in a match.
        const given = JSON.parse(JSON.stringify(message)) as Json
        const answer = last ? stop(hear, given, body) : hear(given, body)
        return Promise.resolve(
          wants !== 'nothing' ? { answer: JSON.parse(JSON.stringify(answer ?? null)) as Json } : null,
        )
      } catch (error) {
        return Promise.resolve({ fault: `crash: ${String(error)}` })
      }
    },
    close() {
      inspector.close()
      return Promise.resolve()
    },
  }
}

type Hears = (message: Json, body: number) => unknown
