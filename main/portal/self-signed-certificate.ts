// Static imports: a bundle gives the parts of a CommonJS package by name to these alone, and not to `await import`.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { createPublicKey, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

const curve = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** The time within which a certificate is valid. */
export interface Validity {
  readonly notBefore: Date
  readonly notAfter: Date
}

/** A new certificate of a server for `hosts` (names and addresses), signed with its own key, as PEM. */
export async function selfSignedCertificate(
  key: KeyObject,
  hosts: readonly string[],
  validity: Validity,
): Promise<string> {
  const pkcs8 = key.export({ format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const keys = {
    privateKey: await crypto.subtle.importKey('pkcs8', pkcs8, curve, true, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', spki, curve, true, ['verify']),
  }
  const made = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=Tartaglia classroom',
      ...validity,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      keys,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension(['1.3.6.1.5.5.7.3.1']),
        new x509.SubjectAlternativeNameExtension(
          hosts.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
        ),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    },
    crypto,
  )
  return `${made.toString('pem')}\n`
}
