import { BlockList, isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { ExpectedError } from '../contract/expected-error.ts'
import { NETWORK_PORT } from '../contract/procedures/network.ts'
import { createNetwork, type Network, type Opening } from '../portal/network.ts'
import { resources } from '../services/machine/resources.ts'

/** The options with which somebody opens the class to the network. */
export interface NetworkOptions {
  readonly host?: string
  readonly port?: number
  readonly cert?: string
  readonly key?: string
  readonly publicUrl?: string
  readonly trustedProxy?: string
}

/** The port for a reverse proxy unless another one is given. */
const PROXY_PORT = 8080

/** The class of a data folder on the network, closed at first. */
export function classNetwork(data: string, onUnexpected: (error: unknown, doing: string) => void): Network {
  return createNetwork({ keys: join(data, 'keys'), files: resources.renderer, onUnexpected })
}

/** Checks the options together. null: the class is not opened. Throws ExpectedError 'usage' with one sentence. */
export function openingOf({ host, port, cert, key, publicUrl, trustedProxy }: NetworkOptions): Opening | null {
  const isProxied = publicUrl !== undefined || trustedProxy !== undefined
  const hasCertificate = cert !== undefined || key !== undefined
  if (isProxied && hasCertificate)
    throw refusal(
      'options-conflict',
      '--cert and --key are for HTTPS of our own: behind a proxy, it has the certificate.',
    )
  if (isProxied) {
    if (publicUrl === undefined)
      throw refusal(
        'option-missing',
        '--trusted-proxy needs --public-url, the address by which browsers reach the proxy.',
      )
    if (trustedProxy === undefined)
      throw refusal('option-missing', '--public-url needs --trusted-proxy, the address from which the proxy connects.')
    checkProxy(trustedProxy)
    const where = checkedHost(host ?? '127.0.0.1', true)
    return {
      ...{ how: 'proxied', host: where, port: port ?? PROXY_PORT },
      ...{ publicUrl: originIn(publicUrl), trusted: trustedProxy },
    }
  }
  if (cert === undefined && key !== undefined) throw refusal('option-missing', '--key needs --cert, its certificate.')
  if (cert !== undefined && key === undefined) throw refusal('option-missing', '--cert needs --key, its private key.')
  if (host === undefined) {
    if (!hasCertificate) return null
    throw refusal('option-missing', '--cert needs --host, the address on which the class is opened.')
  }
  const files = cert === undefined || key === undefined ? null : { cert: resolve(cert), key: resolve(key) }
  return { how: 'tls', host: checkedHost(host, false), port: port ?? NETWORK_PORT, files }
}

function refusal(code: 'options-conflict' | 'option-missing' | 'address-invalid', sentence: string): ExpectedError {
  return new ExpectedError('usage', code, sentence)
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** An address or a name to listen on. This machine alone is not the network, except for a proxy on it. */
function checkedHost(host: string, isForProxy: boolean): string {
  const family = isIP(host)
  const isName = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host) && !/^[\d.]+$/.test(host)
  if (family === 0 && !isName)
    throw refusal('address-invalid', `${JSON.stringify(host)} is neither an address nor a host name.`)
  const isHere = family === 0 ? /^localhost$/i.test(host) : loopback.check(host, family === 6 ? 'ipv6' : 'ipv4')
  if (isHere && !isForProxy)
    throw refusal(
      'address-invalid',
      `${host} is this machine alone, where the classroom is open anyway: name an address of the network.`,
    )
  return host.toLowerCase()
}

/** An address, or a network in CIDR notation. */
function checkProxy(text: string): void {
  const [address = '', bits, ...more] = text.split('/')
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address) as 0 | 4 | 6]
  const isFine =
    more.length === 0 && most > 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  // A network of every address would believe everybody.
  if (!isFine || Number(bits) === 0)
    throw refusal('address-invalid', `--trusted-proxy ${text} is not an IP address, or a network such as 10.0.0.0/8.`)
}

/** The size of a network, in bits of its name, below which it is wider than one of a school's machines: see `proxyWarning`. */
const WIDE = { 4: 24, 6: 64 } as const

/** A warning about a network of trusted proxies that has more machines than proxies; null: none is due. */
export function proxyWarning(opening: Opening | null): string | null {
  if (opening?.how !== 'proxied') return null
  const [address = '', bits] = opening.trusted.split('/')
  const least = WIDE[isIP(address) === 6 ? 6 : 4]
  if (bits === undefined || Number(bits) >= least) return null
  return (
    `--trusted-proxy ${opening.trusted} is a wide network: each machine in it can claim any address for its requests, and so pass by ` +
    'the limits on sign-ins and requests. Name the address of the proxy alone.'
  )
}

function originIn(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isPlain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === ''
  if (url === null || url.protocol !== 'https:' || !isPlain || url.pathname !== '/')
    throw refusal(
      'address-invalid',
      `--public-url ${text} is not an https:// address without a path, such as https://class.school.example.`,
    )
  return url.origin
}
