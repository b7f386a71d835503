import * as z from 'zod'
import { sha256Hex } from '../ids.ts'
import { dossierFile, evidenceVerdict } from './dossiers.ts'

const sentence = z.string().max(10_000)

/** The verdict on a history of a dossier. `message`: why it is not genuine; null: it is intact. */
const checkedHistory = z.strictObject({
  path: z.string().max(1_000),
  verdict: evidenceVerdict,
  message: sentence.nullable(),
  fingerprint: sha256Hex.nullable(),
  /** True if it was played again through the rules. */
  replayed: z.boolean(),
})

/** The verdict on an item. `told`: the line in the words of this program, if they differ from those of the dossier. */
const checkedItem = z.strictObject({
  id: z.string().max(100),
  problem: sentence.nullable(),
  told: sentence.nullable(),
})

/** The verdicts on a dossier that somebody has as files. */
export const dossierReport = z.strictObject({
  verdict: evidenceVerdict,
  /** The first problem, as a clause; null: the dossier is intact. */
  problem: sentence.nullable(),
  /** The owner of the key that signed the dossier; null: the signature does not hold. */
  signer: z.strictObject({ name: z.string().nullable(), key: z.string().max(200), fingerprint: sha256Hex }).nullable(),
  /** null: it cannot be read. */
  dossier: dossierFile.nullable(),
  histories: z.array(checkedHistory),
  items: z.array(checkedItem),
  /** Files in the folder that are not a part of the dossier. */
  others: z.array(z.string().max(1_000)),
})
export type DossierReport = z.infer<typeof dossierReport>
