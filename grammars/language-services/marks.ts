import type { Problem } from '../problem.ts'

/** The part of a text that is marked for a problem: the word at its position, or one character. */
export function markOf({ at }: Problem, text: string): { readonly from: number; readonly to: number } {
  const from = Math.min(at.offset, text.length)
  const word = /^[\w$]+/.exec(text.slice(from, from + LONGEST))?.[0].length ?? 1
  return { from, to: Math.min(from + word, text.length) }
}

/** The longest mark. */
const LONGEST = 1_000

/** The label of a remedy that replaces one text by another. */
export function remedyName(replaced: string, text: string): string {
  const shown = (part: string): string => {
    const line = part.trim().replaceAll(/\s+/g, ' ')
    return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line
  }
  if (shown(text) === '') return `Remove ${shown(replaced)}`
  return shown(replaced) === '' ? `Insert ${shown(text)}` : `Write ${shown(text)}`
}

/** The most characters of a text that a label shows. */
const SHOWN = 40
