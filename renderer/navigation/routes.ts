import { route, type Route } from './router.ts'

/** All screens. The first match wins. A screen's component is loaded when it is first shown. */
export const routes: readonly Route[] = [
  route('/class', 'class', 'Class', () => import('../screens/class/class.svelte')),
  route('/agents?game', 'agents', 'Agents', () => import('../screens/agents/agents.svelte')),
  route(
    '/agents/:name?tab&line',
    'agents',
    ({ name }) => name,
    () => import('../screens/agent/agent.svelte'),
    { needs: 'agents.get' },
  ),
  route('/sources', 'agents', 'Public sources', () => import('../screens/sources/sources.svelte')),
  route(
    '/sources/:name/:agent?file&line',
    'agents',
    ({ name }) => `Source of ${name}`,
    () => import('../screens/sources/source.svelte'),
  ),
  route('/components', 'agents', 'Components', () => import('../screens/components/components.svelte')),
  route('/components/:component', 'agents', 'Component', () => import('../screens/components/component.svelte')),
  route('/challenges', 'challenges', 'Challenges', () => import('../screens/challenges/challenges.svelte')),
  route('/challenges/new', 'challenges', 'New challenge', () => import('../screens/challenge/challenge.svelte'), {
    needs: 'challenges.save',
  }),
  route(
    '/challenges/:name',
    'challenges',
    ({ name }) => name,
    () => import('../screens/challenge/challenge.svelte'),
  ),
  route('/contests?of', 'contests', 'Contests', () => import('../screens/contests/contests.svelte')),
  route(
    '/contests/new?challenge',
    'contests',
    'New contest',
    () => import('../screens/contests/new/new-contest.svelte'),
    { needs: 'contests.create' },
  ),
  route(
    '/contests/recurring',
    'contests',
    'Recurring contests',
    () => import('../screens/contests/recurring/recurring.svelte'),
  ),
  route('/contests/:contest?tab&of', 'contests', 'Contest', () => import('../screens/contests/contest/contest.svelte')),
  route(
    '/contests/:contest/projector',
    'contests',
    'Projector',
    () => import('../screens/contests/projector/projector.svelte'),
    {
      bare: true,
    },
  ),
  route(
    '/contests/:contest/analysis?tab&question&with&sql&chart&search',
    'contests',
    'Analysis',
    () => import('../screens/analysis/analysis.svelte'),
    { needs: 'mining.ask' },
  ),
  route(
    '/contests/:contest/matches/:match?at&seat&as&and&move&line&tab&of&class&beside',
    'contests',
    ({ match }) => `Match ${match}`,
    () => import('../screens/match/match.svelte'),
  ),
  route('/play?game&against', 'agents', 'Play', () => import('../screens/play/new-play.svelte'), {
    needs: 'play.begin',
  }),
  route('/play/:contest', 'agents', 'Your match', () => import('../screens/play/play.svelte'), { needs: 'play.get' }),
  route(
    '/histories?search&game&subject&agent&against&faults',
    'histories',
    'Histories',
    () => import('../screens/histories/histories.svelte'),
  ),
  route(
    '/histories/file/:file?as&and&move&line&tab',
    'histories',
    'Match',
    () => import('../screens/match/file-match.svelte'),
  ),
  route('/evidence', 'histories', 'Evidence', () => import('../screens/evidence/dossiers.svelte'), {
    needs: 'dossiers.list',
  }),
  route('/evidence/:dossier', 'histories', 'Dossier', () => import('../screens/evidence/dossier.svelte'), {
    needs: 'dossiers.get',
  }),
  route('/evidence/file/:file', 'histories', 'Dossier', () => import('../screens/evidence/opened-dossier.svelte'), {
    needs: 'dossiers.open',
  }),
  route('/hearings?search', 'hearings', 'Hearings', () => import('../screens/hearings/hearings.svelte'), {
    needs: 'cases.list',
  }),
  route(
    '/hearings/file/:file?exhibit&as',
    'hearings',
    'Case',
    () => import('../screens/hearings/opened-hearing.svelte'),
    {
      needs: 'cases.open',
    },
  ),
  route('/hearings/new?event', 'hearings', 'File a case', () => import('../screens/hearings/new-hearing.svelte'), {
    needs: 'cases.file',
  }),
  route(
    '/hearings/:hearing?exhibit&as',
    'hearings',
    ({ hearing }) => `Hearing of ${hearing.replace('-', ' ')}`,
    () => import('../screens/hearings/hearing.svelte'),
    { needs: 'cases.get' },
  ),
  route(
    '/hearings/:hearing/projector',
    'hearings',
    'Projector',
    () => import('../screens/hearings/hearing-projector.svelte'),
    { bare: true, needs: 'cases.get' },
  ),
  route('/grades/book', 'grades', 'Gradebook', () => import('../screens/grades/gradebook.svelte'), {
    needs: 'grades.book',
  }),
  route('/grades/term?game', 'grades', 'The term', () => import('../screens/grades/term.svelte'), {
    needs: 'grades.term',
  }),
  route('/help?search', 'help', 'Help', () => import('../screens/help/help.svelte')),
  route('/help/:page?at', 'help', 'Help', () => import('../screens/help/help-page.svelte')),
  route('/team', 'team', 'My team', () => import('../screens/team/team.svelte'), { needs: 'teams.mine' }),
  route('/hand-in?contest&trial', 'hand-in', 'Hand in', () => import('../screens/hand-in/hand-in-screen.svelte'), {
    needs: 'teams.mine',
  }),
  route('/people', 'people', 'People', () => import('../screens/people/people.svelte'), { needs: 'people.list' }),
  route('/people/slips', 'people', 'Slips', () => import('../screens/people/print-slips.svelte'), {
    bare: true,
    needs: 'people.code',
  }),
  route('/people/log?search&kind', 'people', 'Audit log', () => import('../screens/audit/audit.svelte'), {
    needs: 'audit.list',
  }),
  route('/classes', 'class', 'Classes', () => import('../screens/classes/classes.svelte'), { needs: 'classes.open' }),
  route('/me', 'settings', 'My account', () => import('../screens/me/me.svelte')),
  route('/settings', 'settings', 'Settings', () => import('../screens/settings/settings.svelte'), {
    needs: 'settings.set',
  }),
]

/** The navigation from top to bottom. A section is shown if one of `routes` belongs to it, and the person may call what it needs. */
export const sections = [
  { id: 'class', label: 'Class', href: '#/class', key: 'c', needs: 'class.overview' },
  { id: 'hand-in', label: 'Hand in', href: '#/hand-in', key: 'i', needs: 'teams.mine' },
  { id: 'team', label: 'My team', href: '#/team', key: 't', needs: 'teams.mine' },
  { id: 'agents', label: 'Agents', href: '#/agents', key: 'a', needs: 'agents.list' },
  { id: 'challenges', label: 'Challenges', href: '#/challenges', key: 'l', needs: 'challenges.list' },
  { id: 'contests', label: 'Contests', href: '#/contests', key: 'o', needs: 'contests.list' },
  { id: 'histories', label: 'Histories', href: '#/histories', key: 'h', needs: 'histories.list' },
  { id: 'hearings', label: 'Hearings', href: '#/hearings', key: 'r', needs: 'cases.list' },
  { id: 'grades', label: 'Grades', href: '#/grades/term', key: 'd', needs: 'grades.term' },
  { id: 'people', label: 'People', href: '#/people', key: 'e', needs: 'people.list' },
  { id: 'settings', label: 'Settings', href: '#/settings', key: 's', needs: 'settings.set' },
] as const
export type SectionId = (typeof sections)[number]['id']
