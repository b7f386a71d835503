import { basename, resolve } from 'node:path'
import { classesBeside, createClassShelf, type ClassShelf } from './class-shelf.ts'
import { makeSampleTerm } from './sample-term/sample-term.ts'

/** A class that is served. */
interface Served {
  newAddress(): string
  close(): Promise<void>
}

/** The classes that one program serves, each by a server of its own. */
export interface ServedClasses {
  readonly shelf: ClassShelf
  /** Closes those that were opened from the first one. */
  close(): Promise<void>
}

/** `first`: the class that the program serves at first; `serve`: serves another one, at a free port. */
export function createServedClasses(
  first: Pick<Served, 'newAddress'> & { readonly data: string },
  serve: (data: string, shelf: ClassShelf) => Promise<Served>,
): ServedClasses {
  const begun = resolve(first.data)
  const others = new Map<string, Promise<Served>>()
  const shelf = createClassShelf({
    opens: 'beside',
    home: classesBeside(begun),
    makeSample: makeSampleTerm,
    known: () => [...[...others.keys()].reverse(), begun].map((folder) => ({ folder, name: basename(folder) })),
    async show(folder) {
      if (folder === begun) return first.newAddress()
      const serving = others.get(folder) ?? serve(folder, shelf)
      others.set(folder, serving)
      // It can be tried again.
      serving.catch(() => others.delete(folder))
      return (await serving).newAddress()
    },
  })
  return {
    shelf,
    async close() {
      for (const serving of others.values()) await serving.then(({ close }) => close()).catch(() => undefined)
    },
  }
}
