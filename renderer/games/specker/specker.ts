import type { GameWindow } from '../game.ts'

export const specker: GameWindow = {
  id: 'specker',
  title: 'Specker Challenge Game',
  settings: async () => (await import('./settings.ts')).settings,
  story: async () => (await import('./story.ts')).story,
}
