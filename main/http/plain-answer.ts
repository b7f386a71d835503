import type { Duplex } from 'node:stream'

/** Headers of answers that are not pages: nothing may be loaded, framed, guessed or kept. */
export const plainHeaders = {
  'Content-Type': 'text/plain; charset=utf-8',
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

/** The same as lines of a head. */
export const plainHeaderLines: readonly string[] = Object.entries(plainHeaders).map(
  ([name, value]) => `${name}: ${value}`,
)

/** Writes a whole answer to a connection whose request Node could not read, and closes it. */
export function answerPlainly(socket: Duplex, status: string, text: string): void {
  if (socket.destroyed || !socket.writable) return
  const length = `Content-Length: ${Buffer.byteLength(text)}`
  const head = [`HTTP/1.1 ${status}`, ...plainHeaderLines, length, 'Connection: close']
  socket.once('finish', () => socket.destroy())
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
