import { createHash, X509Certificate } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import * as z from 'zod'
import { ExpectedError } from '../../contract/expected-error.ts'
import { sha256Hex } from '../../contract/ids.ts'

/** The certificate by which a class is known again: the SHA-256 of it, which the educator shows, and that of its public key. */
export const certificatePin = z.strictObject({ fingerprint: sha256Hex, key: sha256Hex })
export type CertificatePin = z.infer<typeof certificatePin>

/** The certificate that a server has shown. */
export interface ShownCertificate extends CertificatePin {
  /** True if this system knows its issuer and it is made out for the address. */
  readonly isKnown: boolean
}

/** The kept certificate of a class. `undefined`: none was shown yet. `null`: this system knows its issuer. */
export type KnownCertificate = CertificatePin | null | undefined

/**
 * The certificate to keep after a server has shown one. A self-made one is pinned at first; later the same certificate, or another one
 * with the same key, as a class makes it once a year or at a new address, is accepted. `expected`: the fingerprint that the person has
 * from the educator, which decides alone. Throws ExpectedError `certificate-changed`.
 */
export function certificateToKeep(
  { isKnown, fingerprint, key }: ShownCertificate,
  known: KnownCertificate,
  expected: string | null,
): CertificatePin | null {
  const shown = `The certificate that answers has the fingerprint ${groupsOf(fingerprint)}`
  if (expected !== null) {
    if (expected !== fingerprint)
      throw changed(`${shown}, and not the one that you gave with --fingerprint. Nothing was sent.`)
    return { fingerprint, key }
  }
  if (known === undefined) return isKnown ? null : { fingerprint, key }
  if (known === null) {
    if (isKnown) return null
    throw changed(
      `Until now this class had a certificate that this system knows. ${shown}, which is self-made. Nothing was sent. ${advice}`,
    )
  }
  if (known.key === key) return { fingerprint, key }
  throw changed(
    `The certificate of the class has changed: until now it had the fingerprint ${groupsOf(known.fingerprint)}. ${shown}. ` +
      `Somebody else may answer in its place. Nothing was sent. ${advice}`,
  )
}

const advice = 'Ask the educator: if that is the fingerprint of the class, give it with --fingerprint once.'

function changed(message: string): ExpectedError {
  return new ExpectedError('usage', 'certificate-changed', message)
}

/** The certificate of the other side of a connection. Throws ExpectedError if it has shown none. */
export function certificateOf(socket: TLSSocket): ShownCertificate {
  const { raw } = socket.getPeerCertificate()
  // Empty if there is none.
  if ((raw as Buffer | undefined) === undefined)
    throw new ExpectedError('host', 'class-unreachable', 'The server has shown no certificate.')
  const certificate = new X509Certificate(raw)
  return {
    isKnown: socket.authorized,
    fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    key: createHash('sha256')
      .update(certificate.publicKey.export({ format: 'der', type: 'spki' }))
      .digest('hex'),
  }
}

/** A fingerprint as it is compared, in groups of four as in the educator's window. */
export function groupsOf(fingerprint: string): string {
  return fingerprint.match(/.{1,4}/g)?.join(' ') ?? ''
}

/** A fingerprint as a person types or copies it. Throws ExpectedError `input-invalid`. */
export function typedFingerprint(text: string): string {
  const hex = text.replaceAll(/[\s:-]/g, '').toLowerCase()
  if (sha256Hex.safeParse(hex).success) return hex
  throw new ExpectedError('usage', 'input-invalid', `"${text}" is not a fingerprint, which has 64 hex digits.`)
}
