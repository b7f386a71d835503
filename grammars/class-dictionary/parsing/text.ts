/**
 * The value of a quoted text, with \n \t \b \r \f \\ \' \" and octal escapes as in Java. `image`: valid, with its
 * quotes.
 */
export function decodeText(image: string): string {
  const inner = image.slice(1, -1)
  if (!inner.includes('\\')) return inner
  return inner.replace(/\\([0-3][0-7]{0,2}|[4-7][0-7]?|.)/g, (_, escaped: string) => {
    const letter = 'ntbrf'.indexOf(escaped)
    if (letter !== -1) return '\n\t\b\r\f'.charAt(letter)
    return escaped >= '0' && escaped < '8' ? String.fromCharCode(parseInt(escaped, 8)) : escaped
  })
}

/** The quoted text that `decodeText` reads back; control characters are escaped, everything else is unchanged. */
export function encodeText(text: string): string {
  // eslint-disable-next-line no-control-regex
  const escaped = text.replace(/[\u0000-\u001f\u007f"\\]/g, (c) => {
    const letter = '\n\t\b\r\f"\\'.indexOf(c)
    return letter === -1 ? `\\${c.charCodeAt(0).toString(8).padStart(3, '0')}` : `\\${'ntbrf"\\'.charAt(letter)}`
  })
  return `"${escaped}"`
}
