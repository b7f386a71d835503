import { uploadName, type UploadKind, type UploadQuery } from '../../contract/procedures/uploads.ts'
import {
  procedures,
  type CallError,
  type Handlers,
  type ProcedureName,
  type CallReply,
} from '../../contract/procedures/procedures.ts'
import { SEEN_GUEST, type Caller, type SeenAs, type Visitor } from '../../contract/people/caller.ts'
import { personId, type PersonId } from '../../contract/people/people.ts'
import type { CallerView } from '../../contract/people/objects.ts'
import {
  procedureAccess,
  reachOf,
  topicAccess,
  uploadAccess,
  type Access,
  type Row,
} from '../../contract/procedures/access.ts'
import { onlyReads, readOnlyRefusal } from '../../contract/procedures/read-only.ts'
import { topic as topicName, type Topics } from '../../contract/procedures/topics.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import type { Json } from '../../contract/json.ts'
import { expectedError, malformed } from './call-error.ts'
import { createChangeBudget, type ChangeBudget } from './change-budget.ts'
import { absent, createFileOwners, outOfReach, ownerOf, withoutMachine, type FileOwners } from './reach.ts'

/** The implementation of procedures and topics. */
export interface Service {
  readonly handlers: Handlers
  /** True: the class is open to look at, and every change is refused. */
  readonly isReadOnly: boolean
  /** The caller that a visitor is at this moment. `isUse` false: they are told something, which is not a use of their session. */
  callerOf(visitor: Visitor | SeenAs, isUse?: boolean): Caller
  /** The class as a caller with a role sees it now. */
  viewOf(caller: Caller): CallerView
  /** Appends a line to the audit log about a call that succeeded. */
  audit(caller: Caller, did: ProcedureName, what: Json): void
  /**
   * Calls back with each value of a topic; returns the function to unsubscribe. `caller`: who listens, and may be
   * taken to be present; absent: the program. Throws ExpectedError for an unknown topic.
   */
  on(topic: string, listener: (value: unknown) => void, caller?: Caller): () => void
  /**
   * Receives a package, which is too large for a call. Rejects with ExpectedError or MachineError, and like `content`. `owner`: whose
   * limits of files and bytes count; null: the person at this machine, for whom there are those of all only.
   */
  takePackage(fileName: string, content: AsyncIterable<Uint8Array>, owner: PersonId | null): Promise<TakenFile>
  /** The same for an export of a class. */
  takeArchive(fileName: string, content: AsyncIterable<Uint8Array>): Promise<TakenFile>
  /** The same for a history. `expected`: the handle from `histories.expect`. */
  takeHistory(fileName: string, content: AsyncIterable<Uint8Array>, expected?: string): Promise<TakenFile>
}

/** The id of an uploaded file. */
export interface TakenFile {
  readonly file: string
}

/** Called on unexpected errors, which are not shown on screens. `doing`: a procedure's name or a topic. */
export type OnUnexpected = (error: unknown, doing: string) => void

/** Validates calls before they reach a handler. */
export interface ServiceDesk {
  /**
   * Checks the name, the caller's role and the input's size. `run` parses the input and calls the handler. `as`: the id of a student, or `guest`,
   * as whom the visitor looks at the class.
   */
  admit(name: unknown, input: unknown, visitor: Visitor, as?: unknown): CallReply<Admitted>
  /** Returns the function to unsubscribe. */
  subscribe(topic: unknown, visitor: Visitor, listener: (told: Told) => void, as?: unknown): CallReply<() => void>
  /** Receives an uploaded file, piece by piece. Never rejects. */
  take(
    kind: UploadKind,
    query: UploadQuery,
    content: AsyncIterable<Uint8Array>,
    visitor: Visitor,
  ): Promise<CallReply<TakenFile>>
  /** The failure for an error thrown during `doing`. */
  explain(error: unknown, doing: string): CallError
}

/**
 * A topic's value as its subscriber may see it at the moment of the call; null: they see nothing of it. A caller that takes a few of many values
 * narrows only these.
 */
export type Told = () => { readonly value: unknown } | null

