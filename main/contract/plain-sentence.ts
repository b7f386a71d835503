/** An absolute path of two folders and more, at the beginning of a word; its last part is the second group. */
const PATH = /(^|[\s"“(])(?:[A-Za-z]:)?(?:[\\/][^\s"”:,;()\\/]+)+[\\/]([^\s"”:,;()\\/]+)/g
/** The hash of a package, a key or a seed. Fingerprints stay whole, because people compare them. */
const HASH = /(?<!fingerprint (?:is )?)\b([0-9a-f]{8})[0-9a-f]{56}\b/g

/** A sentence with hashes by their first eight digits. */
export const withoutHashes = (message: string): string => message.replace(HASH, '$1…')

/** A sentence for a person: files by their names alone, hashes by their first eight digits. */
export function plainSentence(message: string): string {
  return withoutHashes(message.replace(PATH, '$1$2'))
}
