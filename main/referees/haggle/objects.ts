/** The original's names of the types of objects. */
const OBJECTS = ['book', 'hat', 'ball', 'flower', 'bottle', 'cookie', 'hammer', 'chair', 'spoon', 'pencil'] as const

/** There are ten names; further types are numbered. */
export const nameOfType = (type: number): string => OBJECTS[type] ?? `object ${type + 1}`

/** A share in words: `2 books and 1 hat`, or `nothing`. */
export function shareInWords(share: readonly number[]): string {
  const named = share.flatMap((count, type) => (count === 0 ? [] : [plural(count, nameOfType(type))]))
  return named.length === 0 ? 'nothing' : inWords(named)
}

export const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

export function inWords(pieces: readonly string[]): string {
  const last = pieces.at(-1) ?? ''
  return pieces.length < 2 ? last : `${pieces.slice(0, -1).join(', ')} and ${last}`
}
