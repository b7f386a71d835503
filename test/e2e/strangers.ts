import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An agent that walks and talks. */
export const baby = readFileSync(join(import.meta.dirname, '../../dist/agents/specker/baby.js'), 'utf8')

/** Text that would be more than text if anything took it for more: HTML, a script, turned lines, a terminal's colours. */
export const evil = '<img src=x onerror=alert(1)><script>alert(2)</script>\u202Egnp.exe\u001B[31m red'
/** How it is shown. */
export const evilShown = '<img src=x onerror=alert(1)><script>alert(2)</script>‹U+202E›gnp.exe‹U+001B›[31m red'

/** The baby, that prints evil text and a line of a million characters in every match. */
export const printing = `console.log(${JSON.stringify(evil)}); console.log('x'.repeat(1_000_000));\n${baby}`
/** The baby, that thinks for some tenths of a second a turn: nobody has to hurry. */
export const slow = `${baby}\nconst Quick = module.exports
  module.exports = class extends Quick {
    turn(...given) { let n = 0; for (let i = 0; i < 100_000_000; i++) n = (n * 31 + i) | 0; return n === 7 ? [] : super.turn(...given) }
  }`
/** Throws evil text as soon as it is to play. */
export const throwing = `throw new Error(${JSON.stringify(evil)})`

/** A file as a file dialog hands it over. */
export function file(name: string, text: string): { name: string; mimeType: string; buffer: Buffer } {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(text) }
}
