import { closeSync, constants, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { fingerprint, generateKey, keyText, parseKeyText, signingKey, type PublicKey, type SigningKey } from './keys.ts'
import { makeFolder, writeFileDurably } from './durable.ts'
import { codeOf, MachineError, machineErrorFrom } from './machine-error.ts'

/** Maximum bytes of a public key file. */
const keyFileBytes = 4096

/**
 * The class's signing key from `<dir>/class.pem` (readable by its owner only). The first call creates it, and the
 * public key in `class.pub`. Throws MachineError if it cannot be read, written or parsed; an existing private key is
 * never replaced.
 */
export function openKeys(dir: string): SigningKey {
  const privateFile = join(dir, 'class.pem')
  const publicFile = join(dir, 'class.pub')
  let pem: string
  try {
    makeFolder(dir, 0o700)
    if (!existsSync(privateFile)) {
      // The private key was deleted; everything signed so far would not verify with a new one.
      if (existsSync(publicFile)) {
        const help = `restore it, or move ${dir} away to continue with a new key`
        throw new MachineError(
          `${privateFile} is missing although ${publicFile} exists: ${help}.`,
          privateFile,
          'signing-key-damaged',
        )
      }
      writeFileDurably(privateFile, generateKey(), 0o600)
    }
    pem = readFileSync(privateFile, 'utf8')
  } catch (error) {
    throw machineErrorFrom(error, 'open the key file', privateFile)
  }
  const key = signingKey(pem)
  if (key === null)
    throw new MachineError(`${privateFile} contains no Ed25519 private key.`, privateFile, 'signing-key-damaged')
  const line = `${keyText(key.publicKey)}\n`
  try {
    if (!existsSync(publicFile) || readFileSync(publicFile, 'utf8') !== line) writeFileDurably(publicFile, line, 0o600)
  } catch (error) {
    throw machineErrorFrom(error, 'write the public key', publicFile)
  }
  return key
}

/**
 * The class's key in a folder that is only read: its public part, by which histories are checked, is read at once from
 * `<dir>/class.pub`, or from `<dir>/class.pem` if there is no such file. The private part is read when something is signed, and `sign` throws
 * MachineError if it is missing or does not belong to the public one. Throws MachineError if there is no public part.
 */
export function readKeys(dir: string): SigningKey {
  const publicKey = existsSync(join(dir, 'class.pub')) ? publicKeyIn(dir) : privateKeyIn(dir).publicKey
  return { publicKey, fingerprint: fingerprint(publicKey), sign: (text) => ownKey(dir, publicKey).sign(text) }
}

function publicKeyIn(dir: string): PublicKey {
  const file = join(dir, 'class.pub')
  const read = readPublicKey(file)
  if (read.ok) return read.key
  const message = `The histories of this class cannot be checked without its public key: ${read.message}`
  throw new MachineError(message, file, 'signing-key-damaged')
}

function privateKeyIn(dir: string): SigningKey {
  const file = join(dir, 'class.pem')
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw machineErrorFrom(error, 'read the key of the class', file)
  }
  const key = signingKey(pem)
  if (key !== null) return key
  throw new MachineError(`${file} contains no Ed25519 private key.`, file, 'signing-key-damaged')
}

/** The private key of a public one. Throws MachineError. */
function ownKey(dir: string, publicKey: PublicKey): SigningKey {
  const file = join(dir, 'class.pem')
  if (!existsSync(file)) {
    const help = 'Its matches can be looked at and verified; ask the class itself for exports.'
    throw new MachineError(
      `Nothing can be exported from this folder, because the private key of its class (${file}) is not in it. ${help}`,
      file,
      'signing-key-damaged',
    )
  }
  const key = privateKeyIn(dir)
  if (key.publicKey === publicKey) return key
  throw new MachineError(
    `${file} is not the private key of ${join(dir, 'class.pub')}, so nothing can be exported.`,
    file,
    'signing-key-damaged',
  )
}

/** Reads the argument of `--key`: the key's text itself, or a file that contains it. */
export function readPublicKey(
  textOrFile: string,
): { readonly ok: true; readonly key: PublicKey } | { readonly ok: false; readonly message: string } {
  const given = parseKeyText(textOrFile)
  if (given !== null) return { ok: true, key: given }
  try {
    const key = parseKeyText(beginningOf(textOrFile))
    if (key !== null) return { ok: true, key }
    return {
      ok: false,
      message: `${textOrFile} contains no public key (one line, tartaglia-ed25519: and 64 hex digits).`,
    }
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return { ok: false, message: machineErrorFrom(error, 'read', textOrFile).message }
    return { ok: false, message: `${textOrFile} is neither a public key (tartaglia-ed25519:...) nor a file.` }
  }
}

/** The first bytes of a file, without waiting for a device or a pipe without a writer. Throws the system's error. */
function beginningOf(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const bytes = Buffer.alloc(keyFileBytes)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}
