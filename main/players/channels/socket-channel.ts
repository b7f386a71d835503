import type { Socket } from 'node:net'
import type { ByteChannel } from './channel.ts'

/** A connection as a channel. Nagle's algorithm is off: it would delay the second of two small writes by 40 ms. */
export function socketChannel(socket: Socket): ByteChannel {
  socket.setNoDelay(true)
  // Without a listener for errors a socket error would end the process.
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
      // The reader of the sign-in has paused the socket.
      socket.resume()
      socket.on('end', () => ended('closed its connection.'))
      socket.on('close', () => ended('lost its connection.'))
      // The connection may have been lost while nobody listened.
      if (socket.destroyed) queueMicrotask(() => ended('lost its connection.'))
    },
    write(bytes) {
      if (open && socket.writable) socket.write(bytes)
    },
    unread: () => socket.writableLength,
    close() {
      if (!open) return
      open = false
      // The last write, such as a farewell, is still sent.
      socket.destroySoon()
    },
  }
}
