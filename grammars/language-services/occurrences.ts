/** A name in a text, from offset `from` to `to`. `file`: an included file; absent: the text itself. */
export interface Occurrence {
  readonly from: number
  readonly to: number
  readonly isDefinition: boolean
  readonly file?: string
}

export type ThingKind = 'variable' | 'function' | 'class' | 'field' | 'setting' | 'league' | 'type parameter'

/** Something with a name, and its occurrences in the order of the text, those of the text itself first. */
export interface Thing {
  readonly kind: ThingKind
  readonly name: string
  readonly occurrences: readonly Occurrence[]
  /** The thing that describes it, for a name that the language gives: the class of `instance`. */
  readonly describedBy?: Thing
}

/** The named things of a text. `isFine`: it has no problems, so that all occurrences are known. */
export interface Things {
  readonly isFine: boolean
  readonly things: readonly Thing[]
  /** Classes whose names the language needs. */
  readonly needed?: ReadonlySet<string>
}

/** The thing whose name is at an offset of the text itself, with that occurrence; null: none. */
export function thingAt({ things }: Things, offset: number): { readonly thing: Thing; readonly at: Occurrence } | null {
  for (const thing of things) {
    const at = thing.occurrences.find(({ from, to, file }) => file === undefined && from <= offset && offset <= to)
    if (at !== undefined) return { thing, at }
  }
  return null
}

/** The places at which the thing at an offset is defined. */
export function definitionsAt(things: Things, offset: number): readonly Occurrence[] {
  const found = thingAt(things, offset)
  if (found === null) return []
  const { occurrences, describedBy } = found.thing
  const own = occurrences.filter(({ isDefinition }) => isDefinition)
  return own.length > 0 ? own : (describedBy?.occurrences.filter(({ isDefinition }) => isDefinition) ?? [])
}

interface Entry {
  readonly kind: ThingKind
  readonly name: string
  readonly occurrences: Map<string, Occurrence>
  described: string | null
}

/** Collects occurrences of things by keys, which are joined when two turn out to be one thing. */
export class Ledger {
  readonly #entries = new Map<string, Entry>()
  readonly #joined = new Map<string, string>()

  add(key: string, kind: ThingKind, name: string, at: number, isDefinition: boolean, file?: string): void {
    const entry = this.#entry(key, kind, name)
    const place = `${file ?? ''}:${at}`
    const isKnown = entry.occurrences.get(place)?.isDefinition === true
    const occurrence = { from: at, to: at + name.length, isDefinition: isDefinition || isKnown }
    entry.occurrences.set(place, file === undefined ? occurrence : { ...occurrence, file })
  }

  join(one: string, other: string): void {
    const [a, b] = [this.#root(one), this.#root(other)]
    if (a !== b) this.#joined.set(b, a)
  }

  /** The thing `key` is described by another. */
  describe(key: string, kind: ThingKind, name: string, by: string): void {
    this.#entry(key, kind, name).described ??= by
  }

  /** All things. `isThere`: false for an occurrence that is not in the text. */
  things(isThere: (occurrence: Occurrence, name: string) => boolean): readonly Thing[] {
    const merged = new Map<string, Entry>()
    for (const [key, entry] of this.#entries) {
      const root = this.#root(key)
      const into = merged.get(root)
      if (into === undefined) merged.set(root, { ...entry, occurrences: new Map(entry.occurrences) })
      else {
        for (const [place, one] of entry.occurrences) {
          const known = into.occurrences.get(place)
          into.occurrences.set(place, known?.isDefinition === true ? known : one)
        }
        into.described ??= entry.described
      }
    }
    const made = new Map<string, Thing>()
    const thingOf = (key: string): Thing | undefined => {
      const known = made.get(key)
      const entry = merged.get(key)
      if (known !== undefined || entry === undefined) return known
      const { kind, name, occurrences, described } = entry
      const there = [...occurrences.values()].filter((one) => isThere(one, name)).toSorted(inOrder)
      const describedBy = described === null ? undefined : thingOf(this.#root(described))
      const thing = { kind, name, occurrences: there, ...(describedBy === undefined ? {} : { describedBy }) }
      made.set(key, thing)
      return thing
    }
    return [...merged.keys()].flatMap((key) => thingOf(key) ?? []).filter(({ occurrences }) => occurrences.length > 0)
  }

  #entry(key: string, kind: ThingKind, name: string): Entry {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = { kind, name, occurrences: new Map(), described: null }
    this.#entries.set(key, entry)
    return entry
  }

  #root(key: string): string {
    let root = key
    for (let next = this.#joined.get(root); next !== undefined; next = this.#joined.get(root)) root = next
    return root
  }
}

function inOrder(a: Occurrence, b: Occurrence): number {
  const [one, other] = [a.file ?? '', b.file ?? '']
  return one === other ? a.from - b.from : one < other ? -1 : 1
}
