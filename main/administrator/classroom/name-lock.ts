import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readJsonText } from '../../contract/json-text.ts'
import { namesState, PASSPHRASE_MAX, PASSPHRASE_MIN, type LockedNames } from '../../contract/people/locked-names.ts'
import { searchKey } from '../../contract/names.ts'
import { pseudonymWords, wordsOfPeople } from '../../contract/people/pseudonyms.ts'
import type { Classroom } from '../../contract/procedures/classroom.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { classNames, haveSameNames, namesOf, withNames, withoutNames, type ClassNames } from './class-names.ts'
import { copiesOf } from './day-copies.ts'
import { decryptedBehind, encryptedBehind } from './passphrase-file.ts'

// The package age-encryption is loaded when it is needed: most classes have no passphrase.

/** A lock for the names of a class that is written next. Throws ExpectedError `passphrase-short`, `passphrase-long`. */
export async function newLock(passphrase: string): Promise<LockedNames> {
  if (Array.from(passphrase).length < PASSPHRASE_MIN)
    throw new ExpectedError(
      'usage',
      'passphrase-short',
      `A passphrase has at least ${PASSPHRASE_MIN} characters, such as four words: it can be guessed without end in a copy of the class.`,
    )
  if (passphrase.normalize('NFC').length > PASSPHRASE_MAX)
    throw new ExpectedError(
      'usage',
      'passphrase-long',
      `A passphrase has at most ${PASSPHRASE_MAX} characters: the field of the window takes no more.`,
    )
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption')
  const identity = await generateX25519Identity()
  return {
    key: base64(await encryptedBehind(passphrase.normalize('NFC'), identity)),
    recipient: await identityToRecipient(identity),
    parts: [],
  }
}

/**
 * A class with its names, from the parts of its lock; one without a lock as it is. Throws ExpectedError `passphrase-wrong`, or
 * `names-damaged` if a part cannot be read; nothing is unlocked then.
 */
export async function unlocked(content: Classroom, passphrase: string): Promise<Classroom> {
  const lock = content.names
  if (lock === undefined) return content
  const { Decrypter } = await import('age-encryption')
  const reader = new Decrypter()
  try {
    reader.addIdentity(await decryptedBehind(passphrase.normalize('NFC'), Buffer.from(lock.key, 'base64')))
  } catch {
    throw new ExpectedError(
      'usage',
      'passphrase-wrong',
      'This is not the passphrase of the names of this class; if it is lost, nobody can restore it, and the class can go on without the names ("If the passphrase is lost" in the documentation of privacy).',
    )
  }
  let named = content
  // The last part counts before those in front of it: where it has a name, no placeholder is left for them.
  for (const part of lock.parts.toReversed()) named = withNames(named, await opened(reader, part))
  return { ...named, names: { ...lock, parts: [] } }
}

async function opened(
  reader: { decrypt(file: Uint8Array, format: 'text'): Promise<string> },
  part: string,
): Promise<ClassNames> {
  const text = await reader.decrypt(Buffer.from(part, 'base64'), 'text').catch(() => '')
  const read = readJsonText(text, classNames)
  if (read.ok) return read.value
  throw new ExpectedError(
    'usage',
    'names-damaged',
    'The encrypted names in class.json are damaged: restore class.json from a backup.',
  )
}

/** Names as they were written last, and encrypted. */
interface Written {
  readonly text: string
  readonly recipient: string
  readonly part: string
  readonly drawn: LockedNames['drawn']
}

/** Makes what is written of a class: itself, or placeholders and encrypted names. Names that are the same as before are not encrypted again. */
export function createNameWriter(): (content: Classroom) => Promise<Classroom> {
  let last: Written = { text: '', recipient: '', part: '', drawn: undefined }
  return async (content) => {
    const lock = content.names
    if (lock === undefined) return content
    const text = JSON.stringify(namesOf(content))
    // A locked class of which nobody has written anything.
    if (namesState(content) === 'locked' && text === NO_NAMES) return withoutNames(content)
    if (text !== last.text || lock.recipient !== last.recipient)
      last = {
        ...{ text, recipient: lock.recipient, part: await encrypted(text, lock.recipient) },
        drawn: namesState(content) === 'locked' ? lock.drawn : drawnWhileLocked(content, last.drawn ?? lock.drawn),
      }
    const { drawn } = last
    return {
      ...withoutNames(content),
      names: { ...lock, parts: [...lock.parts, last.part], ...(drawn === undefined ? {} : { drawn }) },
    }
  }
}

