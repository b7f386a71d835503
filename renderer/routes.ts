import { route, type Route } from './router.ts'

/** Every screen there is. First match wins. A screen's component is fetched when it is first shown. */
export const routes: readonly Route[] = [
  route('/class', 'class', 'Class', () => import('./screens/class/class.svelte')),
]

/** The rail, from top to bottom. A section is there when one of `routes` belongs to it. */
export const sections = [
  { id: 'class', label: 'Class', href: '#/class', key: 'c' },
  { id: 'agents', label: 'Agents', href: '#/agents', key: 'a' },
  { id: 'challenges', label: 'Challenges', href: '#/challenges', key: 'l' },
  { id: 'contests', label: 'Contests', href: '#/contests', key: 'o' },
  { id: 'histories', label: 'Histories', href: '#/histories', key: 'h' },
  { id: 'settings', label: 'Settings', href: '#/settings', key: 's' },
] as const
export type SectionId = (typeof sections)[number]['id']
