import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'
import type { Visitor } from '../contract/people/caller.ts'
import type { Dispatcher } from '../administrator/procedures/dispatch.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import { uploadKindOf, uploadKinds, type UploadQuery } from '../contract/procedures/uploads.ts'

/** Limits of slow senders. An upload without any progress is aborted after `silence` ms. */
const patience = {
  silence: 10_000,
  /** In each `window` ms of waiting for a sender, at least `bytes` have to come: the pace of a modem. */
  window: 30_000,
  bytes: 60_000,
} as const
type UploadPatience = Record<keyof typeof patience, number>

/** True for a request with a long body. */
export function isUpload({ method, url }: { readonly method: string; readonly url: string }): boolean {
  return method === 'POST' && uploadKindOf(url) !== null
}

/** Adds the routes for uploads (contract/procedures/uploads.ts), such as `POST /histories?name=a.jsonl`. Requests that reach it have a session and come from our own page. */
export async function addUploads(
  app: FastifyInstance,
  dispatcher: Dispatcher,
  visitorOf: (request: FastifyRequest) => Visitor,
  limits: UploadPatience = patience,
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
          const pieces = piecesOf(request.raw, limits)
          const taken = await dispatcher.take(kind, request.query, pieces, visitorOf(request))
          // It may have been refused unread.
          drop(request.raw, limits)
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
async function* piecesOf(body: IncomingMessage, limits: UploadPatience): AsyncGenerator<Uint8Array> {
  const { socket } = body
  const isSlow = createSlowness(limits)
  body.setTimeout(limits.silence, () => body.destroy())
  body.once('close', () => socket.setTimeout(0))
  try {
    const pieces: AsyncIterator<Buffer, undefined> = body.iterator({ destroyOnReturn: false })
    for (;;) {
      const asked = performance.now()
      const next = await pieces.next()
      if (next.done === true) return
      if (isSlow(performance.now() - asked, next.value.length)) {
        body.destroy()
        throw tooSlow()
      }
      yield next.value
    }
  } catch (error) {
    throw error instanceof ExpectedError
      ? error
      : new ExpectedError('stopped', 'upload-incomplete', 'The upload was not completed.')
  } finally {
    drop(body, limits)
  }
}

function tooSlow(): ExpectedError {
  return new ExpectedError('stopped', 'upload-incomplete', 'The upload was too slow, and was not completed.')
}

/** Drops the rest of a body, whose sender has to keep the pace, too. */
function drop(body: IncomingMessage, { window, bytes }: UploadPatience): void {
  if (body.complete || body.destroyed || body.readableFlowing === true) return
  const { socket } = body
  let before = socket.bytesRead
  const timer = setInterval(() => {
    if (!body.complete && socket.bytesRead - before < bytes) socket.destroy()
    before = socket.bytesRead
  }, window).unref()
  const stop = (): void => clearInterval(timer)
  // It closes with its connection, too.
  body.once('end', stop).once('close', stop)
  body.resume()
}

/** Called with the time that was waited for each piece, in ms, and its bytes. True: the sender is too slow. */
export function createSlowness({
  window,
  bytes: least,
}: Pick<UploadPatience, 'window' | 'bytes'>): (ms: number, bytes: number) => boolean {
  let waited = 0
  let came = 0
  return (ms: number, bytes: number): boolean => {
    waited += ms
    came += bytes
    if (waited < window) return false
    const isSlow = came < least
    waited = 0
    came = 0
    return isSlow
  }
}
