/**
 * Removes what freezing does not protect: the last match that RegExp remembers (state that would outlive a match), the
 * machine's clock and its randomness. A script with one function of this realm reaches all its prototypes through
 * Reflect.construct.
 */
function disarm(): void {
  for (const name of Reflect.ownKeys(RegExp)) {
    if (Object.getOwnPropertyDescriptor(RegExp, name)?.get !== undefined) Reflect.deleteProperty(RegExp, name)
  }
  const clocks: readonly (readonly [object | undefined, readonly string[]])[] = [
    [Date, ['now']],
    [Date.prototype, ['constructor']],
    [Intl.DateTimeFormat.prototype, ['constructor', 'format', 'formatToParts']],
    [Math, ['random']],
    [(globalThis as { Temporal?: object }).Temporal, ['Now']],
  ]
  for (const [holder, names] of clocks) {
    for (const name of names) if (holder !== undefined) Reflect.deleteProperty(holder, name)
  }
}

/** Part of ECMAScript, but missing in our type libraries. */
declare const Iterator: { from(source: object): { map(change: (item: unknown) => unknown): object } }

/** The call stack as V8's own objects. */
function calls(): readonly NodeJS.CallSite[] {
  const before = Error.prepareStackTrace
  Error.prepareStackTrace = (_error, sites) => sites
  const sites = new Error('for its calls').stack as unknown as readonly NodeJS.CallSite[]
  Error.prepareStackTrace = before
  return sites
}

/**
 * Replaces this realm's globals with those of `fresh`, a realm of ECMAScript alone, and freezes everything that is
 * reachable from them or through syntax.
 */
export function lock(fresh: object): void {
  disarm()
  const kept = new Set(Object.getOwnPropertyNames(fresh))
  kept.delete('console')
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name)
  }
  const wrapped = Iterator.from({ next: () => ({ done: true, value: undefined }) })
  const segments = new Intl.Segmenter().segment('a')
  const found = new Set<unknown>()
  const queue: unknown[] = [
    globalThis,
    function* () {},
    async function () {},
    async function* () {},
    [][Symbol.iterator](),
    new Map()[Symbol.iterator](),
    new Set()[Symbol.iterator](),
    ''[Symbol.iterator](),
    /./[Symbol.matchAll](''),
    wrapped,
    wrapped.map((item) => item),
    segments,
    segments[Symbol.iterator](),
    // The accessors of an error's stack belong to the realm, and so do the objects in a list of calls.
    new Error('for what it has'),
    ...calls(),
  ]
  for (let next = queue.pop(); queue.length > 0 || next !== undefined; next = queue.pop()) {
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null || found.has(next)) continue
    found.add(next)
    Object.freeze(next)
    queue.push(Object.getPrototypeOf(next))
    for (const key of Reflect.ownKeys(next)) {
      const property = Object.getOwnPropertyDescriptor(next, key)
      queue.push(property?.value, property?.get, property?.set)
    }
  }
}
