/** 256 unpredictable bits as 64 hexadecimal digits. */
export function randomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
