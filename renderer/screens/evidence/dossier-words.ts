import type { DossierReaders } from '../../../main/contract/evidence/dossiers.ts'

const groups: Readonly<Record<string, string>> = {
  nobody: 'only for you and your team',
  staff: 'shared with the educator',
  class: 'shared with the class',
}

/** The readers of a dossier, in words for its owner. */
export function readersWords(readers: DossierReaders): string {
  return groups[readers] ?? `shared with both sides and the panel of ${readers.replace('-', ' ')}`
}
