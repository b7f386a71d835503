import { isIPv4 } from 'node:net'
import { ExpectedError } from '../../contract/expected-error.ts'

/**
 * The origin of a class from its address as a person gives it, such as `https://192.0.2.7:8443`; the rest of an address copied from a
 * browser does not matter. Plain HTTP is for this machine alone. Throws ExpectedError `address-invalid`.
 */
export function classOrigin(text: string): string {
  const refuse = (why: string): ExpectedError => new ExpectedError('usage', 'address-invalid', why)
  const url = URL.parse(text)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    throw refuse(`"${text}" is not the address of a class, which begins with https://, as the educator shows it.`)
  if (url.username !== '' || url.password !== '')
    throw refuse('The address of a class has no name and no password in it: leave out what stands before the @.')
  if (url.protocol === 'https:') return url.origin
  // The class at this machine answers under this name alone.
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1'
  if (isIPv4(url.hostname) ? url.hostname.startsWith('127.') : url.hostname === '[::1]') return url.origin
  throw refuse(
    `${url.origin} is not encrypted, so that others could read what you hand in: use the address with https://. ` +
      'Only a class on this very machine has one with http://.',
  )
}
