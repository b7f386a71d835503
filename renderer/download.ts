/** Hands a text to the person as a file. */
export function saveFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'text/plain;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The download has its own hold on the file by the next turn.
  setTimeout(() => URL.revokeObjectURL(url))
}
