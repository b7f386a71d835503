import { expect, test } from 'vitest'
import { requestRefusal, securityHeaders } from '../../../main/portal/guard.ts'

const origins = ['https://192.0.2.7:8443', 'https://class.example', 'https://*.school.example:8443']
const refused = (host: string | undefined, method: string, headers: Readonly<Record<string, string>> = {}): boolean =>
  requestRefusal({ method, headers, host }, origins) !== null

test.each([
  [undefined, true],
  ['', true],
  ['192.0.2.7:8443', false],
  ['192.0.2.7', true],
  ['192.0.2.7:443', true],
  ['class.example', false],
  ['class.example:8443', true],
  ['attacker.example', true],
  ['a.school.example:8443', false],
  ['school.example:8443', true],
  ['.school.example:8443', true],
  ['a.b.school.example:8443', true],
  ['*.school.example:8443', true],
  ['attacker.example/.school.example:8443', true],
])('reading as host "%s" is refused: %s', (host, isRefused) => {
  expect(refused(host, 'GET')).toBe(isRefused)
  expect(refused(host, 'HEAD')).toBe(isRefused)
})

test.each([
  ['https://192.0.2.7:8443', false],
  // One of ours, but not the one that the browser asked: pages of one name of ours are strangers to another.
  ['https://class.example', true],
  ['http://192.0.2.7:8443', true],
  ['https://attacker.example', true],
  ['null', true],
  [undefined, true],
])('changing something as a page of %s is refused: %s', (origin, isRefused) => {
  const headers = origin === undefined ? {} : { origin }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect(refused('192.0.2.7:8443', method, headers)).toBe(isRefused)
  expect(refused('192.0.2.7:8443', 'GET', { ...headers, upgrade: 'websocket' })).toBe(isRefused)
})

test('a page of one name of a certificate for many may act under that name alone', () => {
  const from = (origin: string): boolean => refused('a.school.example:8443', 'POST', { origin })
  expect(from('https://a.school.example:8443')).toBe(false)
  expect(from('https://b.school.example:8443')).toBe(true)
  expect(from('https://*.school.example:8443')).toBe(true)
})

test('browsers are told to insist on HTTPS only if they know the certificate', () => {
  expect(securityHeaders(false).strictTransportSecurity).toBe(false)
  expect(securityHeaders(true).strictTransportSecurity).toMatchObject({ includeSubDomains: false })
})
