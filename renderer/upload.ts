import type { Reply } from '../main/contract/procedures.ts'
import { CallFailure } from './client.ts'

/** A file on its way to the program. */
export interface Upload {
  /** The name by which the program knows it from then on. Rejects with a CallFailure. */
  readonly taken: Promise<string>
  /** Gives it up: `taken` rejects. */
  stop(): void
}

/** The most that a history may hold: what the program takes. Bytes. */
const largest = 1024 * 1024 * 1024

/**
 * Hands a history to the program as it is: a file of any size goes piece by piece and is never in memory whole. `onPart` is
 * told how much is through, 0 to 1.
 */
export function takeIn(file: File, onPart: (part: number) => void): Upload {
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
    request.open('POST', `/histories?name=${encodeURIComponent(file.name.slice(0, 255))}`)
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.responseType = 'json'
    request.send(file)
  })
  return { taken, stop: () => request.abort() }
}

function failure(message: string): CallFailure {
  return new CallFailure({ code: 'refused', message })
}
