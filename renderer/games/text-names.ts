import type { Json } from '../../main/contract/json.ts'

/** Characters of a text's name; see `textName` in main/contract/procedures/procedures.ts. */
const LONGEST = 64

/** A name for a text from a file: of its small letters, digits and hyphens, with a number behind it if it is taken. */
export function newTextName(fileName: string, taken: readonly string[]): string {
  const plain = fileName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  const base = plain === '' ? 'text' : plain.slice(0, LONGEST - 5)
  let name = base
  for (let number = 2; taken.includes(name); number++) name = `${base}-${number}`
  return name
}

/**
 * The ending of a file with this text, with its dot: `.xml` for XML, otherwise the first one. `accept`: as of a file
 * input, with endings first.
 */
export function textEnding(text: string, accept: string): string {
  const endings = accept.split(',').filter((item) => item.startsWith('.'))
  return (text.trimStart().startsWith('<') && endings.find((ending) => ending === '.xml')) || (endings[0] ?? '')
}

/** A text by its name, one that the class keeps under a hash in words, or a whole text by its size. */
export function shownText(text: Json | undefined): string {
  if (typeof text !== 'string') return 'none'
  if (text.startsWith('sha256:')) return 'a file without a name in this class'
  return text.includes('\n') ? `a file of ${Math.ceil(text.length / 1_000)} KB` : text
}
