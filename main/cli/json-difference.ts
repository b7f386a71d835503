import type { Json } from '../contract/json.ts'

/** The maximum number of differing parts that are listed. */
const PARTS_MAX = 8
/** The maximum number of characters of a value that are shown. */
const SHOWN_MAX = 160

/**
 * The parts in which two values differ, a line each: `actions[0].price: 1/2 in the history, 1/3 from the agent`; none if they are
 * equal. A value that only one of them has is `nothing` in the other.
 */
export function differenceLines(recorded: Json, answered: Json): readonly string[] {
  const parts: string[] = []
  let more = 0
  const compare = (a: Json | undefined, b: Json | undefined, path: string): void => {
    if (isTree(a) && isTree(b) && Array.isArray(a) === Array.isArray(b)) {
      const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
      for (const key of new Set([...left.keys(), ...right.keys()]))
        compare(left.get(key), right.get(key), Array.isArray(a) ? `${path}[${key}]` : `${path}${path && '.'}${key}`)
    } else if (a !== b) {
      if (parts.length < PARTS_MAX)
        parts.push(`${path === '' ? '' : `${path}: `}${shown(a)} in the history, ${shown(b)} from the agent`)
      else more += 1
    }
  }
  compare(recorded, answered, '')
  return more === 0 ? parts : [...parts, `and ${more} more`]
}

const isTree = (value: Json | undefined): value is Json[] | { [key: string]: Json } =>
  typeof value === 'object' && value !== null

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX).toWellFormed()}... (${text.length} characters)`
}
