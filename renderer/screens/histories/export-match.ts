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

/** Saves a match as a page that shows it in any browser, and says so. Rejects with a CallFailure. */
export async function shareMatch(contest: ContestId, match: MatchNumber): Promise<void> {
  const { fileName, content } = await call('histories.replay', { contest, match })
  saveFile(fileName, content)
  showNews(`${fileName} was saved to your downloads. Any browser opens it, without Tartaglia and without a network.`)
}
