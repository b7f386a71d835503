import type { NetworkInterfaceInfo } from 'node:os'
import { expect, test } from 'vitest'
import { hostsOfMachine } from '../../../main/services/contests/arena/network-contest.ts'

const at = (address: string, internal = false): NetworkInterfaceInfo => {
  const common = { address, netmask: '', mac: '', internal, cidr: null }
  return address.includes(':') ? { ...common, family: 'IPv6', scopeid: 0 } : { ...common, family: 'IPv4' }
}

test('where other machines reach this one: not loopback, not what means something on one link alone; each once', () => {
  const interfaces = {
    lo: [at('127.0.0.1', true), at('::1', true)],
    eth0: [at('fe80::1'), at('2001:db8::5'), at('10.0.0.5')],
    eth1: [at('192.168.1.7'), at('10.0.0.5')],
    gone: undefined,
  }
  expect(hostsOfMachine(interfaces)).toEqual(['10.0.0.5', '192.168.1.7', '2001:db8::5'])
  expect(hostsOfMachine({ lo: [at('127.0.0.1', true)] })).toEqual([])
})
