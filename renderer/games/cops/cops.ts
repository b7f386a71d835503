import type { GameWindow } from '../game.ts'

export const cops: GameWindow = {
  id: 'cops',
  title: 'Cops & Robbers',
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('../../../docs/games/cops-rules.md')).default,
  story: async () => (await import('./story.ts')).story,
  play: {
    component: async () => (await import('./play/play.svelte')).default,
    opponents: 5,
    initial: { lastWorld: 40 },
    role: {
      label: 'You play',
      setting: 'first',
      options: [
        { value: 'robber', label: 'the robber' },
        { value: 'cop', label: 'a cop' },
      ],
      // The first of six entrants is always the robber.
      place: ({ first }, opponents) => (first === 'cop' && opponents === 5 ? 1 : 0),
    },
    problems: () => ({}),
  },
}
