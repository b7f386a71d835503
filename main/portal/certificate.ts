import { createHash, createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../administrator/classroom/private-files.ts'
import { ExpectedError } from '../contract/expected-error.ts'
import type { Sha256 } from '../contract/ids.ts'
import { renamedSync } from '../histories/put-in-place.ts'

/** A certificate with its private key, both as PEM. `certificate` may be a chain, the server's own first. */
export interface Certificate {
  readonly key: string
  readonly certificate: string
  /** SHA-256 of the certificate, as browsers show it. */
  readonly fingerprint: Sha256
  /** SHA-256 of the public key (SubjectPublicKeyInfo), which stays when a certificate of the class is made again. */
  readonly keyFingerprint: Sha256
  /** The names and addresses for which it is valid. A name may begin with `*.`. */
  readonly hosts: readonly string[]
  readonly until: Date
}

/** The files of the educator's own certificate, as PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** A certificate that is replaced while it is used. */
export interface CertificateSource {
  current(): Certificate
  /** True if browsers cannot know it: it was made for the class. */
  readonly isSelfMade: boolean
  /** Calls back when there is another one. */
  onChange(listener: () => void): void
  /** Stops looking for changes. */
  close(): void
}

const day = 86_400_000
/** Days for which a certificate of the class is valid, and after which it is made again although it still is. */
const validity = { days: 397, renewed: 367 } as const
/** Intervals at which addresses and files are looked at, in ms. */
const looks = { addresses: 60_000, files: 2_000 } as const

/** The names of this machine under which a browser may ask for it: addresses, name, and its name by multicast DNS. */
export function hostsOf(interfaces = networkInterfaces(), name = hostname()): readonly string[] {
  const found = Object.values(interfaces).flatMap((each) => each ?? [])
  const addresses = found
    .filter(({ internal, address }) => !internal && !/^fe80:/i.test(address))
    .map(({ address }) => address)
  const plain = name.toLowerCase()
  const names = isHostName(plain) ? (plain.includes('.') ? [plain] : [plain, `${plain}.local`]) : []
  return [...new Set([...addresses.filter((each) => isIP(each) === 4), ...addresses, ...names])]
}

function isHostName(text: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(text)
}

/**
 * The certificate of the class: kept in `folder`, made at the first call, and made again with the same key when `hosts` has one for
 * which it is not valid, or when it nears its end. Throws ExpectedError if the kept key is damaged: students have compared it.
 */
export async function classCertificate(folder: string, hosts: readonly string[], now: Date): Promise<Certificate> {
  const files = { key: join(folder, 'portal-key.pem'), cert: join(folder, 'portal-certificate.pem') }
  const kept = textOf(files.key)
  if (kept !== null) {
    const key = ecKey(kept)
    if (key === null)
      throw new ExpectedError(
        'host',
        'certificate-invalid',
        `${files.key} is damaged: restore it, or delete it for a new one, which students have to compare again.`,
      )
    const certificate = certificateOf(kept, textOf(files.cert) ?? '')
    if (certificate !== null && isGood(certificate, hosts, now)) return certificate
    return keepNew(files, kept, key, hosts, now)
  }
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify'])
  const bytes = Buffer.from(await crypto.subtle.exportKey('pkcs8', pair.privateKey))
  const key = createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' })
  const pem = key.export({ format: 'pem', type: 'pkcs8' })
  mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER })
  replace(files.key, pem)
  return keepNew(files, pem, key, hosts, now)
}

async function keepNew(
  { cert }: CertificateFiles,
  pem: string,
  key: KeyObject,
  hosts: readonly string[],
  now: Date,
): Promise<Certificate> {
  // Imported when it is needed, which is once a year: its library is large.
  const { selfSignedCertificate } = await import('./self-signed-certificate.ts')
  const text = await selfSignedCertificate(key, hosts, {
    // A clock of a student's machine may be behind.
    notBefore: new Date(now.getTime() - day),
    notAfter: new Date(now.getTime() + validity.days * day),
  })
  replace(cert, text)
  const made = certificateOf(pem, text)
  if (made === null) throw new Error('The new certificate cannot be read.')
  return made
}

function isGood({ hosts, until }: Certificate, wanted: readonly string[], now: Date): boolean {
  const known = new Set(hosts)
  const left = until.getTime() - now.getTime()
  return left > (validity.days - validity.renewed) * day && wanted.every((each) => known.has(canonicalHost(each)))
}

