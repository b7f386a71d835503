import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkOf } from '../contract/networks.ts'
import type { Visitor } from '../contract/people/caller.ts'
import { isUpload } from './uploads.ts'

/**
 * Requests in a time. Somebody who has signed in is counted by their session, and their uploads by person, so that a class behind one
 * address shares nothing; only strangers are counted by address: 200 browsers that load the window at once are 12,000 requests.
 */
const rates = {
  requests: { session: 600, address: 20_000, inMs: 60_000 },
  uploads: { max: 120, inMs: 3_600_000 },
} as const

/**
 * Answers that strangers of one network get in a minute: a class of 200 loads the page to sign in at once, which is about ten requests
 * each. A refusal counts as several, since no page of ours asks for one.
 */
const ANSWERS_MAX = 20_000
const REFUSAL = 8
const MINUTE = 60_000

/** Counts the answers to strangers by network. Most never reach the limits of requests. */
export interface RefusalLimit {
  /** Counts one. False: there were too many. */
  allows(address: string, isRefusal: boolean): boolean
}

/** `now`: a clock in ms that never goes back. */
export function createRefusalLimit(most = ANSWERS_MAX, now: () => number = () => performance.now()): RefusalLimit {
  let begun = now()
  const given = new Map<string, number>()
  return {
    allows(address, isRefusal) {
      if (now() - begun >= MINUTE) {
        begun = now()
        given.clear()
      }
      const network = networkOf(address)
      const before = given.get(network) ?? 0
      // Beyond as many networks as are counted, only those that are known are.
      if (before > 0 || given.size < counted) given.set(network, before + (isRefusal ? REFUSAL : 1))
      return before < most
    },
  }
}

/** Sessions and addresses whose requests are counted at a time; beyond them, the oldest are forgotten. */
const counted = 20_000

/** Limits the requests to a listener of the network; more are answered with 429. */
export async function addRateLimits(
  app: FastifyInstance,
  visitorOf: (request: FastifyRequest) => Visitor | null,
): Promise<void> {
  const sessionOf = (request: FastifyRequest): string | null => {
    const visitor = visitorOf(request)
    return visitor?.kind === 'session' ? visitor.session : null
  }
  const keyOf = (request: FastifyRequest): string => {
    const visitor = visitorOf(request)
    // Uploads take room on the disk: a person who signs in again has no more of them.
    if (isUpload(request) && visitor?.kind === 'session') return `person ${visitor.person} uploads`
    const session = sessionOf(request)
    const whose = session === null ? `network ${networkOf(request.ip)}` : `session ${session}`
    return isUpload(request) ? `${whose} uploads` : whose
  }
  await app.register(rateLimit, {
    cache: counted,
    keyGenerator: keyOf,
    max: (request) =>
      isUpload(request)
        ? rates.uploads.max
        : sessionOf(request) === null
          ? rates.requests.address
          : rates.requests.session,
    timeWindow: (request: FastifyRequest) => (isUpload(request) ? rates.uploads.inMs : rates.requests.inMs),
    // Numbers that help only somebody who probes; the time to wait stays.
    addHeaders: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  })
}