interface Admitted {
  /** The size of the input. */
  readonly characters: number
  /** Never rejects. */
  run(): Promise<CallReply<unknown>>
}

/** The state of a desk. */
interface Desk {
  readonly service: Service
  readonly onUnexpected: OnUnexpected
  /** The owners of uploaded and opened files. */
  readonly owners: FileOwners
  readonly budget: ChangeBudget
}

export function createServiceDesk(
  service: Service,
  onUnexpected: OnUnexpected,
  budget: ChangeBudget = createChangeBudget(),
): ServiceDesk {
  const desk: Desk = { service, onUnexpected, owners: createFileOwners(), budget }
  return {
    explain: (error, doing) => explain(desk, error, doing),

    admit(name, input, visitor, as) {
      const self = visitorAs(visitor, as)
      if (self === null) return refusal('malformed', 'input-invalid', 'Nobody has such an id.')
      const caller = service.callerOf(self)
      if (!isProcedure(name)) {
        return refusal('unknown-procedure', 'procedure-unknown', `There is no procedure ${quoted(name)}.`)
      }
      if (reachOf(procedureAccess[name], caller) === undefined) return forbidden(name, caller)
      if (service.isReadOnly && !onlyReads(name)) return refusedChange()
      if (caller.isSeen === true && !onlyReads(name)) return refusedAsStudent()
      const weight = inputSize(input, procedures[name].characters)
      if (!weight.ok) return refusal('malformed', 'too-large', `${name}: the input is too large: ${weight.message}.`)
      const seconds = onlyReads(name) ? 0 : budget.take(caller)
      if (seconds > 0) return refusedHaste(seconds)
      return { ok: true, value: { characters: weight.characters, run: () => run(desk, name, input, caller) } }
    },

    async take(kind, { name, file }, content, visitor) {
      const parsed = uploadName.safeParse(name)
      if (!parsed.success) return refusal('malformed', 'input-invalid', 'A file needs a name of 1 to 255 characters.')
      const expected = file ?? undefined
      if (expected !== undefined && (typeof expected !== 'string' || kind !== 'histories'))
        return refusal('malformed', 'input-invalid', 'Only a history can be announced, and it has exactly one handle.')
      const caller = service.callerOf(visitor)
      if (reachOf(uploadAccess[kind], caller) === undefined) return forbidden(`POST /${kind}`, caller)
      // A package is handed in, which is a change; an opened history is a temporary file.
      if (service.isReadOnly && kind !== 'histories') return refusedChange()
      if (expected !== undefined && !desk.owners.owns(caller, expected)) return absent({ file: expected })
      try {
        const taken = await taking(service, kind, { name: parsed.data, content, expected, caller })
        desk.owners.add(caller, taken.file)
        return { ok: true, value: taken }
      } catch (error) {
        return { ok: false, error: forCaller(explain(desk, error, 'The upload'), uploadAccess[kind], caller) }
      }
    },

    subscribe(topic, visitor, listener, as) {
      const self = visitorAs(visitor, as)
      if (self === null) return refusal('malformed', 'input-invalid', 'Nobody has such an id.')
      return subscribe(desk, topic, self, listener)
    },
  }
}

interface Sent {
  readonly name: string
  readonly content: AsyncIterable<Uint8Array>
  readonly expected: string | undefined
  readonly caller: Caller
}

async function taking(
  service: Service,
  kind: UploadKind,
  { name, content, expected, caller }: Sent,
): Promise<TakenFile> {
  if (kind === 'histories') return service.takeHistory(name, content, expected)
  if (kind === 'packages') return service.takePackage(name, content, ownerOf(caller))
  return service.takeArchive(name, content)
}

/** The visitor as whom a call is made; null: `as` is not an id. */
function visitorAs(visitor: Visitor, as: unknown): Visitor | SeenAs | null {
  if (as === undefined || as === null) return visitor
  if (as === SEEN_GUEST) return { kind: 'seen', person: as, by: visitor }
  const { success, data } = personId.safeParse(as)
  return success ? { kind: 'seen', person: data, by: visitor } : null
}

