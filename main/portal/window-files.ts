import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

declare module 'fastify' {
  interface FastifyReply {
    /** Answers with a file of the window, such as `sign-in.html`. */
    sendFile(name: string): FastifyReply
  }
}

const unpack = promisify(brotliDecompress)

/** The file types of the window; other files in its folder are not served. */
const served =
  /^(?:index\.html|sign-in\.html|licenses\.txt)$|^(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:js|css|svg|png|woff2)$|^help\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*\.(?:html|py)$/
/** The documentation's pages, their pictures, style and search. */
const docs = /^\/help\/(?:[\w-][\w.-]*\/)*(?:[\w-][\w.-]*\.(?:html|js|css|svg|png|woff2|py))?$/

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** A list of encodings that has Brotli and does not refuse it. */
const takesBrotli = /(?:^|,)\s*br\s*(?:;\s*q=(?:1|0\.0*[1-9])[\d.]*\s*)?(?:,|$)/

/** A file of the window, and what was packed with Brotli when the window was built; null: nothing was. */
interface WindowFile {
  readonly plain: Buffer
  readonly packed: Buffer | null
}

/** True for a request that reads the documentation, which anybody may: nothing in it is of the class. */
export function isDocs({ method, url }: Pick<FastifyRequest, 'method' | 'url'>): boolean {
  return (method === 'GET' || method === 'HEAD') && docs.test(url.split('?', 1)[0]!)
}

/**
 * Serves the files of the built window. They stay in memory once they were read: while hand-ins and histories are written to a slow disk,
 * a page would wait for each of its reads behind them.
 */
export function addWindowFiles(app: FastifyInstance, folder: string): void {
  const kept = new Map<string, WindowFile>()
  const fileOf = async (name: string): Promise<WindowFile | null> => {
    const known = kept.get(name)
    if (known !== undefined) return known
    const read = (each: string): Promise<Buffer | null> => readFile(join(folder, each)).catch(() => null)
    const [whole, packed] = await Promise.all([read(name), read(`${name}.br`)])
    // The package for npm has some files in their packed form alone.
    const plain = whole ?? (packed === null ? null : await unpack(packed))
    if (plain === null) return null
    const file = { plain, packed }
    kept.set(name, file)
    return file
  }
  const answer = async (reply: FastifyReply, name: string): Promise<void> => {
    const file = await fileOf(name)
    if (file === null) {
      reply.callNotFound()
      return
    }
    const packed = takesBrotli.test(headerOf(reply.request)) ? file.packed : null
    // The names of assets contain a hash of their content.
    if (name.startsWith('assets/')) reply.header('Cache-Control', 'public, max-age=31536000, immutable')
    if (packed !== null) reply.header('Content-Encoding', 'br')
    reply
      .header('Vary', 'Accept-Encoding')
      .type(types[extname(name)]!)
      .send(packed ?? file.plain)
  }
  app.decorateReply('sendFile', function (this: FastifyReply, name: string): FastifyReply {
    if (served.test(name)) void answer(this, name)
    else this.callNotFound()
    return this
  })
  app.get('/*', (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    return reply.sendFile(`${path.slice(1)}${path === '/' || path === '/help/' ? 'index.html' : ''}`)
  })
}

const headerOf = ({ headers }: FastifyRequest): string => [headers['accept-encoding'] ?? ''].join().toLowerCase()
