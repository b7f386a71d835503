/**
 * The network of an address, by which strangers are counted: the owner of one address of IPv6 has all that begin with its first half.
 * Anything else than an address of IPv6 stays as it is.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [plain = ''] = address.split('%', 1)
  if (!/^(?=.*:.*:)[0-9a-f:]+(?:\d{1,3}(?:\.\d{1,3}){3})?$/i.test(plain)) return address
  const [head = '', tail] = plain.split('::', 2)
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros =
    tail === undefined ? [] : Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
