import type { Json } from '../../contract/json.ts'
import type { WireEffect } from '../../contract/game/wire.ts'
import { quoted } from '../json-lines.ts'
import type { Answer } from './messages.ts'

/** A message as the protocol of 2017 has it: its length in bytes, a colon, and its JSON text. */
export function framed(value: object): Uint8Array {
  return framedText(JSON.stringify(value))
}

/** Like `framed`, for a JSON text. */
export function framedText(text: string): Uint8Array {
  const prefix = `${text.length}:`
  const bytes = encoder.encode(`${prefix}${text}`)
  // Characters beyond ASCII take more bytes than the text has units, so then the length is another.
  const length = bytes.byteLength - prefix.length
  return length === text.length ? bytes : encoder.encode(`${length}:${text}`)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/** The JSON of a whole message; a text: why it has none, in a sentence. */
export function readFramed(message: Uint8Array): { readonly value: Json } | string {
  const json = message.subarray(message.indexOf(COLON) + 1)
  let text: string
  try {
    text = decoder.decode(json)
  } catch {
    return 'A message is not UTF-8.'
  }
  try {
    return { value: JSON.parse(text) as Json }
  } catch {
    return json.length === 0 ? 'A message is empty.' : `A message of ${json.length} bytes is not JSON: ${quoted(text)}`
  }
}

const COLON = 58

/** The name in a greeting; null: the message is not a greeting. */
export function nameIn(value: Json): string | null {
  const me = fieldOf(value, 'me')
  return typeof me === 'string' ? me : null
}

/** A field of an object; undefined: there is none. */
export function fieldOf(value: Json, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, Json>>)[name] : undefined
}

/** Notes for the punter's own team. */
export function noted(notes: readonly string[] | undefined): readonly WireEffect<Answer>[] {
  return (notes ?? []).map((text) => ({ type: 'console', text: `\u25b8 ${text}` }))
}

/** Nothing can follow this: the official server made a zombie of its sender. */
export const brokenOff = (text: string): Extract<WireEffect<Answer>, { type: 'fault' }> => ({
  type: 'fault',
  fault: { kind: 'protocol', text },
  gone: true,
})

/** Like `brokenOff`, for bytes that are not a message. */
export const unreadable = (text: string): WireEffect<Answer> => ({ ...brokenOff(text), unreadable: true })
