import type { EvidenceVerdict } from '../../../main/contract/evidence/dossiers.ts'

export const verdictWords: Readonly<Record<EvidenceVerdict, string>> = {
  genuine: 'genuine',
  'signer-unknown': 'intact, signer unknown',
  'not-genuine': 'not genuine',
}
