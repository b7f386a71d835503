import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readOnlyRefusal } from '../../contract/procedures/read-only.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { fingerprint, signingKey, type PublicKey, type SigningKey } from '../../histories/keys.ts'
import { machineErrorFrom, MachineError } from '../../histories/machine-error.ts'
import { checkOpenFiles } from './open-files.ts'
import type { ClassFolder } from './classroom.ts'
import { loadClass } from './recovered-class.ts'

/**
 * Opens a data folder to look at the class, which another process may have open: nothing is locked, created, written, mended or
 * deleted in it, and every change is refused. The content is that of this moment. Throws ExpectedError 'usage' if there is no class,
 * and MachineError if its public key or `class.json` cannot be read.
 */
export async function openClassToLookAt(data: string): Promise<ClassFolder> {
  checkOpenFiles()
  requireFolder(data)
  const { content, fresh, notices } = await loadClass(data)
  if (fresh) throw new ExpectedError('usage', 'data-folder-unknown', `There is no class in the folder ${data}.`)
  const refuse = (): Promise<never> => Promise.reject(readOnlyRefusal())
  return {
    folder: data,
    isReadOnly: true,
    key: keyToLookWith(join(data, 'keys')),
    content,
    fresh: false,
    notices,
    change: refuse,
    inTurn: refuse,
    close: async () => undefined,
  }
}

function requireFolder(data: string): void {
  const there = statSync(data, { throwIfNoEntry: false })
  if (there?.isDirectory() === true) return
  throw new ExpectedError('usage', 'data-folder-unknown', `There is no data folder ${data}: --data chooses another.`)
}

/** The key of a class by its public part. The private one is read when an export is signed, and only if it belongs to that. */
function keyToLookWith(keys: string): SigningKey {
  const publicKey = publicKeyIn(join(keys, 'class.pub'))
  return { publicKey, fingerprint: fingerprint(publicKey), sign: (text) => ownKey(keys, publicKey).sign(text) }
}

function publicKeyIn(file: string): PublicKey {
  const read = readPublicKey(file)
  if (read.ok) return read.key
  throw new MachineError(
    `The class cannot be opened to look at, because its histories are checked with its public key: ${read.message}`,
    file,
    'signing-key-damaged',
  )
}

/** Throws MachineError. */
function ownKey(keys: string, publicKey: PublicKey): SigningKey {
  const file = join(keys, 'class.pem')
  let pem: string
  try {
    pem = readFileSync(file, 'utf8')
  } catch (error) {
    throw machineErrorFrom(error, 'sign an export of this class with', file)
  }
  const key = signingKey(pem)
  if (key?.publicKey === publicKey) return key
  throw new MachineError(
    `${file} is not the private key of ${join(keys, 'class.pub')}, so nothing can be exported.`,
    file,
    'signing-key-damaged',
  )
}
