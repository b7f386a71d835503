import { basename, resolve } from 'node:path'
import { ExpectedError } from '../contract/expected-error.ts'
import { countersOf, summedFigures, type ClassFigures } from '../operator/class-metrics.ts'
import { classesBeside, createClassShelf, samePlace, type ClassShelf } from './class-shelf.ts'
import type { ClassroomService } from './classroom-service.ts'
import { makeSampleTerm } from './sample-term/sample-term.ts'

/** A class that is served. */
interface Served {
  readonly service: Pick<ClassroomService, 'figures'>
  newAddress(): string
  close(): Promise<void>
}

/** The classes that one program serves, each by a server of its own. */
export interface ServedClasses {
  readonly shelf: ClassShelf
  /**
   * The figures of those that were opened from the first one; the counters alone of one that cannot tell its figures any more, and the sums of
   * those of all that are closed again.
   */
  figures(): Promise<readonly ClassFigures[]>
  /** Closes those that were opened from the first one. */
  close(): Promise<void>
}

/** `first`: the class that the program serves at first; `serve`: serves another one, at a free port. */
export function createServedClasses(
  first: Pick<Served, 'newAddress'> & { readonly data: string },
  serve: (data: string, shelf: ClassShelf) => Promise<Served>,
): ServedClasses {
  const begun = resolve(first.data)
  /** By their folders without links: one that is named by another path is not served twice. */
  const others = new Map<string, { readonly folder: string; readonly serving: Promise<Served> }>()
  /** Those that are being closed: their folders are free afterwards. */
  const ending = new Map<string, Promise<void>>()
  /** Those of `others` that are open: nobody waits for the figures of one that is being opened. */
  const opened = new Set<Served>()
  /** The figures of each of these, once it has told them. */
  const last = new Map<Served, ClassFigures>()
  /** The sums of the counters of those that are closed; empty: none was. */
  let closed: readonly ClassFigures[] = []
  let isClosing = false

  /** Keeps the figures of a class, or of those that it told before the counters. */
  const look = async (served: Served): Promise<void> => {
    const before = last.get(served)
    const figures = await served.service.figures().catch(() => before && countersOf(before))
    if (figures !== undefined && opened.has(served)) last.set(served, figures)
  }

  function end(place: string): Promise<void> {
    const serving = others.get(place)?.serving
    const known = ending.get(place) ?? Promise.resolve()
    if (serving === undefined) return known
    others.delete(place)
    const ended = serving
      .then(async (served) => {
        await look(served)
        const told = last.get(served)
        if (told !== undefined) closed = [summedFigures([...closed, countersOf(told)])]
        last.delete(served)
        opened.delete(served)
        return served.close()
      })
      .finally(() => ending.delete(place))
    // The caller of `close` gets the error.
    const settled = ended.catch(() => undefined)
    ending.set(place, settled)
    return ended
  }

  const shelf = createClassShelf({
    opens: 'beside',
    home: classesBeside(begun),
    makeSample: makeSampleTerm,
    known: () =>
      [...[...others.values()].map(({ folder }) => folder).reverse(), begun].map((folder) => ({
        folder,
        name: basename(folder),
      })),
    beside: { isOpen: (place) => others.has(place), close: end },
    async show(folder, place) {
      if (samePlace(folder, begun)) return first.newAddress()
      await ending.get(place)
      if (isClosing) throw new ExpectedError('stopped', 'classroom-closed', 'The program is being closed.')
      const { serving } = others.get(place) ?? { serving: serve(folder, shelf) }
      if (!others.has(place)) others.set(place, { folder, serving })
      // It can be tried again.
      serving.catch(() => others.delete(place))
      const served = await serving
      opened.add(served)
      return served.newAddress()
    },
  })
  return {
    shelf,
    async figures() {
      await Promise.all([...opened].map(look))
      return [...last.values(), ...closed]
    },
    async close() {
      isClosing = true
      // Each may take as long as a service manager waits for all of them.
      await Promise.all([
        ...ending.values(),
        ...[...others.values()].map(({ serving }) => serving.then(({ close }) => close()).catch(() => undefined)),
      ])
    },
  }
}
