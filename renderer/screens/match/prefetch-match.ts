import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { call } from '../../connection/client.ts'
import { gameWindow } from '../../games.ts'

/** Fetches the screen and data of a match that will be opened in a moment. Errors are reported when it is opened. */
export function prefetchMatch(source: MatchSource): void {
  const fetchAll = async (): Promise<void> => {
    const screen = import('./match-view.svelte')
    const { facts } = await call('matches.get', { source })
    await Promise.all([screen, gameWindow(facts.game)?.story()])
  }
  fetchAll().catch(() => undefined)
}
