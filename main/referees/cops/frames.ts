import { endedBy } from '../framings.ts'

/** Bytes of a line: a word, five tokens of 100 characters and what separates them, with room for what is malformed. */
const LINE_BYTES = 1_000

/** Characters of a message: two sections of 1000 lines, with room for what is malformed. */
const MESSAGE_CHARACTERS = 2_100_000

/** Cuts a stream of bytes into messages. */
export interface MessageReader {
  /** The messages that are complete, with their line ends; a string: why nothing more can be read. */
  read(chunk: Uint8Array): readonly string[] | string
}

/**
 * A message is one line or, if its first word ends with a backslash, the lines up to the one that closes it; whether it is well
 * formed is for the grammar to say. The text around these words is not looked at here, so that a message with a space too many
 * is found malformed at once, as one. Bytes above 127 become characters that no token has.
 */
export function messageReader(): MessageReader {
  const lines = endedBy(10, LINE_BYTES)
  const decoder = new TextDecoder('latin1')
  let text = ''
  let end: string | null = null
  return {
    read(chunk) {
      const found = lines.read(chunk)
      if (typeof found === 'string') return found
      const messages: string[] = []
      for (const bytes of found) {
        const line = decoder.decode(bytes)
        const word = line.trimStart()
        const opened = end === null ? /^[a-z]+(?=\\)/i.exec(word) : null
        if (opened !== null) end = `${opened[0]}/`
        text += line
        if (text.length > MESSAGE_CHARACTERS) return `A message has more than ${MESSAGE_CHARACTERS} characters.`
        if (end !== null && !word.startsWith(end)) continue
        messages.push(text)
        text = ''
        end = null
      }
      return messages
    },
  }
}
