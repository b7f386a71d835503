import { publicKeyText, type TrustedKey } from '../../../main/contract/histories/trusted-keys.ts'
import { nameKey, whyNoName } from '../../../main/contract/names.ts'

/** The problems of a key to be trusted, by field; '' if none. */
export interface KeyErrors {
  readonly key: string
  readonly name: string
}

/** `signedWith`: the key that it is to be, as of a history; null: any. */
export function keyErrors(
  { key, name }: TrustedKey,
  known: readonly TrustedKey[],
  signedWith: string | null,
): KeyErrors {
  return { key: keyError(key, known, signedWith), name: nameError(name, known) }
}

function keyError(key: string, known: readonly TrustedKey[], signedWith: string | null): string {
  if (!publicKeyText.safeParse(key).success)
    return 'A public key is one line: tartaglia-ed25519: and 64 digits from 0 to f.'
  const same = known.find((each) => each.key === key)
  if (same !== undefined) return `This is the key of ${same.name}.`
  return signedWith === null || key === signedWith ? '' : 'The history is signed with another key than this one.'
}

function nameError(name: string, known: readonly TrustedKey[]): string {
  const problem = whyNoName(name)
  if (problem !== null) return `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`
  const taken = known.some((each) => nameKey(each.name) === nameKey(name))
  return taken ? `There is another key with the name ${name}.` : ''
}
