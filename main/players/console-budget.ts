/** What is kept of what an agent prints in a match. */
export interface ConsoleRoom {
  /** The part of a text that still fits, perhaps empty; behind the part that does not, a word says so, once. */
  take(text: string): string
}

/** Room for so many bytes of UTF-8. */
export function consoleRoom(most: number): ConsoleRoom {
  let room = most
  return {
    take(text) {
      if (room < 0) return ''
      const bytes = Buffer.from(text.toWellFormed(), 'utf8')
      if (bytes.length <= room) {
        room -= bytes.length
        return bytes.toString('utf8')
      }
      const kept = wholeCharacters(bytes, room)
      room = -1
      return `${kept}\n[the rest of the console was dropped]\n`
    },
  }
}

/** The longest beginning within `room` bytes that ends with a whole character. */
function wholeCharacters(bytes: Buffer, room: number): string {
  let end = room
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end -= 1
  return bytes.subarray(0, end).toString('utf8')
}
