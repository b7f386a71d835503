import { eraseSpectatorPicture, type GameWindow } from '../game.ts'

export const punter: GameWindow = {
  id: 'punter',
  title: 'Lambda Punter',
  network: {
    plain: true,
    native: 'Punters of 2017 in online mode; they need no credential and are seated as they come.',
  },
  settings: async () => (await import('./settings.ts')).settings,
  rulebook: async () => (await import('../../../docs/games/punter-rules.md')).default,
  story: async () => (await import('./story.ts')).story,
  spectators: async () => eraseSpectatorPicture((await import('./live-map.svelte')).default),
  play: {
    component: async () => (await import('./play/play.svelte')).default,
    opponents: 15,
    initial: { map: 'sample', coordinates: true },
    problems: () => ({}),
  },
}
