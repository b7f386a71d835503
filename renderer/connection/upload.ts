import type { CallReply } from '../../main/contract/procedures/procedures.ts'
import { ARCHIVE_BYTES_MAX, UPLOAD_BYTES_MAX, type UploadKind } from '../../main/contract/procedures/uploads.ts'
import { call, CallFailure } from './client.ts'
import { contentOf } from '../files.ts'

/** An upload of a file to the program. */
export interface Upload {
  /** The program's id for the file, as soon as the part received can be read. Rejects like `taken`. */
  readonly known: Promise<string>
  /** The same, after the upload is complete. Rejects with a CallFailure. */
  readonly taken: Promise<string>
  /** Cancels the upload: `taken` rejects. */
  stop(): void
}

/** Maximum sizes in bytes, as accepted by the program. */
const largest: Readonly<Record<UploadKind, number>> = {
  histories: 1024 * 1024 * 1024,
  packages: UPLOAD_BYTES_MAX,
  archives: ARCHIVE_BYTES_MAX,
}
const inWords: Readonly<Record<UploadKind, string>> = { histories: '1 GB', packages: '64 MB', archives: '16 GB' }
/** A larger file is announced with its last bytes, which contain the outcome, so that it can be shown during the upload. */
const announced = 4 * 1024 * 1024
const endBytes = 256 * 1024

/**
 * Uploads a history unchanged, piece by piece, so that it is never in memory as a whole. `onPart` is called with the
 * progress, 0 to 1.
 */
export function takeIn(file: File, onPart: (part: number) => void): Upload {
  if (file.size <= announced || file.size > largest.histories) {
    const { taken, stop } = send('histories', file, null, onPart)
    return { known: taken, taken, stop }
  }
  let stopped = false
  let stop = (): void => void (stopped = true)
  const known = announce(file)
  const taken = known.then((handle) => {
    const sending = send('histories', file, handle, onPart)
    stop = sending.stop
    if (stopped) stop()
    return sending.taken
  })
  return { known, taken, stop: () => stop() }
}

/** Uploads a file that is opened and is not a history, such as a dossier. */
export function uploadOpened(
  file: File,
  onPart: (part: number) => void = () => undefined,
): Pick<Upload, 'taken' | 'stop'> {
  return send('histories', file, null, onPart)
}

/**
 * Uploads a package: an agent, a component or entries. Procedures such as `agents.look` and `agents.submit` find it under the handle
 * that `taken` resolves to, so that it is sent once. `onPart`: as for `takeIn`.
 */
export function uploadPackage(
  file: File,
  onPart: (part: number) => void = () => undefined,
): Pick<Upload, 'taken' | 'stop'> {
  return send('packages', file, null, onPart)
}

/** Uploads an export of a class, piece by piece. `onPart`: as for `takeIn`. */
export function uploadArchive(file: File, onPart: (part: number) => void): Pick<Upload, 'taken' | 'stop'> {
  return send('archives', file, null, onPart)
}

/**
 * Calls `work` with the handle of an uploaded package, and once more with a new one if the program keeps the file no longer, because
 * others were uploaded since or it was restarted. Rejects like `work`.
 */
export async function withPackage<T>(file: File, uploaded: string, work: (handle: string) => Promise<T>): Promise<T> {
  try {
    return await work(uploaded)
  } catch (error) {
    if (!(error instanceof CallFailure && error.reason === 'file-not-open')) throw error
    return work(await uploadPackage(file).taken)
  }
}

async function announce(file: File): Promise<string> {
  const end = await contentOf(new File([file.slice(-endBytes)], file.name))
  const expected = await call('histories.expect', { fileName: nameOf(file), bytes: file.size, end })
  return expected.file
}

const nameOf = ({ name }: File): string => name.slice(0, 255)

/** `handle`: the id from the announcement of a history. */
function send(
  kind: UploadKind,
  file: File,
  handle: string | null,
  onPart: (part: number) => void,
): Pick<Upload, 'taken' | 'stop'> {
  const request = new XMLHttpRequest()
  const taken = new Promise<string>((resolve, reject) => {
    if (file.size > largest[kind]) {
      return reject(failure(`${file.name} is larger than the maximum of ${inWords[kind]}.`))
    }
    request.upload.onprogress = ({ loaded, total }) => onPart(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const reply = request.response as CallReply<{ readonly file: string }> | null
      if (reply === null) reject(failure(`Tartaglia rejected ${file.name} (status ${request.status}).`))
      else if (reply.ok) resolve(reply.value.file)
      else reject(new CallFailure(reply.error))
    }
    request.onabort = () => reject(failure(`The upload of ${file.name} was stopped.`))
    // A dropped folder ends up here too.
    request.onerror = () => reject(failure(`${file.name} could not be read or uploaded. Is it a file?`))
    const query = new URLSearchParams({ name: nameOf(file), ...(handle === null ? {} : { file: handle }) })
    request.open('POST', `/${kind}?${query.toString()}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.responseType = 'json'
    request.send(file)
  })
  return { taken, stop: () => request.abort() }
}

function failure(message: string): CallFailure {
  return new CallFailure({ code: 'refused', message })
}
