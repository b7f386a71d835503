import { describe, expect, test } from 'vitest'
import { links } from '../../../renderer/navigation/links.ts'
import { matchRoute, type RouteMatch } from '../../../renderer/navigation/router.ts'
import { routes, sections } from '../../../renderer/navigation/routes.ts'

function found(place: RouteMatch | null): readonly [string, object] | null {
  return place === null ? null : [place.route.pattern, place.parameters]
}

describe('locate', () => {
  test.each([
    [links.class, '/class', {}],
    [links.agents, '/agents?game', {}],
    [links.handIn('haggle'), '/agents?game', { game: 'haggle' }],
    [links.agent('Ada & Bo #1'), '/agents/:name?tab&line', { name: 'Ada & Bo #1' }],
    ['#/agents/baby?tab=faults', '/agents/:name?tab&line', { name: 'baby', tab: 'faults' }],
    ['#/agents/baby?tab=faults&more=1', '/agents/:name?tab&line', { name: 'baby', tab: 'faults' }],
    [links.matches('c-1', 'Ada & Bo'), '/contests/:contest?tab&of', { contest: 'c-1', tab: 'matches', of: 'Ada & Bo' }],
    [
      links.match('c-1', 3, 'Ada & Bo'),
      '/contests/:contest/matches/:match?at&seat&as&and&move&line&tab&of&class&beside',
      { contest: 'c-1', match: '3', of: 'Ada & Bo' },
    ],
    [
      `${links.analysis('c-1')}?tab=query&sql=SELECT%201`,
      '/contests/:contest/analysis?tab&question&with&sql&chart&search',
      { contest: 'c-1', tab: 'query', sql: 'SELECT 1' },
    ],
    [links.challenge('max-csp'), '/challenges/:name', { name: 'max-csp' }],
    [links.histories, '/histories?search&game&subject&agent&against&faults', {}],
    [links.dossiers, '/evidence', {}],
    [links.dossier('x'), '/evidence/:dossier', { dossier: 'x' }],
    [links.hearings, '/hearings?search', {}],
    [
      links.newHearing('#/contests/c-1/matches/2?move=3'),
      '/hearings/new?event',
      { event: '#/contests/c-1/matches/2?move=3' },
    ],
    [links.hearing('case-1'), '/hearings/:hearing?exhibit&as', { hearing: 'case-1' }],
    [links.hearingFile('a b'), '/hearings/file/:file?exhibit&as', { file: 'a b' }],
    [links.hearingProjector('case-1'), '/hearings/:hearing/projector', { hearing: 'case-1' }],
    [links.gradebook, '/grades/book', {}],
    [`${links.term}?game=haggle`, '/grades/term?game', { game: 'haggle' }],
    [links.auditLog, '/people/log?search&kind', {}],
    [links.settings, '/settings', {}],
    [links.classes, '/classes', {}],
  ])('%s', (hash, pattern, parameters) => {
    expect(found(matchRoute(hash, routes))).toEqual([pattern, parameters])
  })

  test.each(['', '#', '#/', '#/agents/', '#/agents/a/b', '#/nowhere', '#/agents/%E0%A4%A', '#agents', '#/class/x'])(
    '%s leads nowhere',
    (hash) => {
      expect(matchRoute(hash, routes)).toBeNull()
    },
  )

  test('names that are not our words stay data', () => {
    expect(found(matchRoute('#/agents/__proto__', routes))).toEqual(['/agents/:name?tab&line', { name: '__proto__' }])
    expect(found(matchRoute(`#/agents/${encodeURIComponent('<img src=x>')}`, routes))?.[1]).toEqual({
      name: '<img src=x>',
    })
  })
})

describe('routes', () => {
  test('every section of the rail leads to a screen of its own section', () => {
    for (const { id, href } of sections) expect(matchRoute(href, routes)?.route.section).toBe(id)
  })

  test('no pattern is hidden by one before it', () => {
    for (const route of routes) {
      const address = `#${route.pattern.replace(/\?.*/, '').replaceAll(/:\w+/g, 'x')}`
      expect(matchRoute(address, routes)?.route).toBe(route)
    }
  })

  test('keys of the rail differ', () => {
    expect(new Set(sections.map(({ key }) => key)).size).toBe(sections.length)
  })
})
