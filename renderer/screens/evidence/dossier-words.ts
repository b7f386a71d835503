import type { DossierReaders } from '../../../main/contract/evidence/dossiers.ts'

/** The readers of a dossier, in words for its owner. */
export const readersWords: Readonly<Record<DossierReaders, string>> = {
  nobody: 'only for you and your team',
  staff: 'shared with the educator',
  class: 'shared with the class',
}
