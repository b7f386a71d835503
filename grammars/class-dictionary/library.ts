/**
 * What stands in for DemFGen's library where its file is not at hand. `List`, `Option`, `Set`, `Map` and `Entry` are built
 * in; these are the names beside them. A file of that name that is at hand is read instead.
 */
const libraryText = `
Cons(X) = <first> X <rest> List(X).
Empty(X) = .
Some(X) = <just> X.
None(X) = .
ListMap(K, V) = <list> List(Entry(K, V)).
ListSet(X) = <list> List(X).
extern interface Comparable(X) = .
`

/** The text of the library where `name` is the name of its file, in whatever folder; null: it is another file. */
export function libraryFile(name: string): string | null {
  return /^(.*\/)?lib\.java\.cd$/.test(name) ? libraryText : null
}
