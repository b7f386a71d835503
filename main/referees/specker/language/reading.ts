import * as z from 'zod'
import type { Json } from '../../../contract/json.ts'
import { bundle, ENERGY, type Bundle } from '../messages.ts'

/** The maximum number of parts that one sentence lists; a bundle may have thousands. */
const TOLD = 10
/** The maximum number of characters of a quoted value. */
const QUOTED = 60

/**
 * A player's answer: a bundle, or `{ "ready": true }`, which is one without actions and may name a protocol. If it does
 * not fit, one sentence lists every wrong part with its value and what is expected.
 */
export const answer: z.ZodType<Bundle> = z.unknown().transform((value, context): Bundle => {
  const read = bundle.safeParse(isReady(value) ? readiness(value) : value)
  if (read.success) return read.data
  context.addIssue({ code: 'custom', message: complaint(value as Json, read.error.issues) })
  return z.NEVER
})

function isReady(value: unknown): value is { readonly protocol?: unknown } {
  return (
    typeof value === 'object' && value !== null && 'ready' in value && value.ready === true && !('actions' in value)
  )
}

function readiness({ protocol }: { readonly protocol?: unknown }): object {
  return { actions: [], ...(protocol === undefined ? {} : { protocol }) }
}

type Issue = z.core.$ZodIssue

function complaint(value: Json, issues: readonly Issue[]): string {
  const told = issues.slice(0, TOLD).map((issue) => misfit(value, issue))
  const more = issues.length - told.length
  return `${told.join('; ')}${more > 0 ? `; and ${more} more ${more === 1 ? 'part does' : 'parts do'} not fit` : ''}.`
}

/** `actions.2.price is "half" and must be a whole number from 0 to 1000000000 (10^-9 energy)`. */
function misfit(value: Json, issue: Issue): string {
  const path = issue.path.map(String)
  const place = path.length === 0 ? 'the answer' : path.join('.')
  const found = at(value, path)
  if (issue.code === 'unrecognized_keys') {
    const keys = issue.keys.map((key) => JSON.stringify(cut(key))).join(', ')
    return `${place} has ${keys}, which ${owner(found)} does not have`
  }
  const shape = shapes[path.at(-1) ?? ''] ?? (/^\d+$/.test(path.at(-1) ?? '') ? shapes['action'] : shapes[''])
  return `${place} ${found === undefined ? 'is missing' : `is ${quoted(found)}`} and must be ${shape}`
}

const amount = `a whole number from 0 to ${ENERGY} (10^-9 energy)`
const types = 'offer, accept, reoffer, deliver, solve or reveal'

/** The expected values, by field name. */
const shapes: Readonly<Record<string, string>> = {
  '': 'an object { "actions": [...] }',
  actions: 'a list of at most 10000 actions',
  action: `an object whose "type" is ${types}`,
  protocol: '1, 2 or 3',
  type: types,
  kind: 'classic, belief or secret',
  price: amount,
  f: amount,
  challenge: 'the number of a challenge, 0 or more',
  predicate: 'a predicate of the challenge',
  instance: 'raw material of the challenge',
  solution: 'a solution of the challenge',
  secret: 'an object { "quality": "p/q", "commitment": a SHA-256 in 64 hex digits }',
  quality: 'a text "p/q"',
  commitment: 'a SHA-256 in 64 hex digits',
  nonce: '256 bits in 64 hex digits',
}

function at(value: Json, path: readonly string[]): Json | undefined {
  let found: Json | undefined = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as { readonly [key: string]: Json })[key]
  }
  return found
}

function owner(value: Json | undefined): string {
  const type = typeof value === 'object' && value !== null && 'type' in value ? value.type : undefined
  return typeof type === 'string' ? `an action of type ${cut(type)}` : 'it'
}

function quoted(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === 'object' && value !== null ? 'an object' : cut(JSON.stringify(value))
}

function cut(text: string): string {
  return text.length > QUOTED ? `${text.slice(0, QUOTED).toWellFormed()}...` : text
}
