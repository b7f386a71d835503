/**
 * What freezing does not stop: the last match that RegExp remembers (state that would outlive a match), the machine's clock
 * and its chance. Who has one function of this realm reaches every prototype of it through Reflect.construct.
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

/**
 * Leaves this realm with the globals of `fresh`, a realm of ECMAScript alone, and freezes everything that can be reached
 * from them or from syntax.
 */
export function lock(fresh: object): void {
  disarm()
  const kept = new Set(Object.getOwnPropertyNames(fresh))
  kept.delete('console')
  for (const name of Object.getOwnPropertyNames(globalThis)) {
    if (!kept.has(name)) Reflect.deleteProperty(globalThis, name)
  }
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
