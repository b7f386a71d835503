import type { MatchSource } from '../../../main/contract/histories/match-source.ts'
import { call } from '../../connection/client.ts'
import { gameWindow } from '../../games.ts'

/** Fetches what it takes to show a match that will be looked at in a moment. Whoever opens it is told what is wrong with it. */
export function prefetchMatch(source: MatchSource): void {
  const fetchAll = async (): Promise<void> => {
    const screen = import('./match-view.svelte')
    const { facts } = await call('matches.get', { source })
    await Promise.all([screen, gameWindow(facts.game)?.story()])
  }
  fetchAll().catch(() => undefined)
}