/**
 * The words of which pseudonyms are drawn while the names are locked: some of those that no name of the class has, so that a word that is left out
 * says nothing. They stay the same as long as no name has one; then they are drawn anew, since who compares two files would see which one had to go.
 */
function drawnWhileLocked({ people }: Classroom, before: LockedNames['drawn']): readonly string[] {
  const taken = wordsOfPeople(people)
  return pseudonymWords.flatMap((words) => {
    const free = words.filter((word) => !taken.has(searchKey(word)))
    const former = words.filter((word) => before?.includes(word))
    const most = Math.ceil(words.length * DRAWN_PART)
    const stays = former.length > 0 && former.every((word) => free.includes(word))
    if (stays) return former
    const drawn = shuffled(free).slice(0, most)
    return words.filter((word) => drawn.includes(word))
  })
}

/** The part of all words of which pseudonyms are drawn while names are locked. */
const DRAWN_PART = 0.6

function shuffled(words: readonly string[]): readonly string[] {
  return words
    .map((word) => ({ word, at: randomInt(2 ** 40) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ word }) => word)
}

const NO_NAMES = JSON.stringify({ people: {}, teams: {}, notes: {}, reasons: {} } satisfies ClassNames)

async function encrypted(text: string, recipient: string): Promise<string> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  return base64(await encrypter.encrypt(text))
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')

/** Throws ExpectedError `names-locked` if a change of a locked class concerns its people: a roster would find nobody, and an erased name would stay in the lock. */
export function checkLocked(before: Classroom, next: Classroom): void {
  if (namesState(before) === 'locked' && !haveSameNames(before, next)) throw namesAreLocked()
}

/** A class whose names are in their places. Throws ExpectedError `names-locked`. */
export function requireNames(content: Classroom): Classroom {
  if (namesState(content) === 'locked') throw namesAreLocked()
  return content
}

export function namesAreLocked(): ExpectedError {
  return new ExpectedError(
    'usage',
    'names-locked',
    'The names of this class are locked: an educator has to unlock them first, in the settings or with the passphrase in the file that TARTAGLIA_PASSPHRASE_FILE names.',
  )
}

/** Deletes the copies of class.json with names in the clear or under another passphrase: a program that ended too early left them. Throws the system's error. */
export async function dropOtherCopies(data: string, { names }: Classroom): Promise<void> {
  if (names === undefined) return
  const folder = copiesOf(data)
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith('class-')) continue
    const path = join(folder, name)
    const text = await readFile(path, 'utf8').catch(() => '')
    if (!text.includes(`"recipient": "${names.recipient}"`)) await rm(path, { recursive: true, force: true })
  }
}

/**
 * The passphrase that this process was given: the first line of the file that TARTAGLIA_PASSPHRASE_FILE names; null: none. Throws MachineError
 * if it cannot be read, and ExpectedError `not-utf8`.
 */
export function givenPassphrase(): string | null {
  const path = process.env['TARTAGLIA_PASSPHRASE_FILE']
  return path === undefined || path === '' ? null : passphraseIn(path)
}

/** The first line of a file, without a byte-order mark. Throws MachineError, and ExpectedError `not-utf8`: a person who types it could never match it. */
export function passphraseIn(path: string): string {
  let bytes: Uint8Array
  try {
    bytes = readFileSync(path)
  } catch (error) {
    throw machineErrorFrom(error, 'read', path)
  }
  try {
    return /^[^\r\n]*/.exec(new TextDecoder('utf-8', { fatal: true }).decode(bytes))![0]
  } catch {
    throw new ExpectedError('usage', 'not-utf8', `${path} is not UTF-8 text: save the passphrase as UTF-8.`)
  }
}
