import type { DossierReport } from '../../contract/evidence/dossier-report.ts'
import { games } from '../../referees/games.ts'
import { knownSignersIn } from '../histories/known-signers.ts'
import { givenKeys, verifyOptions } from '../histories/verify-histories.ts'
import { checkDossier } from './check-dossier.ts'
import { openDossier } from './open-dossier.ts'

/**
 * Checks a dossier, a zip or a folder. `keys`: the keys one of which must have signed it, as texts or files; empty: those that the class in
 * the data folder knows are looked up. Rejects with ExpectedError 'usage' if a key is not valid or the dossier cannot be read.
 */
export async function checkDossierFile(file: string, keys: readonly string[], data: string): Promise<DossierReport> {
  const options = verifyOptions(keys)
  const known = keys.length === 0 ? await knownSignersIn(data) : givenKeys(keys)
  const files = await openDossier(file)
  return checkDossier(files, {
    known,
    games: (id) => games.get(id),
    ...(options.keys === undefined ? {} : { keys: options.keys }),
  })
}
