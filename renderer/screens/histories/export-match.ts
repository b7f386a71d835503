import type { ContestId, MatchNumber } from '../../../main/contract/ids.ts'
import { call } from '../../connection/client.ts'
import { saveFile } from '../../files.ts'
import { showNews } from '../../parts/states/toasts.svelte.ts'

/** Saves a match's history as a file and says so. Gives the public key to verify it with. Rejects with a CallFailure. */
export async function exportMatch(contest: ContestId, match: MatchNumber): Promise<string> {
  const exported = await call('histories.export', { contest, match })
  saveFile(exported.fileName, exported.content)
  showNews(`${exported.fileName} was saved to your downloads.`)
  return exported.publicKey
}
