import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'

/**
 * Histories go here, `POST /histories?name=a.jsonl`, as they are: too large for a message of the WebSocket. With `&file=...` one
 * that was announced under that handle.
 */
const path = '/histories'

/** ms without a byte, after which an upload is given up. */
const silence = 10_000

/** A request with a body that may be long. */
export function isUpload({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === 'POST' && url.split('?', 1)[0] === path
}

/** Adds the route that takes files in. Whoever gets here has a session and comes from a page of ours. */
export async function addUploads(app: FastifyInstance, dispatcher: Dispatcher): Promise<void> {
  // Apart, so that no other route reads bodies of this kind.
  await app.register((scope, _, done) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))
    scope.post(
      path,
      async (
        request: FastifyRequest<{ Querystring: { name?: unknown; file?: unknown } }>,
        reply,
      ): Promise<FastifyReply> => {
        const { body } = request as { readonly body: unknown }
        if (body !== request.raw) return reply.code(415).send()
        const { name, file } = request.query
        const taken = await dispatcher.take(name, piecesOf(request.raw), { right: 'educator' }, file)
        return reply.code(taken.ok ? 200 : 400).send(taken)
      },
    )
    done()
  })
}

/** The body as it comes. That it ends too soon is the sender's doing and nothing unexpected. */
async function* piecesOf(body: IncomingMessage): AsyncGenerator<Uint8Array> {
  body.setTimeout(silence, () => body.destroy())
  try {
    for await (const piece of body) yield piece as Buffer
  } catch {
    throw new ExpectedError('stopped', 'The file was not sent to its end.')
  } finally {
    body.setTimeout(0)
  }
}
