import type { GameWindow } from '../game.ts'

export const specker: GameWindow = {
  id: 'specker',
  title: 'Specker Challenge Game',
  hasEnergy: true,
  network: { plain: true },
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('../../../docs/games/specker-rules.md')).default,
  story: async () => (await import('./story.ts')).story,
  play: {
    component: async () => (await import('./play/play.svelte')).default,
    opponents: 5,
    initial: { maxTurns: 5 },
    problems: ({ mode }) =>
      mode === 'asynchronous'
        ? { mode: 'If everybody acts at any time, only agents can play. Choose another timing.' }
        : {},
  },
}
