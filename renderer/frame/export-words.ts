import type { ExportProgress } from '../../main/contract/procedures/classes.ts'
import { bytes, percent } from '../words.ts'

/** The progress of an export for people. */
export interface ExportWords {
  readonly step: string
  /** '' if nothing is known of it yet. */
  readonly figures: string
  /** The part of the step, or of all writing, that is done, 0 to 1; null: not known yet. */
  readonly part: number | null
}

/** `fetched`: the part of the file that this window has fetched, 0 to 1; null: it is being written. */
export function exportWords(writing: ExportProgress | null, fetched: number | null): ExportWords {
  if (fetched !== null) return { step: 'The file is being fetched', figures: percent(fetched), part: fetched }
  if (writing === null || writing.bytes === 0) return { step: 'The records are being copied', figures: '', part: null }
  const { bytes: all, listed, packed } = writing
  const isPacking = listed >= all
  return {
    step: isPacking ? 'The files are being packed' : 'The list of all files is being made',
    figures: `${bytes(isPacking ? packed : listed)} of ${bytes(all)}`,
    part: (listed + packed) / (2 * all),
  }
}