/** Reads the educator's own certificate. Throws ExpectedError if it cannot be used. */
export function ownCertificate({ cert, key }: CertificateFiles): Certificate {
  const refuse = (why: string): ExpectedError => new ExpectedError('usage', 'certificate-invalid', why)
  const texts = [cert, key].map((path) => {
    const text = textOf(path)
    if (text === null) throw refuse(`${path} is missing or cannot be read.`)
    return text
  }) as [string, string]
  let isKey = true
  try {
    createPrivateKey(texts[1])
  } catch {
    isKey = false
  }
  if (!isKey) throw refuse(`${key} has no private key in PEM form without a password.`)
  const read = certificateOf(texts[1], texts[0])
  if (read !== null) return read
  const isCertificate = parsed(texts[0]) !== null
  throw refuse(
    isCertificate ? `${key} is not the key of the certificate in ${cert}.` : `${cert} has no certificate in PEM form.`,
  )
}

/** null: they do not belong together, or one of them is not what it should be. */
function certificateOf(key: string, certificate: string): Certificate | null {
  const read = parsed(certificate)
  if (read === null) return null
  try {
    if (!read.checkPrivateKey(createPrivateKey(key))) return null
    createSecureContext({ key, cert: certificate })
  } catch {
    return null
  }
  const spki = read.publicKey.export({ format: 'der', type: 'spki' })
  return {
    key,
    certificate,
    fingerprint: read.fingerprint256.replaceAll(':', '').toLowerCase(),
    keyFingerprint: createHash('sha256').update(spki).digest('hex'),
    hosts: hostsIn(read.subjectAltName ?? ''),
    until: new Date(read.validTo),
  }
}

function parsed(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem)
  } catch {
    return null
  }
}

/** The names and addresses in Node's text of the extension. Entries with quotation marks are not host names. */
function hostsIn(text: string): readonly string[] {
  return text.split(', ').flatMap((each) => {
    const [, kind, value] = /^(DNS|IP Address):([^"\s]+)$/.exec(each) ?? []
    if (kind === undefined || value === undefined) return []
    return [kind === 'DNS' ? value.toLowerCase() : canonicalHost(value)]
  })
}

/** An address as a browser writes it, without brackets. */
function canonicalHost(host: string): string {
  return isIP(host) === 6 ? new URL(`http://[${host}]`).hostname.slice(1, -1) : host
}

function ecKey(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem)
    return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? key : null
  } catch {
    return null
  }
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

function replace(path: string, text: string): void {
  const next = `${path}.new`
  writeFileSync(next, text, { mode: PRIVATE_FILE })
  chmodSync(next, PRIVATE_FILE)
  renamedSync(next, path)
}

/** Follows the certificate of the class in `folder`: the addresses of the machine change, and its time runs out. */
export async function openClassCertificate(
  folder: string,
  onProblem: (error: unknown) => void,
  hosts: () => readonly string[] = hostsOf,
): Promise<CertificateSource> {
  const renew = (): Promise<Certificate> => classCertificate(folder, hosts(), new Date())
  const source = changing(await renew())
  const timer = setInterval(() => void renew().then(source.set, onProblem), looks.addresses).unref()
  const { current, onChange } = source
  return { current, onChange, isSelfMade: true, close: () => clearInterval(timer) }
}

/**
 * Follows the educator's own certificate. While the two files do not belong together, since only one has been replaced, or cannot be
 * read, the last certificate stays. Throws like `ownCertificate`.
 */
export function openOwnCertificate(
  files: CertificateFiles,
  onProblem: (error: unknown) => void,
  interval: number = looks.files,
): CertificateSource {
  const paths = [files.cert, files.key]
  // Noted before they are read: a file that is replaced right afterwards is not missed.
  let stamps = stampsOf(paths)
  const source = changing(ownCertificate(files))
  const look = (): void => {
    const found = stampsOf(paths)
    if (found === stamps) return
    stamps = found
    try {
      source.set(ownCertificate(files))
    } catch (error) {
      onProblem(error)
    }
  }
  const timer = setInterval(look, interval).unref()
  const { current, onChange } = source
  return { current, onChange, isSelfMade: false, close: () => clearInterval(timer) }
}

/** Differs whenever one of the files has been replaced or written. */
function stampsOf(paths: readonly string[]): string {
  const stampOf = (path: string): string => {
    try {
      const { ino, mtimeNs, size } = statSync(path, { bigint: true })
      return `${ino} ${mtimeNs} ${size}`
    } catch (error) {
      return String(error)
    }
  }
  return paths.map(stampOf).join('\n')
}

interface Changing extends Pick<CertificateSource, 'current' | 'onChange'> {
  set(next: Certificate): void
}

function changing(first: Certificate): Changing {
  let current = first
  const listeners: (() => void)[] = []
  return {
    current: () => current,
    onChange: (listener) => void listeners.push(listener),
    set(next) {
      if (next.certificate === current.certificate && next.key === current.key) return
      current = next
      for (const listener of listeners) listener()
    },
  }
}
