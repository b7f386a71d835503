import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'

/** A port of this machine that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/**
 * The addresses on which somebody listens to a port, as the kernel of Linux writes them: 0100007F is 127.0.0.1. Null: nobody does. A
 * connection would tell it, too, but some servers take one alone.
 */
export function listenersOn(port: number): readonly string[] | null {
  const lines = ['tcp', 'tcp6'].flatMap((name) => readFileSync(`/proc/net/${name}`, 'utf8').split('\n'))
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const found = lines.flatMap((line) => {
    const [, local, , state] = line.trim().split(/\s+/)
    return state === '0A' && local!.endsWith(suffix) ? [local!.slice(0, -suffix.length)] : []
  })
  return found.length === 0 ? null : found
}
