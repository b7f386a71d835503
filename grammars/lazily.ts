/** Returns a function that creates a value on the first call and then returns it: most programs need few languages. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
