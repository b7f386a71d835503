import type { HistoryVerdict } from '../../contract/procedures/procedures.ts'
import type { Signer } from '../../contract/histories/trusted-keys.ts'
import type { VerifiedMatch, VerifyVerdict } from '../../histories/verify.ts'
import { signerOf, type KnownSigners } from './known-signers.ts'
import { checkedEntries } from './verify-histories.ts'

/** A verdict in sentences, with the signer's name if it is known. */
export function verdictInWords(verdict: VerifyVerdict, known: KnownSigners): HistoryVerdict {
  if (!verdict.ok) return verdict
  const { contest, match, key, replayed, practice, notes, redacted } = verdict.match
  const signer = signerOf(key, known)
  const left =
    redacted === 0 ? [] : [`${redacted} private lines of what agents printed are left out; their hashes were checked.`]
  return {
    ok: true,
    contest,
    match,
    signer,
    replayed,
    checked: checkedIn(verdict.match, signer),
    entries: checkedEntries(verdict.match, known).map(({ seat, name, statement, signer: by }) => {
      const { school, package: agent, submitted, name: pseudonym } = statement
      return { seat, name, pseudonym, school, agent, submitted, signer: by }
    }),
    notes: [...notes, ...(practice ? ['This is a match of practice: its result does not count.'] : []), ...left],
  }
}

/** Describes the check of a revealed seed. */
function revealedSentence({ seed, phrase }: NonNullable<VerifiedMatch['revealed']>): string {
  const mixed = phrase === null ? '' : `, and from the phrase "${phrase}" of the class`
  return `It follows from the seed of the contest, "${seed}", to which the class was committed before the start${mixed}.`
}

function checkedIn(
  { lines, inputs, count, game, version, replayed, revealed }: VerifiedMatch,
  { name }: Signer,
): readonly string[] {
  return [
    `All ${lines} lines are complete, in order and unchanged: each is bound to those before it by SHA-256.`,
    'The seed is the one that was committed to before the match began.',
    ...(revealed === null ? [] : [revealedSentence(revealed)]),
    ...(replayed
      ? [
          `All ${inputs} inputs were played again through the rules of ${game}, version ${version}: every recorded state hash and the outcome are the same.`,
        ]
      : []),
    `The match is one of the ${count} finished matches under the contest's root.`,
    name === null ? 'The root is signed with the key in the file.' : `The root is signed with the key of ${name}.`,
  ]
}
