import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { networkOf } from '../../contract/networks.ts'
import type { PersonId } from '../../contract/people/people.ts'
import { randomCode } from './one-time-codes.ts'
import type { Place } from './sessions.ts'

// Sign-in of a terminal (RFC 8628): it shows a code, which a person confirms in their browser, and gets a session of its own. Requests
// are in memory: strangers make them. After a restart the person runs the command again.

/** ms: 15 minutes. */
export const DEVICE_LIFE = 15 * 60_000
/** ms after the last question of its terminal, when a request leaves its place; with the next question it is back. */
export const DEVICE_SILENCE = 2 * 60_000
/**
 * Places of terminals that wait, in the class and in one network, behind which a class may be. Nobody is refused: the terminal that was
 * heard of longest ago gives way, and is back with its next question. A network gets 20,000 answers a minute (portal/rate-limits.ts), so a
 * neighbour who asks for codes all the time can push others out for a part of each minute; they come back by themselves.
 */
const PLACES = 5_000
const PLACES_OF_NETWORK = 1_000
/** Terminals of one person that were confirmed and have not come for their session; the oldest gives way. */
const CONFIRMED_OF_PERSON = 5

/** A terminal that asks to be signed in. */
export interface DeviceRequest extends Place {
  readonly userCode: string
  /** ms since the epoch. */
  readonly made: number
}

interface Waiting extends DeviceRequest {
  /** The time of its last question. ms since the epoch. */
  readonly heard: number
}

interface Confirmed {
  readonly userCode: string
  readonly made: number
  readonly person: PersonId
  /** ms since the epoch. */
  readonly until: number
}

/** The terminals that ask to be signed in to a class. */
export interface Devices {
  /** Signs the secrets of terminals, so that one without a place is known again. */
  readonly key: Uint8Array
  /** By network and user code; in a network, the one heard of longest ago comes first. */
  readonly waiting: Map<string, Map<string, Waiting>>
  /** The oldest one first. */
  confirmed: readonly Confirmed[]
  /** When the requests were made that are used up, by user code. ms since the epoch. */
  readonly over: Map<string, number>
}

export function createDevices(): Devices {
  return { key: randomBytes(32), waiting: new Map(), confirmed: [], over: new Map() }
}

const isAlive = (made: number, now: number): boolean => made <= now && now < made + DEVICE_LIFE
const isHeard = ({ made, heard }: Waiting, now: number): boolean => isAlive(made, now) && now < heard + DEVICE_SILENCE

/** Begins a request. `deviceCode`: the terminal's secret; `userCode`: for the person. */
export function beginDevice(
  devices: Devices,
  place: Place,
  now: number,
): { readonly deviceCode: string; readonly userCode: string; readonly until: number } {
  forgetOld(devices, now)
  const userCode = randomCode()
  takePlace(devices, { userCode, made: now, ...place }, now)
  return { deviceCode: deviceCodeOf(devices, { userCode, made: now }), userCode, until: now + DEVICE_LIFE }
}

function deviceCodeOf({ key }: Devices, { userCode, made }: Pick<DeviceRequest, 'userCode' | 'made'>): string {
  const signed = `${userCode}.${made.toString(36)}`
  return `${signed}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** The request of a secret that this class has made; null: it has not. */
function requestOf(devices: Devices, deviceCode: string): Pick<DeviceRequest, 'userCode' | 'made'> | null {
  const [, userCode = '', time = ''] = /^([2-9A-Z]{8})\.([0-9a-z]{1,11})\.[\w-]{43}$/.exec(deviceCode) ?? []
  const request = { userCode, made: Number.parseInt(time, 36) }
  const [own, given] = [Buffer.from(deviceCodeOf(devices, request)), Buffer.from(deviceCode)]
  return own.length === given.length && timingSafeEqual(own, given) ? request : null
}

/** Puts a request last in its network, whose first one gives way when all places are taken. */
function takePlace({ waiting }: Devices, { userCode, made, address, agent }: DeviceRequest, now: number): void {
  const network = networkOf(address)
  const own = waiting.get(network) ?? new Map<string, Waiting>()
  waiting.set(network, own)
  own.delete(userCode)
  own.set(userCode, { userCode, made, heard: now, address: address.slice(0, 100), agent: agent.slice(0, 300) })
  const fullest = (): Map<string, Waiting> => [...waiting.values()].reduce((a, b) => (b.size > a.size ? b : a))
  const dropFirst = (of: Map<string, Waiting>): unknown => of.delete(of.keys().next().value ?? '')
  if (own.size > PLACES_OF_NETWORK) dropFirst(own)
  if ([...waiting.values()].reduce((sum, { size }) => sum + size, 0) > PLACES) dropFirst(fullest())
}

function forgetOld(devices: Devices, now: number): void {
  const { waiting, over } = devices
  for (const [network, own] of waiting) {
    for (const [userCode, each] of own) {
      if (isHeard(each, now)) break
      own.delete(userCode)
    }
    if (own.size === 0) waiting.delete(network)
  }
  devices.confirmed = devices.confirmed.filter(({ made, until }) => isAlive(made, now) && now < until)
  for (const [userCode, made] of over) if (now >= made + DEVICE_LIFE) over.delete(userCode)
}

function waitingWith({ waiting }: Devices, userCode: string, now: number): Waiting | null {
  for (const own of waiting.values()) {
    const found = own.get(userCode)
    if (found !== undefined && isHeard(found, now)) return found
  }
  return null
}

/** The request with a user's code that waits for its person; null: none. */
export function deviceRequest(devices: Devices, userCode: string, now: number): DeviceRequest | null {
  return waitingWith(devices, userCode, now)
}

/** Confirms a request as a person. False: none waits with this code. */
export function confirmDevice(devices: Devices, userCode: string, person: PersonId, now: number): boolean {
  forgetOld(devices, now)
  const found = waitingWith(devices, userCode, now)
  if (found === null) return false
  for (const own of devices.waiting.values()) own.delete(userCode)
  const { made } = found
  const own = devices.confirmed.filter((each) => each.person === person)
  const first = own.length < CONFIRMED_OF_PERSON ? undefined : own[0]
  const others = devices.confirmed.filter((each) => each !== first)
  devices.confirmed = [...others, { userCode, made, person, until: now + DEVICE_SILENCE }]
  return true
}

/**
 * The person who has confirmed the request of a device's code, which is then used up; `waiting`: nobody yet; `unknown`: there is no
 * such request, or its time is over. Each question keeps its place for `DEVICE_SILENCE` more. `place`: the terminal's.
 */
export function takeDevice(
  devices: Devices,
  deviceCode: string,
  place: Place,
  now: number,
): { readonly person: PersonId } | 'waiting' | 'unknown' {
  const request = requestOf(devices, deviceCode)
  if (request === null || !isAlive(request.made, now) || devices.over.has(request.userCode)) return 'unknown'
  const { userCode, made } = request
  const confirmed = devices.confirmed.find((each) => each.userCode === userCode && now < each.until)
  if (confirmed === undefined) {
    takePlace(devices, { userCode, made, ...place }, now)
    return 'waiting'
  }
  useUp(devices, (each) => each === confirmed)
  return { person: confirmed.person }
}

function useUp(devices: Devices, isMeant: (each: Confirmed) => boolean): void {
  for (const { userCode, made } of devices.confirmed.filter(isMeant)) devices.over.set(userCode, made)
  devices.confirmed = devices.confirmed.filter((each) => !isMeant(each))
}

/** Drops what a person has confirmed and no terminal has taken. */
export function forgetDevices(devices: Devices, person: PersonId): void {
  useUp(devices, (each) => each.person === person)
}
