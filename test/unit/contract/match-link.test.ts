import { expect, test } from 'vitest'
import { classOf, matchLink, placeIn, readMatchLink, screenOf } from '../../../main/contract/histories/match-link.ts'

test('a link has the place of a screen and leads back to it', () => {
  for (const query of ['', '?move=37', '?move=37&line=2&as=panel', '?as=3', '?move=37&class=0123456789abcdef']) {
    const screen = `#/contests/week-1/matches/4${query}`
    const place = { contest: 'week-1', match: 4, ...placeIn(screen) }
    expect(readMatchLink(matchLink(place))).toEqual(place)
    expect(screenOf(place)).toBe(screen)
  }
  expect(matchLink({ contest: 'week-1', match: 4, move: 37 })).toBe('tartaglia://match/week-1/4?move=37')
  // Systems may add a slash to what they take for a path.
  expect(readMatchLink('tartaglia://match/week-1/4/?move=37')).toEqual({ contest: 'week-1', match: 4, move: 37 })
})

test('a link names its class by the beginning of its fingerprint, where that is known', () => {
  const place = { contest: 'week-1', match: 4, move: 37 }
  const link = matchLink({ ...place, ...classOf('0123456789abcdef'.repeat(4)) })
  expect(link).toBe('tartaglia://match/week-1/4?move=37&class=0123456789abcdef')
  expect(readMatchLink(link)).toEqual({ ...place, class: '0123456789abcdef' })
  expect(matchLink({ ...place, ...classOf('') })).toBe('tartaglia://match/week-1/4?move=37')
})

test('parameters of a screen that name something else are left out of a link', () => {
  expect(placeIn('#/histories/file/abc?move=3&tab=players&of=Ada%20L&constructor=1')).toEqual({ move: 3 })
  expect(placeIn('#/histories/file/abc?move=x')).toEqual({})
})

test.each([
  '',
  'tartaglia:',
  'tartaglia://match/week-1',
  'tartaglia://match/week-1/x',
  'tartaglia://match/week-1/-1',
  'tartaglia://match/../4',
  'tartaglia://match/week-1/4/../../settings',
  'tartaglia://match/week-1/4?move=1e3',
  'tartaglia://match/week-1/4?move=1&move=2',
  'tartaglia://match/week-1/4?as=everyone',
  'tartaglia://match/week-1/4?class=0123',
  'tartaglia://match/week-1/4?class=0123456789ABCDEF',
  'tartaglia://match/week-1/4?open=/etc/passwd',
  'tartaglia://match/week-1/4?move=1#/settings',
  'tartaglia://match/week-1/4 --inspect=0',
  'tartaglia://match/week-1/4\n',
  'tartaglia://match/%77eek/4',
  'tartaglia://user@match/week-1/4',
  'tartaglia://match:80/week-1/4',
  'TARTAGLIA://match/week-1/4?__proto__=1',
  'tartaglia://match/week-1/4?__proto__=1',
  'javascript:alert(1)//tartaglia://match/week-1/4',
  'https://match/week-1/4',
  `tartaglia://match/${'a'.repeat(400)}/4`,
])('a link that we would not write is refused: %j', (link) => {
  expect(readMatchLink(link)).toBeNull()
})
