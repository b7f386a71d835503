/** The beginning of a text, without half a character at its end. `most`: characters, as JavaScript counts them. */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
