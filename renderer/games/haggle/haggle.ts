import type { GameWindow } from '../game.ts'

export const haggle: GameWindow = {
  id: 'haggle',
  title: 'Haggling',
  network: { plain: true },
  settings: async () => (await import('./settings.ts')).settings,
  story: async () => (await import('./story.ts')).story,
  play: {
    component: async () => (await import('./play.svelte')).default,
    opponents: 1,
    initial: {},
    problems: () => ({}),
  },
}