function explain({ onUnexpected }: Desk, error: unknown, doing: string): CallError {
  const expected = expectedError(error)
  if (expected !== null) return expected
  onUnexpected(error, doing)
  return {
    code: 'host',
    reason: 'internal-error',
    message: `${doing} failed because of an internal error; see the program's output for details.`,
  }
}

/** Runs an admitted call: the ONE place where its object is held against the caller's reach, and where its answer is narrowed. */
async function run(desk: Desk, name: ProcedureName, input: unknown, caller: Caller): Promise<CallReply<unknown>> {
  const { service, owners } = desk
  // Rows and handlers have types that match the input and the answer, which TypeScript cannot express for a union of names.
  const row = procedureAccess[name] as Row<unknown, unknown>
  const handler = service.handlers[name] as (input: unknown, caller: Caller) => Promise<unknown>
  try {
    const parsed = procedures[name].input.safeParse(input)
    if (!parsed.success) return { ok: false, error: malformed(name, parsed.error) }
    const refs = [row.object?.(parsed.data) ?? []].flat()
    const isWhole = reachOf(row, caller) === 'all'
    const view = isWhole ? null : service.viewOf(caller)
    const away = refs.find((ref) => outOfReach(ref, row, view, caller, owners))
    if (away !== undefined) return absent(away)
    let value = await handler(parsed.data, caller)
    for (const handle of row.opens?.(value) ?? []) owners.add(caller, handle)
    note(desk, name, parsed.data, value, caller)
    if (view !== null) {
      if (row.shows?.(value, view) === false) return absent(...refs)
      value = row.leave?.(value, view, parsed.data) ?? value
    }
    return { ok: true, value }
  } catch (error) {
    const explained = explain(desk, error, name)
    if (reachOf(row, caller) === 'all') return { ok: false, error: explained }
    const parsed = procedures[name].input.safeParse(input)
    const refs = parsed.success ? [row.object?.(parsed.data) ?? []].flat() : []
    const same = refs.map((ref) => absent(ref)).find((each) => !each.ok && each.error.reason === explained.reason)
    return same ?? { ok: false, error: withoutMachine(explained) }
  }
}

/** Writes the line of the audit log about a call. It was done already, so that a log that cannot be written does not undo its answer. */
function note(desk: Desk, name: ProcedureName, input: unknown, answer: unknown, caller: Caller): void {
  const { audited = false } = procedureAccess[name] as Row<unknown, unknown>
  if (audited === false || audited === 'itself') return
  try {
    const members = input as Readonly<Record<string, Json>>
    const what = Array.isArray(audited)
      ? Object.fromEntries(audited.map((member: string) => [member, members[member] ?? null]))
      : (audited as Extract<typeof audited, (...all: never) => unknown>)(input, answer, caller)
    desk.service.audit(caller, name, inBrief(what))
  } catch (error) {
    desk.onUnexpected(error, `The audit log of ${name}`)
  }
}

/** Lists and texts of a line in the audit log are cut beyond these lengths. */
const briefly = { items: 20, characters: 200 } as const

/** A value for the audit log, which would otherwise grow by all that a call names. */
export function inBrief(value: Json): Json {
  if (typeof value === 'string')
    return (value.length > briefly.characters ? `${value.slice(0, briefly.characters)}…` : value).toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items = value as readonly Json[]
    const more = items.length - briefly.items
    return [...items.slice(0, briefly.items).map(inBrief), ...(more > 0 ? [`… and ${more} more`] : [])]
  }
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inBrief(member)]))
}

