import { CallFailure } from './client.ts'

/** The most that a dropped file may hold: what the program takes. Bytes. */
const largestFile = 64 * 1024 * 1024

/** A file's bytes as base64. Rejects with a CallFailure. */
export async function contentOf(file: File): Promise<string> {
  if (file.size > largestFile) throw refusal(`${file.name} is larger than 64 MB, which is the most that can be taken.`)
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    // A folder that was dropped ends here too.
    reader.onerror = () => reject(refusal(`${file.name} cannot be read: is it a file?`))
    reader.readAsDataURL(file)
  })
  return address.slice(address.indexOf(',') + 1)
}

function refusal(message: string): CallFailure {
  return new CallFailure({ code: 'refused', message })
}

/** The bytes that base64 stands for. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Gives text or bytes to the person as a file. */
export function saveFile(fileName: string, content: string | Uint8Array<ArrayBuffer>): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // Long enough for any browser to take hold of it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
