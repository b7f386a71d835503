import type { Socket } from 'node:net'
import type { Channel } from './channel.ts'

/** A connection as a channel. Without Nagle's delay: two small writes would wait 40 ms for each other. */
export function socketChannel(socket: Socket): Channel {
  socket.setNoDelay(true)
  // A socket without a listener for errors would end the process.
  socket.on('error', () => undefined)
  let open = true
  return {
    start({ data, end }) {
      const ended = (text: string): void => {
        if (!open) return
        open = false
        socket.destroy()
        end({ text })
      }
      socket.on('data', (chunk: Uint8Array) => {
        if (open) data(chunk)
      })
      socket.on('error', (error) => ended(`lost its connection (${error.message}).`))
      // Whoever read a sign-in from it has paused it.
      socket.resume()
      socket.on('end', () => ended('closed its connection.'))
      socket.on('close', () => ended('lost its connection.'))
      // It may have died while nobody listened.
      if (socket.destroyed) queueMicrotask(() => ended('lost its connection.'))
    },
    write(bytes) {
      if (open && socket.writable) socket.write(bytes)
    },
    unread: () => socket.writableLength,
    close() {
      if (!open) return
      open = false
      // What was written last, a farewell say, still goes out.
      socket.destroySoon()
    },
  }
}
