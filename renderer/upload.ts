import type { Reply } from '../main/contract/procedures.ts'
import { call, CallFailure } from './client.ts'
import { contentOf } from './files.ts'

/** A file on its way to the program. */
export interface Upload {
  /** The name by which the program knows it, as soon as what has come of it can be read. Rejects as `taken` does. */
  readonly known: Promise<string>
  /** The same, when all of it is there. Rejects with a CallFailure. */
  readonly taken: Promise<string>
  /** Gives it up: `taken` rejects. */
  stop(): void
}

/** The most that a history may hold: what the program takes. Bytes. */
const largest = 1024 * 1024 * 1024
/** A larger one is announced with its last bytes, in which its outcome stands, so that it can be read while it comes. */
const announced = 4 * 1024 * 1024
const endBytes = 256 * 1024

/**
 * Hands a history to the program as it is: a file of any size goes piece by piece and is never in memory whole. `onPart` is
 * told how much is through, 0 to 1.
 */
export function takeIn(file: File, onPart: (part: number) => void): Upload {
  if (file.size <= announced || file.size > largest) {
    const { taken, stop } = send(file, null, onPart)
    return { known: taken, taken, stop }
  }
  let stopped = false
  let stop = (): void => void (stopped = true)
  const known = announce(file)
  const taken = known.then((handle) => {
    const sending = send(file, handle, onPart)
    stop = sending.stop
    if (stopped) stop()
    return sending.taken
  })
  return { known, taken, stop: () => stop() }
}

async function announce(file: File): Promise<string> {
  const end = await contentOf(new File([file.slice(-endBytes)], file.name))
  const expected = await call('histories.expect', { fileName: nameOf(file), bytes: file.size, end })
  return expected.file
}

const nameOf = ({ name }: File): string => name.slice(0, 255)

/** `handle`: what it was announced as. */
function send(file: File, handle: string | null, onPart: (part: number) => void): Pick<Upload, 'taken' | 'stop'> {
  const request = new XMLHttpRequest()
  const taken = new Promise<string>((resolve, reject) => {
    if (file.size > largest) {
      return reject(failure(`${file.name} is larger than 1 GB, which is the most that can be opened.`))
    }
    request.upload.onprogress = ({ loaded, total }) => onPart(total === 0 ? 1 : loaded / total)
    request.onload = () => {
      const reply = request.response as Reply<{ readonly file: string }> | null
      if (reply === null) reject(failure(`Tartaglia did not take ${file.name} (${request.status}).`))
      else if (reply.ok) resolve(reply.value.file)
      else reject(new CallFailure(reply.error))
    }
    request.onabort = () => reject(failure(`${file.name} was not opened.`))
    // A folder that was dropped ends here too.
    request.onerror = () => reject(failure(`${file.name} could not be read or handed over: is it a file?`))
    const query = new URLSearchParams({ name: nameOf(file), ...(handle === null ? {} : { file: handle }) })
    request.open('POST', `/histories?${query.toString()}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.responseType = 'json'
    request.send(file)
  })
  return { taken, stop: () => request.abort() }
}

function failure(message: string): CallFailure {
  return new CallFailure({ code: 'refused', message })
}
