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
    problems: ({ rules }) =>
      rules === '2005-twist' ? { rules: 'A person plays by the rules of the first phase.' } : {},
  },
}
