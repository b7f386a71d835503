import { lookup as systemLookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { ExpectedError } from '../../contract/expected-error.ts'

/** An agent that is a web application, at an allowed address that was resolved once. */
export interface WebAgent {
  /** http: or https:. */
  readonly address: string
  /** The IP address of its host. It is not looked up again, so that the name cannot change its meaning. */
  readonly ip: string
}

/** The same as in node:dns/promises. */
export type AddressLookup = (name: string) => Promise<readonly { readonly address: string }[]>

const resolve: AddressLookup = (name) => systemLookup(name, { all: true, order: 'ipv4first' })

/** Addresses to which names must not lead: this machine, cloud metadata services, and unassigned addresses. */
const closed = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(net, bits, 'ipv4')
for (const [net, bits] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  closed.addSubnet(net, bits, 'ipv6')

/**
 * Why this is not an address of a web application; null: it is one. It must be http or https and written in normalized
 * form, so that all programs read it alike: no escapes, no "..", no user, no query.
 */
export function whyNoAddress(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    return 'it is not an address that begins with http:// or https://'
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '' || /[?#@]/.test(address))
    return 'an address must not contain a user, a question mark or #'
  if (/[%\\]/.test(address) || (url.href !== address && url.href !== `${address}/`))
    return `it is not written in normalized form, ${url.href.slice(0, 200)}`
  return null
}

/**
 * True if one of the class's allowed addresses covers this one: same scheme, host and port, and the same path or one
 * below it.
 */
function isAllowed(address: string, allowed: readonly string[]): boolean {
  return whyNoAddress(address) === null && allowed.some((each) => whyNoAddress(each) === null && covers(each, address))
}

function covers(allowed: string, address: string): boolean {
  const [rule, url] = [new URL(allowed), new URL(address)]
  const below = rule.pathname.endsWith('/') ? rule.pathname : `${rule.pathname}/`
  return rule.origin === url.origin && (url.pathname === rule.pathname || url.pathname.startsWith(below))
}

/** Throws ExpectedError 'usage' that begins with `who` if an address is not valid or not allowed. */
export function checkAddress(address: string, allowed: readonly string[], who: string): void {
  const problem = whyNoAddress(address)
  if (problem !== null)
    throw new ExpectedError('usage', 'address-invalid', `${who} is at ${shown(address)}, and ${problem}.`)
  if (!isAllowed(address, allowed))
    throw new ExpectedError(
      'usage',
      'address-not-allowed',
      `${who} is at ${shown(address)}, which is not among the class's allowed addresses: the educator adds it in the settings.`,
    )
}

/**
 * Resolves an allowed address once per contest. A name must not lead to this machine, because the owner of the name
 * could point it at local services. A numeric address or localhost was chosen by the educator and may. Throws like
 * `checkAddress`.
 */
export async function locateHost(
  address: string,
  allowed: readonly string[],
  who: string,
  lookup: AddressLookup = resolve,
): Promise<WebAgent> {
  checkAddress(address, allowed, who)
  const name = new URL(address).hostname.replace(/^\[|\]$/g, '')
  if (isIP(name) !== 0) return { address, ip: name }
  const [first] = await lookup(name).catch(() => [])
  if (first === undefined)
    throw new ExpectedError(
      'usage',
      'address-invalid',
      `${who} is at ${shown(address)}, and the name ${shown(name)} cannot be resolved.`,
    )
  if (name !== 'localhost' && isClosed(first.address)) {
    const text = `${who} is at ${shown(address)}, and that name leads to this machine or to no valid host (${first.address})`
    throw new ExpectedError('usage', 'address-invalid', `${text}.`)
  }
  return { address, ip: first.address }
}

function isClosed(ip: string): boolean {
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4'
  const own = Object.values(networkInterfaces()).some((each) => each?.some(({ address }) => address === ip))
  return own || closed.check(ip, family)
}

const shown = (text: string): string => (text.length > 200 ? `${text.slice(0, 199)}…` : text)
