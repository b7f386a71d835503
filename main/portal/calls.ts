import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import type { Visitor } from '../contract/people/caller.ts'

/** The maximum of a call in bytes: those that hand in are small. */
const CALL_BYTES_MAX = 65_536

const oneCall = z.strictObject({ name: z.string().max(100), input: z.unknown() })

/**
 * Adds `POST /call` with `{"name": PROCEDURE, "input": ...}`: a procedure for a program that keeps no WebSocket, with the token of a
 * terminal. The answer is that of a screen's call. Windows and strangers find nothing there.
 */
export function addCalls(
  app: FastifyInstance,
  dispatcher: Dispatcher,
  visitorOf: (request: FastifyRequest) => Visitor,
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
    const answer = await dispatcher.call(name, input, visitor)
    return reply.code(answer.ok ? 200 : 400).send(answer)
  })
}
