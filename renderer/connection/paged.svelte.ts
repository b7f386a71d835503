import { untrack } from 'svelte'
import { SvelteMap } from 'svelte/reactivity'
import type { Page } from '../../main/contract/procedures/procedures.ts'
import type { CallFailure } from './client.ts'
import { link } from './link.svelte.ts'
import { asFailure, showsUnread } from './resource.svelte.ts'

/** A list of any length, of which only the parts shown are loaded. */
export interface Paged<T> {
  /** undefined until the first page has been loaded. */
  readonly total: number | undefined
  readonly failure: CallFailure | null
  /** undefined: not loaded yet; `need` loads it. */
  at(index: number): T | undefined
  /** Loads the missing items from `from` to `to` (exclusive). */
  need(from: number, to: number): void
  reload(): void
  /** Loads again what is loaded. Each item stays until its new version is there. */
  refresh(): void
}

const size = 100

/**
 * Loads the first page now, when what `load` reads synchronously changes, and on reconnection. Old items stay until the new
 * first page has been loaded. Call only during component initialization.
 */
export function paged<T>(load: (offset: number, limit: number) => Promise<Page<T>>): Paged<T> {
  const parts = new SvelteMap<number, readonly T[]>()
  const underway = new Set<number>()
  let total = $state<number>()
  let failure = $state.raw<CallFailure | null>(null)
  let asked = $state(0)
  let edition = 0
  const unread = showsUnread()

  /** Pages of large items may be shorter than requested. */
  async function whole(offset: number): Promise<Page<T>> {
    let page = await load(offset, size)
    const items = [...page.items]
    while (page.items.length > 0 && items.length < Math.min(size, page.total - offset)) {
      page = await load(offset + items.length, size - items.length)
      items.push(...page.items)
    }
    return { ...page, items }
  }

  function fetch(part: number, mine: number, others: 'keep' | 'drop' = 'drop'): void {
    if (underway.has(part)) return
    underway.add(part)
    whole(part * size).then(
      (page) => {
        if (mine !== edition) return
        if (part === 0 && others === 'drop') parts.clear()
        parts.set(part, page.items)
        underway.delete(part)
        total = page.total
        failure = null
      },
      (reason: unknown) => {
        if (mine !== edition) return
        underway.delete(part)
        failure = asFailure(reason)
        unread.came(failure)
      },
    )
  }

  $effect(() => {
    void asked
    void link.epoch
    underway.clear()
    fetch(0, ++edition)
  })
  $effect(() => () => void (edition += 1))

  return {
    get total() {
      return total
    },
    get failure() {
      unread.read()
      return failure
    },
    at: (index) => parts.get(Math.floor(index / size))?.[index % size],
    need(from, to) {
      for (let part = Math.floor(from / size); part * size < to; part++) if (!parts.has(part)) fetch(part, edition)
    },
    refresh() {
      for (const part of untrack(() => [...parts.keys()])) fetch(part, edition, 'keep')
    },
    reload() {
      // An effect that calls `reload` must not depend on this counter.
      asked = untrack(() => asked) + 1
    },
  }
}
