/** Connections of somebody who has not yet said who they are, oldest first. */
export interface Unidentified<C> {
  add(connection: C, address: string): void
  delete(connection: C): void
  connections(): Iterable<C>
}

/**
 * Holds at most `most` connections. Beyond that, the oldest connection of the address with the most is dismissed, so
 * that no address can keep others out, and a crowd of silent connections nobody of its own address.
 */
export function createUnidentified<C>(most: number, dismiss: (connection: C) => void): Unidentified<C> {
  const all = new Map<C, string>()
  return {
    add(connection, address) {
      all.set(connection, address)
      if (all.size <= most) return
      const byAddress = Map.groupBy(all, ([, from]) => from)
      const [crowd] = [...byAddress.values()].sort((a, b) => b.length - a.length)
      const [oldest] = crowd![0]!
      all.delete(oldest)
      dismiss(oldest)
    },
    delete: (connection) => void all.delete(connection),
    connections: () => all.keys(),
  }
}
