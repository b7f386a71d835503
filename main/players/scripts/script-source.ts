/**
 * The text of a script file: UTF-8, with invalid bytes read as U+FFFD (two scripts of the Hola contest are cp1251),
 * without a byte order mark and without the text of a `#!` line. The line itself stays, so that line numbers hold.
 */
export function scriptText(file: Uint8Array | string): string {
  const text = typeof file === 'string' ? file : new TextDecoder('utf-8').decode(file)
  return text.replace(/^\uFEFF/, '').replace(/^#![^\r\n\u2028\u2029]*/, '')
}

/** True if a script asks for the current time, by its text. A name for Date of its own counts too: `const D = Date`. */
export function readsTime(source: string): boolean {
  return /\bDate\s*(?:\?\.|\.\s*now\b|\[)|\bnew\s+Date\b(?!\s*\(\s*[^)\s])|(?<!new\s+)\bDate\s*\(|=\s*Date\b|\bTemporal\s*\.\s*Now\b/.test(
    source,
  )
}
