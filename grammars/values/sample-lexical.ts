import type { Lexical } from '../class-dictionary/built-in.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz'
/** The characters of sampled texts: common ones, and some that need an escape or more than one byte. */
const characters = Array.from(`${letters}ABCDEFXYZ0123456789 .,:;!?+-*/=<>()[]_#"'\\\n\t\u00e9\u03bb\u2192\u{1f642}`)

/**
 * A random value of a lexical class. Numbers have an absolute value of at most `size`, fractions are quarters, names
 * consist of a letter and possibly a number, other texts have up to eight characters.
 */
export function sampleLexical(
  lexical: Lexical,
  random: () => number,
  size: number,
  isName: (text: string) => boolean,
): string | number | boolean {
  switch (lexical) {
    case 'int':
      return below(2 * size + 1) - size
    case 'number':
      return (below(8 * size + 1) - 4 * size) / 4
    case 'boolean':
      return below(2) === 0
    case 'char':
      return characters[below(characters.length)]!
    case 'string':
      return text()
    case 'verbatim':
      return text().replaceAll('}', '')
    case 'ident': {
      const number = below(20)
      let name = `${letters.charAt(below(letters.length))}${number < 10 ? '' : number - 10}`
      // Terminates, because a dictionary has finitely many keywords.
      while (!isName(name)) name += letters.charAt(below(letters.length))
      return name
    }
  }

  function text(): string {
    return Array.from({ length: below(9) }, () => characters[below(characters.length)]!).join('')
  }

  function below(count: number): number {
    return Math.floor((random() / 0x1_0000_0000) * count)
  }
}