function subscribe(
  desk: Desk,
  topic: unknown,
  visitor: Visitor | SeenAs,
  listener: (told: Told) => void,
): CallReply<() => void> {
  const { service, owners } = desk
  const parsed = topicName.safeParse(topic)
  if (!parsed.success) return refusal('unknown-procedure', 'procedure-unknown', `There is no topic ${quoted(topic)}.`)
  // The pattern of topics begins with their names.
  const [kind, name = ''] = parsed.data.split(':', 2) as [keyof Topics, string?]
  const row = topicAccess[kind] as Row<string, unknown>
  const refs = [row.object?.(name) ?? []].flat()
  const caller = service.callerOf(visitor)
  if (reachOf(row, caller) === undefined) return forbidden(parsed.data, caller)
  const viewFor = (of: Caller): CallerView | null => (reachOf(row, of) === 'all' ? null : service.viewOf(of))
  const firstView = viewFor(caller)
  const away = refs.find((ref) => outOfReach(ref, row, firstView, caller, owners))
  if (away !== undefined) return absent(away)
  /** The caller's role, and what they may see, can have changed since the subscription: then they hear nothing more. */
  const narrowed = (value: unknown): ReturnType<Told> => {
    const now = service.callerOf(visitor, false)
    if (reachOf(row, now) === undefined) return null
    const view = viewFor(now)
    if (refs.some((ref) => outOfReach(ref, row, view, now, owners))) return null
    return { value: view === null ? value : (row.leave?.(value, view, name) ?? value) }
  }
  try {
    return { ok: true, value: service.on(parsed.data, (value) => listener(() => narrowed(value)), caller) }
  } catch (error) {
    return { ok: false, error: forCaller(explain(desk, error, parsed.data), row, caller) }
  }
}

/** Paths of this machine are for those who administer the class. */
function forCaller(error: CallError, access: Access, caller: Caller): CallError {
  return reachOf(access, caller) === 'all' ? error : withoutMachine(error)
}

function refusedChange(): CallReply<never> {
  const { code, message } = readOnlyRefusal()
  return { ok: false, error: { code: 'refused', reason: code, message } }
}

function refusedHaste(seconds: number): CallReply<never> {
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`
  return refusal('refused', 'limit-reached', `You change the class too many times in a minute: go on in ${wait}.`)
}

function refusedAsStudent(): CallReply<never> {
  return refusal(
    'refused',
    'read-only',
    'You look at the class as somebody else sees it: nothing can be changed. Go back to your own view to change it.',
  )
}

function forbidden(doing: string, { isTerminal, role }: Caller): CallReply<never> {
  const why =
    isTerminal && role !== null
      ? 'is not open to a terminal, which may only hand in: use a browser'
      : 'is not open to you: sign in with an account that may do this'
  return refusal('forbidden', 'sign-in-needed', `${doing} ${why}.`)
}

function isProcedure(name: unknown): name is ProcedureName {
  return typeof name === 'string' && Object.hasOwn(procedures, name)
}

function refusal(code: CallError['code'], reason: ErrorCode, message: string): CallReply<never> {
  return { ok: false, error: { code, reason, message } }
}

/** An untrusted name, shortened for a sentence. */
function quoted(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : 'that is not a string'
}

/** The maximum nesting, deeper than any valid input; schemas recurse, so deeper input must not reach them. */
const deepest = 64

/** The result of measuring an untrusted input. */
type InputSize = { readonly ok: true; readonly characters: number } | { readonly ok: false; readonly message: string }

/**
 * Counts the characters of an input (strings and keys; anything else counts 1) without recursion, and stops at `most`.
 * Cycles, which a structured clone may contain, end at the maximum depth.
 */
export function inputSize(input: unknown, most: number): InputSize {
  let characters = 0
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: input, depth: 0 }]
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { value, depth } = item
    characters += typeof value === 'string' ? value.length + 1 : 1
    if (typeof value === 'object' && value !== null) {
      if (depth === deepest)
        return { ok: false, message: `lists and objects are nested more than ${deepest} levels deep` }
      // Holes, which a structured clone may contain, cost schemas as much as elements.
      if (Array.isArray(value) && value.length > most) return { ok: false, message: `more than ${most} characters` }
      for (const name of Object.keys(value)) {
        if (!Array.isArray(value)) characters += name.length
        open.push({ value: Reflect.get(value, name), depth: depth + 1 })
        if (characters + open.length > most) break
      }
    }
    if (characters + open.length > most) return { ok: false, message: `more than ${most} characters` }
  }
  return { ok: true, characters }
}
