import type { GameWindow } from '../game.ts'

export const cops: GameWindow = {
  id: 'cops',
  title: 'Cops & Robbers',
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('./rulebook.ts')).rulebook,
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
      // Of six entrants the first one is the robber in any case.
      place: ({ first }, opponents) => (first === 'cop' && opponents === 5 ? 1 : 0),
    },
    problems: () => ({}),
  },
}
