import { challengeName } from '../../../main/contract/procedures/procedures.ts'

/** The head of a file: the name is between the two groups. */
const head = /^((?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*challenge[ \t]+)([A-Za-z0-9-]*)/

/** The name stated in a challenge file; null if there is none or it is not valid. */
export function nameIn(source: string): string | null {
  const name = head.exec(source.slice(0, 10_000))?.[2]
  return name !== undefined && challengeName.safeParse(name).success ? name : null
}

/** The file with another name; unchanged if it states none. */
export function renamed(source: string, name: string): string {
  return source.replace(head, (_, before: string) => before + name)
}

/** The problem of a name for a challenge of the class; '' if none. */
export function nameProblem(name: string, taken: readonly string[]): string {
  if (name === '') return 'A challenge needs a name.'
  if (name === 'new') return 'The name “new” is reserved.'
  if (name.length > 64) return 'A name has at most 64 characters.'
  if (!challengeName.safeParse(name).success) return 'Use lower-case letters and digits, with “-” between words.'
  return taken.includes(name) ? `There already is a challenge “${name}”.` : ''
}

/** A free name, as close as possible to another one. */
export function freeChallengeName(name: string, taken: readonly string[]): string {
  const base = challengeName.safeParse(name).success ? name.slice(0, 58).replace(/-+$/, '') : 'challenge'
  if (!taken.includes(base)) return base
  for (let n = 2; ; n++) {
    if (!taken.includes(`${base}-${n}`)) return `${base}-${n}`
  }
}

/** A challenge name derived from a file name. */
export function nameFromFile(fileName: string): string {
  return fileName
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
}

/** The text for students in a file, even if the rest has errors; '' if there is none. */
export function proseIn(source: string): string {
  const block = /^[ \t]*text\s*\{\{([^]*?)\}\}/m.exec(source)?.[1] ?? ''
  const lines = block.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0].length)
  const common = Math.min(...indents, 40)
  return lines
    .map((line) => line.slice(common))
    .join('\n')
    .trim()
}
