import { expect, test } from 'vitest'
import { openingOf, proxyWarning, type NetworkOptions } from '../../../main/app/network.ts'
import { interfacesOf } from '../../../main/app/handlers/network-handlers.ts'
import { networkLines } from '../../../main/cli/verbs/serve.ts'
import type { ErrorCode } from '../../../main/contract/error-codes.ts'
import { refusal } from '../../refusal.ts'

const proxy = { publicUrl: 'https://class.example', trustedProxy: '127.0.0.1' }

test('without options for the network the class stays closed, whatever the port', () => {
  expect(openingOf({})).toBeNull()
  expect(openingOf({ port: 4000 })).toBeNull()
})

test('HTTPS with a certificate of the class, with one of the educator, and a proxy', () => {
  expect(openingOf({ host: '192.0.2.7' })).toEqual({ how: 'tls', host: '192.0.2.7', port: 8443, files: null })
  expect(openingOf({ host: 'Lab.Example', port: 0, cert: '/a.pem', key: '/b.pem' })).toMatchObject({
    ...{ how: 'tls', host: 'lab.example', port: 0 },
    files: { cert: '/a.pem', key: '/b.pem' },
  })
  expect(openingOf(proxy)).toEqual({
    ...{ how: 'proxied', host: '127.0.0.1', port: 8080 },
    ...{ publicUrl: 'https://class.example', trusted: '127.0.0.1' },
  })
  expect(openingOf({ ...proxy, host: '10.0.0.4', port: 81, trustedProxy: '10.0.0.0/8' })).toMatchObject({
    ...{ host: '10.0.0.4', port: 81, trusted: '10.0.0.0/8' },
  })
  expect(openingOf({ ...proxy, publicUrl: 'https://class.example:444/' })).toMatchObject({
    publicUrl: 'https://class.example:444',
  })
})

const refused: readonly (readonly [NetworkOptions, ErrorCode, string])[] = [
  [{ cert: 'a', host: '192.0.2.7' }, 'option-missing', '--key'],
  [{ key: 'a', host: '192.0.2.7' }, 'option-missing', '--cert'],
  [{ cert: 'a', key: 'b' }, 'option-missing', '--host'],
  [{ publicUrl: 'https://class.example' }, 'option-missing', '--trusted-proxy'],
  [{ trustedProxy: '127.0.0.1' }, 'option-missing', '--public-url'],
  [{ ...proxy, cert: 'a', key: 'b' }, 'options-conflict', '--cert'],
  [{ host: '127.0.0.1' }, 'address-invalid', '127.0.0.1'],
  [{ host: '127.9.9.9' }, 'address-invalid', '127.9.9.9'],
  [{ host: '::1' }, 'address-invalid', '::1'],
  [{ host: 'localhost' }, 'address-invalid', 'localhost'],
  [{ host: '' }, 'address-invalid', ''],
  [{ host: '300.1.1.1' }, 'address-invalid', '300.1.1.1'],
  [{ host: 'a b' }, 'address-invalid', 'a b'],
  [{ ...proxy, trustedProxy: 'nginx' }, 'address-invalid', 'nginx'],
  [{ ...proxy, trustedProxy: '10.0.0.0/33' }, 'address-invalid', '10.0.0.0/33'],
  [{ ...proxy, trustedProxy: '0.0.0.0/0' }, 'address-invalid', '0.0.0.0/0'],
  [{ ...proxy, trustedProxy: '0.0.0.0/00' }, 'address-invalid', '0.0.0.0/00'],
  [{ ...proxy, trustedProxy: '::/0' }, 'address-invalid', '::/0'],
  [{ ...proxy, publicUrl: 'http://class.example' }, 'address-invalid', 'http://class.example'],
  [{ ...proxy, publicUrl: 'class.example' }, 'address-invalid', 'class.example'],
  [{ ...proxy, publicUrl: 'https://class.example/a' }, 'address-invalid', 'https://class.example/a'],
  [{ ...proxy, publicUrl: 'https://u:p@class.example' }, 'address-invalid', '--public-url'],
]
test.each(refused)('%j is refused as %s in a sentence that names %s', (options, code, word) => {
  expect(() => openingOf(options)).toThrow(refusal(code, ...(word === '' ? [] : [word])))
})

test('addresses to choose from: those of version 4 first, and none that other machines cannot reach', () => {
  const at = (address: string, internal = false) => ({
    ...{ address, internal, netmask: '', mac: '', cidr: null },
    ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
  })
  const all = { lo: [at('127.0.0.1', true)], wlan0: [at('fe80::1'), at('2001:db8::7'), at('192.0.2.7')] }
  expect(interfacesOf(all)).toEqual([
    { name: 'wlan0', host: '192.0.2.7' },
    { name: 'wlan0', host: '2001:db8::7' },
  ])
})

test('a terminal shows all addresses, the fingerprint in groups, and a code for cameras', () => {
  const addresses = ['https://192.0.2.7:8443', 'https://lab.local:8443']
  const shown = networkLines({
    ...{ isOpen: true, addresses, by: 'class', keyFingerprint: 'b'.repeat(64) },
    fingerprint: '0123456789abcdef'.repeat(4),
  }).join('\n')
  for (const address of addresses) expect(shown).toContain(address)
  expect(shown).toContain('0123 4567 89ab cdef 0123')
  expect(shown).toMatch(/[█▀▄]{20}/)
  const own = networkLines({ isOpen: true, addresses, by: 'own', fingerprint: 'a'.repeat(64), keyFingerprint: null })
  expect(own.join('\n')).not.toContain('aaaa')
})

test.each([
  ['0.0.0.0/1', true],
  ['10.0.0.0/8', true],
  ['192.168.0.0/23', true],
  ['192.168.4.0/24', false],
  ['127.0.0.1', false],
  ['2001:db8::/32', true],
  ['2001:db8::/64', false],
])('a warning about the trusted network %s: %j', (trustedProxy, isDue) => {
  const warning = proxyWarning(openingOf({ ...proxy, trustedProxy }))
  expect(warning !== null).toBe(isDue)
  if (isDue) expect(warning).toContain(trustedProxy)
})
test('nobody is warned of a proxy that does not exist', () => {
  expect([proxyWarning(null), proxyWarning(openingOf({ host: '192.0.2.7' }))]).toEqual([null, null])
})
