import type { ContestId, MatchNumber } from '../../../main/contract/ids.ts'
import { call } from '../../connection/client.ts'
import { saveFile } from '../../files.ts'
import { asFailure } from '../../connection/resource.svelte.ts'
import { showNews, showFailure } from '../../parts/states/toasts.svelte.ts'

/** Saves a match's history as a file and says so. Gives the public key to verify it with; null: it could not be saved. */
export async function exportMatch(contest: ContestId, match: MatchNumber): Promise<string | null> {
  try {
    const exported = await call('histories.export', { contest, match })
    saveFile(exported.fileName, exported.content)
    showNews(`${exported.fileName} was saved to your downloads.`)
    return exported.publicKey
  } catch (reason) {
    showFailure(asFailure(reason))
    return null
  }
}
