import type { WireEffect } from '../../../main/contract/game/wire.ts'
import type { Json } from '../../../main/contract/json.ts'

const encoder = new TextEncoder()

export const lineOf = (value: Json): Uint8Array => encoder.encode(`${JSON.stringify(value)}\n`)

/** Collects chunks and gives whole lines as values; null stands for a line that is not JSON. */
export function lineReader(): { read(chunk: Uint8Array): (Record<string, Json> | null)[]; clear(): void } {
  let decoder = new TextDecoder()
  let text = ''
  return {
    read(chunk) {
      text += decoder.decode(chunk, { stream: true })
      const lines = text.split('\n')
      text = lines.pop() ?? ''
      return lines.map((line) => {
        try {
          return JSON.parse(line) as Record<string, Json>
        } catch {
          return null
        }
      })
    },
    clear() {
      decoder = new TextDecoder()
      text = ''
    },
  }
}

export const broken = (gone: boolean): WireEffect<Json> => ({
  type: 'fault',
  fault: { kind: 'protocol', text: 'A line is not JSON.' },
  gone,
})
