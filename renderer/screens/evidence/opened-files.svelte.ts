import type { EvidenceVerdict } from '../../../main/contract/evidence/dossiers.ts'
import { call, CallFailure } from '../../connection/client.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { uploadOpened } from '../../connection/upload.ts'
import { links } from '../../navigation/links.ts'
import { UPLOAD_BYTES_MAX } from '../../../main/contract/procedures/uploads.ts'
import type { GivenFile } from '../../parts/files/given-files.ts'
import { storedZip } from '../../parts/files/stored-zip.ts'
import { rememberHistories } from './opened-histories.ts'

/** A file of evidence that somebody opened in this window. Nothing of it is stored in the class. */
export interface OpenedFile {
  /** Its path in the folder that was given. */
  readonly path: string
  readonly kind: 'dossier' | 'case' | 'match'
  readonly address: string
  /** null: `problem` says why it cannot be read. */
  readonly verdict: EvidenceVerdict | null
  readonly problem: string | null
}

/** How the record of a case begins, since its lines are in canonical form. */
const CASE_BEGINNING = '{"b":{"act":{'

let files = $state.raw<readonly OpenedFile[]>([])
let leftOut = $state.raw<readonly string[]>([])

/** The files that were opened together, in the order of their paths; none: at most one was opened. */
export const openedFiles = {
  get all(): readonly OpenedFile[] {
    return files
  },
  /** The paths of the files given last that are not evidence. */
  get leftOut(): readonly string[] {
    return leftOut
  },
}

/**
 * Opens dossiers, records of cases and matches. Returns the address of the only one; null: there are several, which are verified and
 * listed. Rejects with a CallFailure if one cannot be sent, or none is such a file.
 */
export async function openFiles(given: readonly GivenFile[]): Promise<string | null> {
  const sent: { readonly path: string; readonly kind: OpenedFile['kind']; readonly handle: string }[] = []
  const others: string[] = []
  for (const { file, path } of await withDossiersZipped(given)) {
    const kind = await kindOf(file)
    if (kind === null) others.push(path)
    else sent.push({ path, kind, handle: await uploadOpened(file).taken })
  }
  leftOut = others
  const [first] = sent
  if (first === undefined)
    throw new CallFailure({
      code: 'refused',
      reason: 'dossier-invalid',
      message: 'These files hold neither a dossier (.zip, or its folder) nor a record (.jsonl).',
    })
  if (sent.length === 1) return addresses[first.kind](first.handle)
  const found: OpenedFile[] = []
  for (const { path, kind, handle } of sent)
    found.push({ path, kind, address: addresses[kind](handle), ...(await verdictOn(kind, handle)) })
  files = found.sort((a, b) => (a.path < b.path ? -1 : 1))
  return null
}

const addresses: Readonly<Record<OpenedFile['kind'], (handle: string) => string>> = {
  dossier: links.dossierFile,
  case: links.hearingFile,
  match: links.historyFile,
}

/** The name of the file that makes a folder a dossier, and what is in it. */
const MANIFEST = '/manifest.json'
const DOSSIER_FORMAT = '"format":"tartaglia-dossier/'

/** The files, with each unpacked dossier among them as a zip: that is what the program opens. */
async function withDossiersZipped(given: readonly GivenFile[]): Promise<readonly GivenFile[]> {
  let rest = given
  const zips: GivenFile[] = []
  for (const { file, path } of given) {
    if (!path.endsWith(MANIFEST) || file.size > UPLOAD_BYTES_MAX || !(await file.text()).includes(DOSSIER_FORMAT))
      continue
    const folder = path.slice(0, -MANIFEST.length)
    const inside = rest.filter((each) => each.path.startsWith(`${folder}/`))
    if (inside.reduce((sum, each) => sum + each.file.size, 0) > UPLOAD_BYTES_MAX)
      throw new CallFailure({
        ...{ code: 'refused', reason: 'dossier-invalid' },
        message: `The folder ${folder} holds more than ${UPLOAD_BYTES_MAX >> 20} MB: a dossier is smaller.`,
      })
    const name = folder.slice(folder.lastIndexOf('/') + 1)
    const contents = inside.map(async (each) => [each.path, new Uint8Array(await each.file.arrayBuffer())] as const)
    zips.push({ path: folder, file: new File(storedZip(await Promise.all(contents)), `${name}.zip`) })
    rest = rest.filter((each) => !inside.includes(each))
  }
  return [...zips, ...rest]
}

/** null: it is neither a dossier nor a record. */
async function kindOf(file: File): Promise<OpenedFile['kind'] | null> {
  if (file.name.toLowerCase().endsWith('.zip')) return 'dossier'
  if (!file.name.toLowerCase().endsWith('.jsonl')) return null
  const begin = await file.slice(0, CASE_BEGINNING.length).text()
  return begin === CASE_BEGINNING ? 'case' : 'match'
}

async function verdictOn(kind: OpenedFile['kind'], file: string): Promise<Pick<OpenedFile, 'verdict' | 'problem'>> {
  try {
    if (kind === 'match') return await verdictOnMatch(file)
    const { verdict } =
      kind === 'case'
        ? await call('cases.open', { file })
        : rememberHistories(file, await call('dossiers.open', { file })).report
    return { verdict, problem: null }
  } catch (reason) {
    return { verdict: null, problem: asFailure(reason).message }
  }
}

async function verdictOnMatch(file: string): Promise<Pick<OpenedFile, 'verdict' | 'problem'>> {
  const [found] = await call('histories.verifyFiles', { files: [file] })
  const verdict = found?.verdict ?? null
  if (verdict === null) return { verdict, problem: found?.message ?? '' }
  if (!verdict.ok) return { verdict: 'not-genuine', problem: null }
  return { verdict: verdict.signer.name === null ? 'signer-unknown' : 'genuine', problem: null }
}
