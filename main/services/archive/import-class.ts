import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { pipeline } from 'node:stream/promises'
import { openClassFolder } from '../../administrator/classroom/classroom.ts'
import { loadClass } from '../../administrator/classroom/recovered-class.ts'
import { readGradebook } from '../../administrator/classroom/gradebook-file.ts'
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../administrator/classroom/private-files.ts'
import { whyDamaged } from '../../administrator/people/people-database.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readPublicKey } from '../../histories/key-files.ts'
import { signedBy, signingKey } from '../../histories/keys.ts'
import { machineErrorFrom } from '../../histories/machine-error.ts'
import { AGE_BEGINNING, decrypted } from './age.ts'
import {
  CLASS_FOLDER,
  countsOf,
  MANIFEST,
  MANIFEST_BYTES_MAX,
  notOfClass,
  readManifest,
  refused,
  SIGNATURE,
  totalBytes,
  type ArchiveManifest,
} from './manifest.ts'
import { readMembers, type MemberReader } from './member-reader.ts'
import { inNewFolder } from './new-folder.ts'
import { requireRoom } from './room.ts'

/** Options of an import. */
export interface ImportOptions {
  /** The private keys of age in the text that age-keygen writes; null: none was given. */
  readonly identities: string | null
}

/** The list of an archive whose class was made. */
interface ImportedClass extends ArchiveManifest {
  /** False: the class copies itself nowhere, also because the folder for that was another machine's. */
  readonly makesBackups: boolean
  /** The number of contests that ran, and of recurring ones, which are paused now. */
  readonly paused: number
}

/**
 * Makes the class of an archive in a folder that is empty or does not exist. Everything is unpacked and checked in a folder beside it, which then gets its name: after
 * a refusal the destination is as it was. Throws ExpectedError 'usage' with a code for each kind of bad archive, and MachineError.
 */
export async function importClass(
  archive: string,
  data: string,
  { identities }: ImportOptions,
): Promise<ImportedClass> {
  return inNewFolder(data, async (growing) => {
    await requireFile(archive)
    const members = readMembers(await unpackedBytes(archive, identities), archive)
    const { text, signature } = await listOf(members, archive)
    const list = readManifest(text, archive)
    await requireRoom(growing, totalBytes(list.files), 'the class')
    await unpackAll(members, list, growing, archive)
    await checkKeys(growing, text, signature, archive)
    await checkContent(growing, list, archive)
    return { ...list, ...(await settled(growing)) }
  })
}

async function requireFile(archive: string): Promise<void> {
  const found = await stat(archive).catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', archive)
  })
  if (!found.isFile()) throw notOfClass(archive)
}

/** The bytes of the tar archive in a file. */
async function unpackedBytes(archive: string, identities: string | null): Promise<AsyncIterable<Uint8Array>> {
  const beginning = await beginningOf(archive)
  const isEncrypted = beginning === AGE_BEGINNING
  if (!isEncrypted && !beginning.startsWith('\u001f\u008b')) throw notOfClass(archive)
  if (isEncrypted && identities === null) {
    const next = 'give the file with its private key, as age-keygen wrote it, with --identity.'
    throw new ExpectedError('usage', 'archive-encrypted', `${archive} is encrypted: ${next}`)
  }
  const bytes = createReadStream(archive)
  const plain = identities !== null && isEncrypted ? await decrypted(bytes, identities, archive) : bytes
  const unpacked = createGunzip()
  // Its error reaches the reader of `unpacked`, too.
  pipeline(plain, unpacked).catch(() => undefined)
  return unpacked
}

