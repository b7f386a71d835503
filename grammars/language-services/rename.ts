import { tokens } from '../formulas/index.ts'
import { edited } from './edits.ts'
import type { Edit } from './edits.ts'
import { thingAt } from './occurrences.ts'
import type { Thing, Things } from './occurrences.ts'
import type { ReadFile } from './dictionary-things.ts'

/** The reasons for which a name stays as it is. */
export type RenameRefusal = 'rename-nothing' | 'rename-fixed' | 'rename-broken' | 'rename-malformed' | 'rename-taken'

export type Renamed =
  | { readonly ok: true; readonly edits: readonly Edit[] }
  | { readonly ok: false; readonly code: RenameRefusal; readonly error: string }

/** The thing at an offset that a rename would change, and the part that is its name; or why it cannot be renamed. */
export function renamable(
  things: Things,
  offset: number,
):
  { readonly ok: true; readonly thing: Thing; readonly from: number; readonly to: number } | (Renamed & { ok: false }) {
  const found = thingAt(things, offset)
  if (found === null) return refused('rename-nothing', 'Nothing here has a name that can be changed.')
  const { thing, at } = found
  const isNeeded = thing.kind === 'class' && things.needed?.has(thing.name) === true
  if (isNeeded || !thing.occurrences.some(({ isDefinition }) => isDefinition))
    return refused('rename-fixed', `"${thing.name}" is a name of the language, which stays.`)
  return { ok: true, thing, from: at.from, to: at.to }
}

/**
 * The edits that give the thing at an offset another name, in the text and its included files. `thingsOf` reads the texts; it is
 * asked again with the edits made, and the rename is refused where anything but the name would change.
 */
export function rename(read: ReadFile, thingsOf: (read: ReadFile) => Things, offset: number, to: string): Renamed {
  const before = thingsOf(read)
  const found = renamable(before, offset)
  return found.ok ? renameThing(read, thingsOf, before, found.thing, to) : found
}

/** The same for one of the things of the texts as they are, which are `before`. */
export function renameThing(
  read: ReadFile,
  thingsOf: (read: ReadFile) => Things,
  before: Things,
  thing: Thing,
  to: string,
): Renamed {
  if (!before.isFine) return refused('rename-broken', 'The file has errors; a name can be changed when they are gone.')
  const pattern = thing.kind === 'league' ? /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/ : /^[A-Za-z$_][\w$]*$/
  if (!pattern.test(to) || to.length > LONGEST || (thing.kind !== 'league' && reservedWords.has(to)))
    return refused('rename-malformed', `${JSON.stringify(to.slice(0, 60))} cannot be the name of a ${thing.kind}.`)
  if (to === thing.name) return { ok: true, edits: [] }
  const edits = thing.occurrences.map(({ from, to: end, file }): Edit => {
    return { from, to: end, text: to, ...(file === undefined ? {} : { file }) }
  })
  const after = thingsOf((file) => {
    const text = read(file)
    return text === null
      ? null
      : edited(
          text,
          edits.filter((edit) => (edit.file ?? null) === file),
        )
  })
  if (!after.isFine || shapeOf(before, thing, to) !== shapeOf(after, null, ''))
    return refused('rename-taken', `"${to}" already has a meaning here; choose another name.`)
  return { ok: true, edits }
}

const LONGEST = 64

/** Words of formulas that are never names. All others that are tried mean something else only in their places. */
const reservedWords: ReadonlySet<string> = new Set(
  tokens.formulaTokens.flatMap(({ name, PATTERN }) =>
    name.startsWith('Reserved_') && typeof PATTERN === 'string' ? [PATTERN] : [],
  ),
)

/** Names and places of all things, as they are after `thing` has been renamed: equal exactly if only its name changes. */
function shapeOf({ things }: Things, renamed: Thing | null, to: string): string {
  const starts = (file: string): readonly number[] =>
    renamed?.occurrences.flatMap((one) => ((one.file ?? '') === file ? [one.from] : [])) ?? []
  const byFile = new Map<string, readonly number[]>()
  const moved = (from: number, file: string): number => {
    const known = byFile.get(file) ?? starts(file)
    byFile.set(file, known)
    let low = 0
    for (let high = known.length; low < high;) {
      const middle = (low + high) >> 1
      if (known[middle]! < from) low = middle + 1
      else high = middle
    }
    return from + low * (to.length - (renamed?.name.length ?? 0))
  }
  const lines = things.map((thing) => {
    const places = thing.occurrences.map(({ from, file = '' }) => `${file}:${moved(from, file)}`)
    return `${thing === renamed ? to : thing.name} ${places.join(' ')}`
  })
  return lines.toSorted().join('\n')
}

function refused(code: RenameRefusal, error: string): Renamed & { ok: false } {
  return { ok: false, code, error }
}
