import type { GameWindow } from '../game.ts'

export const haggle: GameWindow = {
  id: 'haggle',
  title: 'Haggling',
  settings: async () => (await import('./settings.ts')).settings,
  story: async () => (await import('./story.ts')).story,
  play: async () => (await import('./play.svelte')).default,
}
