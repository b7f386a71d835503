import { CallFailure } from './connection/client.ts'

/** A small file's bytes as base64. Rejects with a CallFailure. */
export async function contentOf(file: File): Promise<string> {
  const address = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(reader.result as string)
    // A dropped folder ends up here too.
    reader.onerror = () => reject(refusal(`${file.name} cannot be read. Is it a file?`))
    reader.readAsDataURL(file)
  })
  return address.slice(address.indexOf(',') + 1)
}

function refusal(message: string): CallFailure {
  return new CallFailure({ code: 'refused', message })
}

/** Decodes base64. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Saves text or bytes as a file of the user. */
export function saveFile(fileName: string, content: string | Uint8Array<ArrayBuffer> | Blob): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'application/octet-stream' }))
  const link = document.createElement('a')
  link.href = address
  link.download = fileName
  link.click()
  // Long enough for any browser to start the download.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
