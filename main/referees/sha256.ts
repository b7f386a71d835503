import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/**
 * SHA-256 of a text in UTF-8, as 64 lower-case hex digits. Rules also run without a crypto module: in the window, which
 * replays matches, and in an agent's realm, which has only ECMAScript. A lone surrogate counts as U+FFFD, as in every
 * encoder.
 */
export function sha256(text: string): string {
  return bytesToHex(sha256Bytes(utf8(text.toWellFormed())))
}

/** A realm has no TextEncoder. */
function utf8(text: string): Uint8Array {
  const ascii = new Uint8Array(text.length)
  let highest = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    ascii[at] = code
    highest |= code
  }
  if (highest < 128) return ascii
  const bytes = encodeURIComponent(text).matchAll(/%(..)|./g)
  return Uint8Array.from(bytes, ([char, hex]) => (hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16)))
}
