import type { GameWindow } from '../game.ts'

export const cows: GameWindow = {
  id: 'cows',
  title: 'Cows and Herders',
  network: {
    plain: true,
    native:
      'The clients of 2008, which use XML: one connection per herder, with the post as username and its credential as password.',
  },
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('../../../docs/games/cows-rules.md')).default,
  story: async () => (await import('./story.ts')).story,
  play: {
    component: async () => (await import('./play/play.svelte')).default,
    opponents: 1,
    initial: { map: 'small', steps: 60 },
    problems: () => ({}),
  },
}
