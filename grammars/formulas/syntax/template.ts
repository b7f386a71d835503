import { parseFormula } from './parser.ts'
import type { Fault } from './parser.ts'
import { textOf } from './tokens.ts'
import type { Expression } from './tree.ts'

/**
 * Splits a sentence such as `"at most {config.maxVars} variables"` into texts and formulas. `image`: the text as
 * written, with quotes; `at`: its offset in the file; `\{` is a brace.
 */
export function readTemplate(image: string, at: number): readonly (string | Expression)[] | Fault {
  const parts: (string | Expression)[] = []
  let plain = ''
  for (let i = 1; i < image.length - 1; i++) {
    const character = image.charAt(i)
    if (character === '\\') {
      plain += textOf(`"${image.slice(i, i + 2)}"`)
      i++
    } else if (character === '{') {
      const end = closing(image, i)
      if (end < 0) return { at: at + i, message: 'This brace is not closed.', hint: 'Write \\{ for a brace itself.' }
      const formula = parseFormula(image.slice(i + 1, end), at + i + 1)
      if ('message' in formula) return formula
      parts.push(plain, formula)
      plain = ''
      i = end
    } else plain += character
  }
  parts.push(plain)
  return parts
}

function closing(image: string, open: number): number {
  let depth = 0
  for (let i = open; i < image.length; i++) {
    if (image.charAt(i) === '{') depth++
    else if (image.charAt(i) === '}' && --depth === 0) return i
  }
  return -1
}
