import { X509Certificate } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import type { NetworkInterfaceInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  classCertificate,
  hostsOf,
  openOwnCertificate,
  ownCertificate,
  type CertificateFiles,
} from '../../../main/portal/certificate.ts'
import { refusal } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const now = new Date()
const later = (days: number): Date => new Date(now.getTime() + days * 86_400_000)
const hosts = ['192.0.2.7', '2001:db8::7', 'class.example', 'class.example.local']

const filesIn = (folder: string): CertificateFiles => ({
  cert: join(folder, 'portal-certificate.pem'),
  key: join(folder, 'portal-key.pem'),
})

test('a certificate of the class is valid for its addresses and names, for a year, and for no other', async () => {
  const folder = join(temporaryFolder('certificate'), 'keys')
  const made = await classCertificate(folder, hosts, now)
  const read = new X509Certificate(made.certificate)
  for (const host of ['192.0.2.7', '2001:db8::7']) expect(read.checkIP(host)).toBe(host)
  for (const name of ['class.example', 'class.example.local']) expect(read.checkHost(name)).toBe(name)
  expect(read.checkIP('192.0.2.8')).toBeUndefined()
  expect(read.checkHost('attacker.example')).toBeUndefined()
  expect(read.ca).toBe(false)
  expect(read.verify(read.publicKey)).toBe(true)
  expect(read.publicKey.asymmetricKeyDetails).toMatchObject({ namedCurve: 'prime256v1' })
  // Apple's systems refuse more than 825 days.
  expect(made.until.getTime() - new Date(read.validFrom).getTime()).toBeLessThan(825 * 86_400_000)
  expect(made.hosts).toEqual(hosts)
  expect(made.fingerprint).toBe(read.fingerprint256.replaceAll(':', '').toLowerCase())
  for (const file of Object.values(filesIn(folder))) expect(statSync(file as string).mode & 0o777).toBe(0o600)
})

test('it stays while it fits; another address or its end makes another one with the same key', async () => {
  const folder = temporaryFolder('certificate')
  const first = await classCertificate(folder, hosts, now)
  expect(await classCertificate(folder, hosts.slice(1), later(300))).toEqual(first)
  const moved = await classCertificate(folder, ['198.51.100.1'], now)
  expect(moved.hosts).toEqual(['198.51.100.1'])
  const renewed = await classCertificate(folder, ['198.51.100.1'], later(380))
  expect(renewed.until.getTime()).toBeGreaterThan(later(700).getTime())
  expect(new Set([first, moved, renewed].map(({ fingerprint }) => fingerprint)).size).toBe(3)
  expect(new Set([first, moved, renewed].map(({ keyFingerprint }) => keyFingerprint)).size).toBe(1)
  // A certificate that is lost or damaged is made again; a key is not, for students have compared it.
  writeFileSync(filesIn(folder).cert, 'nonsense')
  expect((await classCertificate(folder, hosts, now)).keyFingerprint).toBe(first.keyFingerprint)
  writeFileSync(filesIn(folder).key, 'nonsense')
  await expect(classCertificate(folder, hosts, now)).rejects.toThrow(refusal('certificate-invalid', 'portal-key.pem'))
  expect(readFileSync(filesIn(folder).key, 'utf8')).toBe('nonsense')
})

test('the educator’s files: each thing that is wrong with them is a sentence that names the file', async () => {
  const one = temporaryFolder('certificate')
  const two = temporaryFolder('certificate')
  const first = await classCertificate(one, hosts, now)
  await classCertificate(two, hosts, now)
  const files = filesIn(one)
  expect(ownCertificate(files)).toEqual(first)
  const refused = (some: Partial<CertificateFiles>, word: string): void =>
    expect(() => ownCertificate({ ...files, ...some })).toThrow(refusal('certificate-invalid', word))
  refused({ cert: join(one, 'none.pem') }, 'none.pem')
  refused({ key: files.cert }, 'portal-certificate.pem')
  refused({ cert: files.key }, 'portal-key.pem')
  refused({ key: filesIn(two).key }, 'not the key of')
  const empty = join(one, 'empty.pem')
  writeFileSync(empty, '')
  refused({ key: empty }, 'empty.pem')
})

test('files that are replaced are read again; while they do not fit, the last certificate stays', async () => {
  const one = temporaryFolder('certificate')
  const two = temporaryFolder('certificate')
  const first = await classCertificate(one, hosts, now)
  const second = await classCertificate(two, hosts, now)
  const problems: unknown[] = []
  const source = openOwnCertificate(filesIn(one), (problem) => problems.push(problem), 50)
  const changed = vi.fn()
  source.onChange(changed)
  expect(source.current()).toEqual(first)
  writeFileSync(filesIn(one).cert, second.certificate)
  await vi.waitUntil(() => problems.length > 0, { timeout: 60_000 })
  expect(source.current()).toEqual(first)
  writeFileSync(filesIn(one).key, second.key)
  await vi.waitUntil(() => changed.mock.calls.length === 1, { timeout: 60_000 })
  expect(source.current()).toEqual(second)
  source.close()
})

test('names of this machine: no loopback, no link-local address, no invalid name', () => {
  const at = (address: string, internal = false): NetworkInterfaceInfo => ({
    ...{ address, internal, netmask: '', mac: '', cidr: null },
    ...(address.includes(':') ? { family: 'IPv6' as const, scopeid: 0 } : { family: 'IPv4' as const }),
  })
  const interfaces = {
    lo: [at('127.0.0.1', true), at('::1', true)],
    eth0: [at('fe80::1'), at('2001:db8::7'), at('192.0.2.7')],
    none: undefined,
  }
  expect(hostsOf(interfaces, 'Lab-3')).toEqual(['192.0.2.7', '2001:db8::7', 'lab-3', 'lab-3.local'])
  expect(hostsOf(interfaces, 'lab.school.example')).toContain('lab.school.example')
  expect(hostsOf({}, 'not a name; "')).toEqual([])
})
