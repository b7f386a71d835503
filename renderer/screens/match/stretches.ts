import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { Json } from '../../../main/contract/json.ts'
import type { MatchEvent, Page } from '../../../main/contract/procedures/procedures.ts'
import type { FoldedStretch } from '../../games/fold.ts'

/** A match's stretches, fetched and folded on demand; the least recently used ones are dropped. */
export interface Stretches<V, D> {
  /** The digest of an event; null: hidden from the viewer; undefined until it has been fetched; asking for it fetches it. For use in reactive code. */
  digest(event: number): D | null | undefined
  /** As `digest`, and waits. Rejects where the program cannot read it. */
  digestOf(event: number): Promise<D | null>
  viewAt(position: number): Promise<V>
  /** The digests of events that did not happen, as if they followed the first `first` events of the match. */
  otherwise(first: number, events: readonly MatchEvent[]): Promise<readonly (D | null)[]>
}

/** The source of stretches. */
export interface Origin<V, D> {
  /** Positions of saved states, rising; it may grow. */
  readonly states: readonly number[]
  /** Events that are known; it may grow. */
  known(): number
  state(position: number): Promise<{ readonly position: number; readonly state: Json } | null>
  events(offset: number, limit: number): Promise<Page<MatchEvent>>
  fold(from: number, saved: Json | null, events: readonly MatchEvent[]): FoldedStretch<V, D>
}

/** Stretches kept, each of some hundred events. */
const KEPT = 64
/** Events per request. */
const PAGE = 500

export function createStretches<V, D>(origin: Origin<V, D>): Stretches<V, D> {
  const kept = new SvelteMap<number, FoldedStretch<V, D>>()
  /** The starts of those kept, least recently used first. */
  const used = new Set<number>()
  const coming = new Map<number, { readonly to: number; readonly stretch: Promise<FoldedStretch<V, D>> }>()

  /** The start of an event's stretch, and that of the next one. */
  function extent(event: number): readonly [from: number, to: number] {
    const { states } = origin
    let [low, high] = [0, states.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (states[middle]! <= event) low = middle + 1
      else high = middle
    }
    return [states[low - 1] ?? 0, Math.min(states[low] ?? Infinity, origin.known())]
  }

  function touch(from: number): void {
    used.delete(from)
    used.add(from)
  }

  /** Folds events up to `to`, and then `more`. */
  async function foldFrom(from: number, to: number, more: readonly MatchEvent[] = []): Promise<FoldedStretch<V, D>> {
    const [saved, events] = await Promise.all([from === 0 ? null : origin.state(from), read(from, to)])
    if (from !== 0 && saved?.position !== from) throw new Error(`The state at event ${from} is no longer available.`)
    return origin.fold(from, saved?.state ?? null, [...events, ...more])
  }

  async function fetch(from: number, to: number): Promise<FoldedStretch<V, D>> {
    const stretch = await foldFrom(from, to)
    kept.set(from, stretch)
    touch(from)
    for (const oldest of used) {
      if (used.size <= KEPT) break
      used.delete(oldest)
      kept.delete(oldest)
    }
    return stretch
  }

  /** Pages of large events are shorter than requested. */
  async function read(from: number, to: number): Promise<MatchEvent[]> {
    const events: MatchEvent[] = []
    while (from + events.length < to) {
      const at = from + events.length
      const { items } = await origin.events(at, Math.min(PAGE, to - at))
      if (items.length === 0) throw new Error(`Event ${at + 1} is no longer available.`)
      events.push(...items)
    }
    return events
  }

  /** The stretch of an event, as far as it is known. Waiting for it creates no reactive dependency. */
  const stretchOf = (event: number): Promise<FoldedStretch<V, D>> => untrack(() => stretchAt(event))

  function stretchAt(event: number): Promise<FoldedStretch<V, D>> {
    const [from, to] = extent(event)
    const here = kept.get(from)
    const enough = here !== undefined && event < here.from + here.digests.length
    if (here !== undefined && (enough || here.broken !== null || event >= origin.known())) {
      touch(from)
      return Promise.resolve(here)
    }
    const known = coming.get(from)
    // A pending stretch may have been requested when fewer events were known.
    if (known !== undefined) return event < known.to ? known.stretch : known.stretch.then(() => stretchOf(event))
    const stretch = fetch(from, to).finally(() => coming.delete(from))
    coming.set(from, { to, stretch })
    return stretch
  }

  return {
    digest(event) {
      const [from] = extent(event)
      const digest = kept.get(from)?.digests[event - from]
      if (digest !== undefined) touch(from)
      else if (event < origin.known()) stretchOf(event).catch(() => undefined)
      return digest
    },
    async digestOf(event) {
      const stretch = await stretchOf(event)
      const digest = stretch.digests[event - stretch.from]
      if (digest === undefined) throw new Error(stretch.broken ?? `Event ${event + 1} is not known yet.`)
      return digest
    },
    async otherwise(first, events) {
      const [from] = extent(first)
      const { digests, broken } = await foldFrom(from, first, events)
      if (broken !== null) throw new Error(broken)
      return digests.slice(first - from)
    },
    async viewAt(position) {
      const stretch = await stretchOf(Math.max(0, position - 1))
      return stretch.viewAt(Math.min(position, stretch.from + stretch.digests.length))
    },
  }
}
