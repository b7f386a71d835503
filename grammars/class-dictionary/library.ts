/**
 * Replaces DemFGen's library if its file is missing. `List`, `Option`, `Set`, `Map` and `Entry` are built in; these are
 * its other names. If there is a file of that name, it is read instead.
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

/** The text of the library if `name` is the name of its file, in any folder; null: another file. */
export function libraryFile(name: string): string | null {
  return /^(.*\/)?lib\.java\.cd$/.test(name) ? libraryText : null
}
