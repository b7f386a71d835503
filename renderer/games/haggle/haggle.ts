import { eraseSpectatorPicture, type GameWindow } from '../game.ts'

export const haggle: GameWindow = {
  id: 'haggle',
  title: 'Haggling',
  network: { plain: true, native: 'The clients of 2018, as haggle.js; their id is the credential.' },
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('../../../docs/games/haggle-rules.md')).default,
  story: async () => (await import('./story.ts')).story,
  spectators: async () => eraseSpectatorPicture((await import('./live-session.svelte')).default),
  play: {
    component: async () => (await import('./play.svelte')).default,
    opponents: 1,
    initial: {},
    problems: () => ({}),
  },
}
