import { RECORDED_MATCH, type RecordedMatch } from '../../main/contract/histories/recorded-match.ts'
import { bytesOf } from '../files.ts'

/** The match that the page holds; null: it holds none. Rejects if it was damaged. */
export async function readRecorded(page: Document): Promise<RecordedMatch | null> {
  const text = page.getElementById(RECORDED_MATCH)?.textContent.trim() ?? ''
  if (text === '') return null
  const packed = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream('gzip'))
  // The program that wrote the page has read the history.
  return (await new Response(packed).json()) as RecordedMatch
}
