import { networkInterfaces } from 'node:os'
import { describe, expect, test } from 'vitest'
import { checkAddress, locateHost, whyNoAddress, type AddressLookup } from '../../../main/players/web/address.ts'
import { refusal } from '../../refusal.ts'

const isAllowed = (address: string, allowed: string): boolean => {
  try {
    checkAddress(address, [allowed], 'It')
    return true
  } catch {
    return false
  }
}
/** A name server that says something else each time. */
const saying = (...answers: readonly string[]): { readonly lookup: AddressLookup; readonly asked: string[] } => {
  const asked: string[] = []
  const lookup: AddressLookup = (name) => {
    asked.push(name)
    const address = answers[asked.length - 1]
    return address === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve([{ address }])
  }
  return { lookup, asked }
}

describe('an address is written so that nobody can read it differently', () => {
  test.each(['http://10.0.0.7', 'http://10.0.0.7/', 'https://anna.example:8443/a/b', 'http://[fd00::7]:8080/a'])(
    '%s is one',
    (address) => expect(whyNoAddress(address)).toBeNull(),
  )
  test.each([
    'ftp://10.0.0.7/',
    'file:///etc/passwd',
    '10.0.0.7:8080',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://10.0.0.7:80/',
    'http://10.0.0.7/a/../b',
    'http://10.0.0.7/a/%2e%2e/b',
    'http://10.0.0.7/a%2f..%2fb',
    'http://10.0.0.7\\@evil.example/',
    'http://anna@10.0.0.7/',
    'http://@10.0.0.7/',
    'http://10.0.0.7/?a',
    'http://10.0.0.7/#',
    'http://10.0.0.7/?',
    'http://ANNA.example/',
    'http://anna.example/ ',
    'http://an\tna.example/',
    '',
  ])('%j is invalid', (address) => expect(whyNoAddress(address)).not.toBeNull())
})

describe('the list of a class names scheme, host, port and the beginning of the path', () => {
  const allowed = 'http://10.0.0.7:8080/anna'
  test.each([
    ['http://10.0.0.7:8080/anna', true],
    ['http://10.0.0.7:8080/anna/', true],
    ['http://10.0.0.7:8080/anna/v2', true],
    ['http://10.0.0.7:8080/annabel', false],
    ['http://10.0.0.7:8080/', false],
    ['http://10.0.0.7:8080/anna/../root', false],
    ['https://10.0.0.7:8080/anna', false],
    ['http://10.0.0.7:8081/anna', false],
    ['http://10.0.0.7/anna', false],
    ['http://10.0.0.70:8080/anna', false],
    ['http://10.0.0.7.evil.example:8080/anna', false],
  ])('%s: %s', (address, yes) => expect(isAllowed(address, allowed)).toBe(yes))

  test('a path that ends in a slash covers what is below it alone; no path at all covers everything', () => {
    expect(isAllowed('http://10.0.0.7/anna', 'http://10.0.0.7/anna/')).toBe(false)
    expect(isAllowed('http://10.0.0.7/anna/x', 'http://10.0.0.7/anna/')).toBe(true)
    expect(isAllowed('http://10.0.0.7/anna', 'http://10.0.0.7')).toBe(true)
  })

  test('what is refused is told in one sentence', () => {
    expect(() => checkAddress('http://10.0.0.9/', [allowed], 'Entrant "anna"')).toThrow(
      refusal('address-not-allowed', 'Entrant "anna"', 'http://10.0.0.9/'),
    )
    expect(() => checkAddress('http://127.1/', [allowed], 'Entrant "anna"')).toThrow(
      refusal('address-invalid', 'Entrant "anna"', 'http://127.1/', 'http://127.0.0.1/'),
    )
  })
})

describe('a name is looked up once', () => {
  const address = 'http://anna.example:8080/'
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])

  test('what it means then is where it is asked, whatever it means later', async () => {
    const { lookup, asked } = saying('10.0.0.7', '127.0.0.1')
    expect(await locateHost(address, [address], 'It', lookup)).toEqual({ address, ip: '10.0.0.7' })
    expect(asked).toEqual(['anna.example'])
  })

  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '169.254.169.254',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'ff02::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    ...own.map((each) => each.address),
  ])('it must not mean %s', async (ip) => {
    await expect(locateHost(address, [address], 'It', saying(ip).lookup)).rejects.toThrow(
      refusal('address-invalid', 'It', 'http://anna.example:8080/', `(${ip})`),
    )
  })

  test('one that nobody knows is refused; an address in numbers is the educator’s own word and asks nobody', async () => {
    await expect(locateHost(address, [address], 'It', saying().lookup)).rejects.toThrow(
      refusal('address-invalid', 'It', 'http://anna.example:8080/', ' anna.example '),
    )
    const { lookup, asked } = saying()
    const here = 'http://127.0.0.1:8080/'
    expect(await locateHost(here, [here], 'It', lookup)).toEqual({ address: here, ip: '127.0.0.1' })
    const six = 'http://[::1]:8080/'
    expect(await locateHost(six, [six], 'It', lookup)).toEqual({ address: six, ip: '::1' })
    expect(asked).toEqual([])
  })

  test('nothing is looked up that is not allowed', async () => {
    const { lookup, asked } = saying('10.0.0.7')
    await expect(locateHost('http://other.example/', [address], 'It', lookup)).rejects.toThrow(
      refusal('address-not-allowed', 'http://other.example/'),
    )
    expect(asked).toEqual([])
  })
})
