import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Visitor } from '../contract/people/caller.ts'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { uploadKindOf, uploadKinds, type UploadQuery } from '../contract/procedures/uploads.ts'

/** An upload without progress is aborted after this time, in ms. */
const silence = 10_000

/** True for a request with a long body. */
export function isUpload({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === 'POST' && uploadKindOf(url) !== null
}

/** Adds the routes for uploads (contract/procedures/uploads.ts), such as `POST /histories?name=a.jsonl`. Requests that reach it have a session and come from our own page. */
export async function addUploads(
  app: FastifyInstance,
  dispatcher: Dispatcher,
  visitorOf: (request: FastifyRequest) => Visitor,
): Promise<void> {
  // Registered separately, so that no other route accepts such bodies.
  await app.register((scope, _, done) => {
    scope.addContentTypeParser('application/octet-stream', (_request, payload, parsed) => parsed(null, payload))
    for (const kind of uploadKinds) {
      scope.post(
        `/${kind}`,
        async (request: FastifyRequest<{ Querystring: UploadQuery }>, reply): Promise<FastifyReply> => {
          const { body } = request as { readonly body: unknown }
          if (body !== request.raw) return reply.code(415).send()
          const taken = await dispatcher.take(kind, request.query, piecesOf(request.raw), visitorOf(request))
          return reply.code(taken.ok ? 200 : 400).send(taken)
        },
      )
    }
    done()
  })
}

/**
 * The body as a stream. A premature end is an expected error of the sender. If it is not read to its end, the rest is
 * dropped as it arrives: a sender whose connection is cut never reads why its file is refused.
 */
async function* piecesOf(body: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { socket } = body
  body.setTimeout(silence, () => body.destroy())
  body.once('close', () => socket.setTimeout(0))
  try {
    for await (const piece of body.iterator({ destroyOnReturn: false })) yield piece as Buffer
  } catch {
    throw new ExpectedError('stopped', 'upload-incomplete', 'The upload was not completed.')
  } finally {
    body.resume()
  }
}
