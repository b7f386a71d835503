import type { FastifyInstance, FastifyRequest } from 'fastify'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import type { Visitor } from '../contract/people/caller.ts'

/** The maximum of a call in bytes: those that hand in are small. */
const CALL_BYTES_MAX = 65_536

/** An answer that takes longer begins with spaces, which JSON allows, so that nobody takes the class for gone. ms. */
const PATIENCE = 20_000

const oneCall = z.strictObject({ name: z.string().max(100), input: z.unknown() })

/**
 * Adds `POST /call` with `{"name": PROCEDURE, "input": ...}`: a procedure for a program that keeps no WebSocket, with the token of a
 * terminal. The answer is that of a screen's call; one that takes long has the status 200 in any case. Windows and strangers find
 * nothing there.
 */
export function addCalls(
  app: FastifyInstance,
  dispatcher: Dispatcher,
  visitorOf: (request: FastifyRequest) => Visitor,
  patience = PATIENCE,
): void {
  app.post('/call', { bodyLimit: CALL_BYTES_MAX }, async (request, reply) => {
    const visitor = visitorOf(request)
    if (visitor.kind !== 'session' || !visitor.isTerminal)
      return reply.code(404).type('text/plain; charset=utf-8').send('There is nothing here.\n')
    const parsed = oneCall.safeParse(request.body)
    if (!parsed.success) {
      const error = { code: 'malformed', reason: 'input-invalid', message: 'A call has a name and an input.' }
      return reply.code(400).send({ ok: false, error })
    }
    const { name, input } = parsed.data
    const answering = dispatcher.call(name, input, visitor)
    const waited = new AbortController()
    const answer = await Promise.race([
      answering.finally(() => waited.abort()),
      sleep(patience, null, { signal: waited.signal }).catch(() => answering),
    ])
    if (answer !== null) return reply.code(answer.ok ? 200 : 400).send(answer)
    return reply.type('application/json; charset=utf-8').send(spacedOut(answering, patience))
  })
}

/** The text of an answer after spaces, one at once and one at each interval in ms. */
function spacedOut(answering: Promise<unknown>, interval: number): PassThrough {
  const text = new PassThrough()
  const space = (): void => {
    // The caller may be gone.
    if (!text.destroyed) text.write(' ')
  }
  space()
  const timer = setInterval(space, interval)
  void answering
    .then(
      (answer) => void text.end(JSON.stringify(answer)),
      (error: unknown) => void text.destroy(error instanceof Error ? error : new Error(String(error))),
    )
    .finally(() => clearInterval(timer))
  return text
}
