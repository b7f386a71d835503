import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { certificateToKeep, groupsOf, typedFingerprint } from '../../../main/services/remote-class/certificate-pin.ts'
import { classOrigin } from '../../../main/services/remote-class/class-address.ts'
import { configFolder, keepSignIn, keptSignInAt } from '../../../main/services/remote-class/kept-sign-ins.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const pin = (digit: string, key = digit) => ({ fingerprint: digit.repeat(64), key: key.repeat(64) })
const modeOf = (path: string): number => statSync(path).mode & 0o777

describe('the certificate of a class', () => {
  const shown = (digit: string, isKnown = false, key = digit) => ({ ...pin(digit, key), isKnown })

  test('is pinned if it is self-made, and afterwards the same one or its key is accepted', () => {
    expect(certificateToKeep(shown('a'), undefined, null)).toEqual(pin('a'))
    expect(certificateToKeep(shown('a'), pin('a'), null)).toEqual(pin('a'))
    // A class makes a new one with the same key at a new address, and each year.
    expect(certificateToKeep(shown('b', false, 'a'), pin('a'), null)).toEqual(pin('b', 'a'))
    expect(certificateToKeep(shown('a', true), undefined, null)).toBeNull()
    expect(certificateToKeep(shown('b', true), null, null)).toBeNull()
  })

  test('is refused if it changed, whoever has issued the new one, unless the educator shows its fingerprint', () => {
    const changed = refusal('certificate-changed', groupsOf('b'.repeat(64)))
    expect(() => certificateToKeep(shown('b'), pin('a'), null)).toThrow(changed)
    expect(() => certificateToKeep(shown('b', true), pin('a'), null)).toThrow(changed)
    expect(() => certificateToKeep(shown('b'), null, null)).toThrow(changed)
    expect(certificateToKeep(shown('b'), pin('a'), 'b'.repeat(64))).toEqual(pin('b'))
    expect(() => certificateToKeep(shown('b', true), undefined, 'a'.repeat(64))).toThrow(changed)
  })

  test('has a fingerprint that may be typed in groups', () => {
    const grouped = groupsOf('0123456789abcdef'.repeat(4))
    expect(grouped).toMatch(/^0123 4567 89ab cdef 0123/)
    expect(typedFingerprint(grouped.toUpperCase())).toBe('0123456789abcdef'.repeat(4))
    expect(() => typedFingerprint('0123')).toThrow(refusal('input-invalid', '0123'))
  })
})

describe('kept sign-ins', () => {
  const signIn = (token: string) => ({ token, name: 'Ada', certificate: pin('a') })

  test('are one for each class, in a file for their owner alone', () => {
    const folder = join(temporaryFolder('sign-ins'), 'config', 'tartaglia')
    expect(keptSignInAt(folder, 'https://a.example')).toBeNull()
    expect(existsSync(folder)).toBe(false)
    keepSignIn(folder, 'https://a.example', signIn('1'))
    keepSignIn(folder, 'https://b.example', { ...signIn('2'), certificate: null })
    keepSignIn(folder, 'https://a.example', signIn('3'))
    expect(keptSignInAt(folder, 'https://a.example')).toEqual(signIn('3'))
    expect(keptSignInAt(folder, 'https://b.example')).toMatchObject({ token: '2' })
    expect(keptSignInAt(folder, '__proto__')).toBeNull()
    expect([folder, join(folder, 'tokens.json')].map(modeOf)).toEqual([0o700, 0o600])
  })

  test.skipIf(process.platform === 'win32')('are closed to others if they were open (needs modes)', () => {
    const folder = join(temporaryFolder('sign-ins'), 'tartaglia')
    mkdirSync(folder, { mode: 0o755 })
    const file = join(folder, 'tokens.json')
    writeFileSync(file, '{"format":1,"classes":{}}')
    chmodSync(file, 0o644)
    keptSignInAt(folder, 'https://a.example')
    expect(modeOf(file)).toBe(0o600)
    keepSignIn(folder, 'https://a.example', signIn('1'))
    expect(modeOf(folder)).toBe(0o700)
  })

  test('that are damaged are neither used nor lost', () => {
    const folder = temporaryFolder('sign-ins')
    const file = join(folder, 'tokens.json')
    for (const text of [
      '',
      '{',
      '[]',
      '{"format":2,"classes":{}}',
      '{"format":1,"classes":{"https://a.example":{}}}',
    ]) {
      writeFileSync(file, text)
      expect(() => keptSignInAt(folder, 'https://a.example')).toThrow(refusal('json-invalid', file))
      expect(() => keepSignIn(folder, 'https://a.example', signIn('1'))).toThrow(refusal('json-invalid', file))
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
  })

  test('lie in the folder of a user’s settings', () => {
    expect(configFolder({ XDG_CONFIG_HOME: '/x' }, 'linux', '/home/a')).toBe(join('/x', 'tartaglia'))
    for (const relative of ['', 'x', './x'])
      expect(configFolder({ XDG_CONFIG_HOME: relative }, 'linux', '/home/a')).toBe(
        join('/home/a', '.config', 'tartaglia'),
      )
    expect(configFolder({ APPDATA: '/roaming' }, 'win32', '/home/a')).toBe(join('/roaming', 'Tartaglia'))
  })
})

test('the address of a class is its origin; plain HTTP is for this machine alone', () => {
  expect(classOrigin('https://Class.Example:8443/#/hand-in')).toBe('https://class.example:8443')
  expect(classOrigin('http://127.0.0.1:4000/?token=x')).toBe('http://127.0.0.1:4000')
  expect(classOrigin('http://localhost:4000')).toBe('http://127.0.0.1:4000')
  expect(classOrigin('http://[::1]:4000')).toBe('http://[::1]:4000')
  const others = [
    'http://192.0.2.7',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://[::ffff:192.0.2.7]',
  ]
  for (const address of [...others, 'ws://a.example', 'class.example', '192.0.2.7:8443', '', 'https://ada:x@a.example'])
    expect(() => classOrigin(address), address).toThrow(refusal('address-invalid'))
})