async function beginningOf(archive: string): Promise<string> {
  const file = await open(archive, 'r').catch((error: unknown) => {
    throw machineErrorFrom(error, 'read', archive)
  })
  try {
    const bytes = Buffer.alloc(AGE_BEGINNING.length)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The list and its signature, which come first. */
async function listOf(
  members: MemberReader,
  archive: string,
): Promise<{ readonly text: string; readonly signature: string }> {
  const texts: string[] = []
  for (const [path, most] of [
    [MANIFEST, MANIFEST_BYTES_MAX],
    [SIGNATURE, 128],
  ] as const) {
    const member = await members.next()
    if (member?.path !== path || member.size > most) throw notOfClass(archive)
    const parts: Uint8Array[] = []
    for await (const part of members.content()) parts.push(part)
    texts.push(Buffer.concat(parts).toString('utf8'))
  }
  const [text = '', signature = ''] = texts
  return { text, signature }
}

async function unpackAll(
  members: MemberReader,
  { files }: ArchiveManifest,
  folder: string,
  archive: string,
): Promise<void> {
  for (const { path, size, sha256 } of files) {
    const member = await members.next()
    if (member === null) throw refused(archive, 'archive-cut-off', `${JSON.stringify(path)} is missing`)
    if (member.path !== `${CLASS_FOLDER}/${path}` || member.size !== size)
      throw refused(
        archive,
        'archive-differs',
        `it holds ${JSON.stringify(member.path)} where its list has ${JSON.stringify(path)}`,
      )
    const target = join(folder, ...path.split('/'))
    await mkdir(dirname(target), { recursive: true, mode: PRIVATE_FOLDER })
    const hash = createHash('sha256')
    const file = await open(target, 'wx', PRIVATE_FILE)
    try {
      for await (const part of members.content()) {
        hash.update(part)
        await file.writeFile(part)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    if (hash.digest('hex') !== sha256)
      throw refused(archive, 'archive-differs', `${JSON.stringify(path)} is not what its list says`)
  }
  if ((await members.next()) !== null)
    throw refused(archive, 'archive-differs', 'it holds files that its list does not name')
}

/** The list has to be signed by the key of the class, which has to be whole. */
async function checkKeys(folder: string, text: string, signature: string, archive: string): Promise<void> {
  const file = join(folder, 'keys', 'class.pub')
  const read = readPublicKey(file)
  if (!read.ok || !signedBy(read.key, text, signature))
    throw refused(archive, 'archive-differs', 'its list is not signed by the key of its class')
  const pem = await readFile(join(folder, 'keys', 'class.pem'), 'utf8').catch(() => '')
  if (signingKey(pem)?.publicKey !== read.key)
    throw refused(archive, 'archive-differs', 'the private key in it is not that of its class')
}

async function checkContent(folder: string, { counts }: ArchiveManifest, archive: string): Promise<void> {
  const unreadable = (error: unknown): never => {
    if (!(error instanceof ExpectedError)) throw error
    throw refused(archive, error.code, `its class cannot be read (${error.message.replaceAll(`${folder}/`, '')})`)
  }
  const { content } = await loadClass(folder).catch(unreadable)
  await readGradebook(folder).catch(unreadable)
  const found = countsOf(content)
  for (const key of Object.keys(counts) as (keyof typeof counts)[])
    if (found[key] !== counts[key])
      throw refused(
        archive,
        'archive-differs',
        `its list counts ${counts[key]} ${key}, and its class has ${found[key]}`,
      )
  const damage = whyDamaged(folder)
  if (damage !== null) throw refused(archive, 'archive-damaged', damage)
}

/**
 * The class may go on where it was exported: here its contests pause, because two classes would sign different outcomes of one contest by the same key.
 * The folder for backups was chosen for the other machine.
 */
async function settled(folder: string): Promise<Pick<ImportedClass, 'makesBackups' | 'paused'>> {
  const { settings, contests, recurring } = (await loadClass(folder)).content
  const isElsewhere = settings.backups.folder !== ''
  const paused =
    contests.filter(({ goesOn }) => goesOn === true).length + recurring.filter((each) => each.paused !== true).length
  if (isElsewhere || paused > 0) {
    // A passphrase of this process is that of another class.
    const home = await openClassFolder(folder, () => null)
    const change = home.change((content) => {
      if (isElsewhere) content.settings.backups = { folder: '', everyHours: 0 }
      for (const contest of content.contests) delete contest.goesOn
      for (const each of content.recurring) each.paused = true
    })
    await change.finally(() => home.close())
  }
  return { makesBackups: !isElsewhere && settings.backups.everyHours > 0, paused }
}
