/** Gives what `make` makes, which it does when it is first asked for: most programs never read most languages. */
export function lazily<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
