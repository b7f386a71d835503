import { sha256 as sha256Bytes } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/**
 * SHA-256 of a text in UTF-8, as 64 lower-case hex digits. Rules run where there is no crypto module: in the window, which replays
 * matches. Half a surrogate pair counts as U+FFFD, as in every encoder.
 */
export function sha256(text: string): string {
  return bytesToHex(sha256Bytes(utf8ToBytes(text.toWellFormed())))
}
