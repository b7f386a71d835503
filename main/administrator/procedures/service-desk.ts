import { uploadName, type UploadKind, type UploadQuery } from '../../contract/procedures/uploads.ts'
import {
  procedures,
  type CallError,
  type Handlers,
  type ProcedureName,
  type CallReply,
} from '../../contract/procedures/procedures.ts'
import type { Caller, Visitor } from '../../contract/people/caller.ts'
import { procedureAccess, topicAccess, uploadAccess, type Access } from '../../contract/procedures/access.ts'
import { topic as topicName, type Topics } from '../../contract/procedures/topics.ts'
import type { ErrorCode } from '../../contract/error-codes.ts'
import { expectedError, malformed } from './call-error.ts'

/** The implementation of procedures and topics. */
export interface Service {
  readonly handlers: Handlers
  /** The caller that a visitor is at this moment. */
  callerOf(visitor: Visitor): Caller
  /**
   * Calls back with each value of a topic; returns the function to unsubscribe. Throws ExpectedError for an unknown
   * topic.
   */
  on(topic: string, listener: (value: unknown) => void): () => void
  /** Receives a package, which is too large for a call. Rejects with ExpectedError or MachineError, and like `content`. */
  takePackage(fileName: string, content: AsyncIterable<Uint8Array>): Promise<TakenFile>
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
  /** Checks the name, the caller's role and the input's size. `run` parses the input and calls the handler. */
  admit(name: unknown, input: unknown, visitor: Visitor): CallReply<Admitted>
  /** Returns the function to unsubscribe. */
  subscribe(topic: unknown, visitor: Visitor, listener: (value: unknown) => void): CallReply<() => void>
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

interface Admitted {
  /** The size of the input. */
  readonly characters: number
  /** Never rejects. */
  run(): Promise<CallReply<unknown>>
}

export function createServiceDesk(service: Service, onUnexpected: OnUnexpected): ServiceDesk {
  const { handlers, on } = service
  const explain = (error: unknown, doing: string): CallError => {
    const expected = expectedError(error)
    if (expected !== null) return expected
    onUnexpected(error, doing)
    return {
      code: 'host',
      reason: 'internal-error',
      message: `${doing} failed because of an internal error; see the program's output for details.`,
    }
  }

  const run = async (name: ProcedureName, input: unknown, caller: Caller): Promise<CallReply<unknown>> => {
    try {
      const parsed = procedures[name].input.safeParse(input)
      if (!parsed.success) return { ok: false, error: malformed(name, parsed.error) }
      // Input and handler have matching types, which TypeScript cannot express for a union of names.
      const handler: (input: never, caller: Caller) => Promise<unknown> = handlers[name]
      return { ok: true, value: await handler(parsed.data as never, caller) }
    } catch (error) {
      return { ok: false, error: explain(error, name) }
    }
  }

  return {
    explain,

    admit(name, input, visitor) {
      const caller = service.callerOf(visitor)
      if (!isProcedure(name)) {
        return refusal('unknown-procedure', 'procedure-unknown', `There is no procedure ${quoted(name)}.`)
      }
      if (!isOpenTo(procedureAccess[name], caller)) return forbidden(name)
      const weight = inputSize(input, procedures[name].characters)
      if (!weight.ok) return refusal('malformed', 'too-large', `${name}: the input is too large: ${weight.message}.`)
      return { ok: true, value: { characters: weight.characters, run: () => run(name, input, caller) } }
    },

    async take(kind, { name, file }, content, visitor) {
      const parsed = uploadName.safeParse(name)
      if (!parsed.success) return refusal('malformed', 'input-invalid', 'A file needs a name of 1 to 255 characters.')
      const expected = file ?? undefined
      if (expected !== undefined && (typeof expected !== 'string' || kind !== 'histories'))
        return refusal('malformed', 'input-invalid', 'Only a history can be announced, and it has exactly one handle.')
      if (!isOpenTo(uploadAccess[kind], service.callerOf(visitor))) return forbidden(`POST /${kind}`)
      try {
        const taken = kind === 'histories' ? service.takeHistory : service.takePackage
        return { ok: true, value: await taken(parsed.data, content, expected) }
      } catch (error) {
        return { ok: false, error: explain(error, 'The upload') }
      }
    },

    subscribe(topic, visitor, listener) {
      const parsed = topicName.safeParse(topic)
      if (!parsed.success)
        return refusal('unknown-procedure', 'procedure-unknown', `There is no topic ${quoted(topic)}.`)
      // The pattern of topics begins with their names.
      const [kind] = parsed.data.split(':', 1) as [keyof Topics]
      if (!isOpenTo(topicAccess[kind], service.callerOf(visitor))) return forbidden(parsed.data)
      try {
        return { ok: true, value: on(parsed.data, listener) }
      } catch (error) {
        return { ok: false, error: explain(error, parsed.data) }
      }
    },
  }
}

function isOpenTo(access: Access, { role }: Caller): boolean {
  return role !== null && access[role] !== undefined
}

function forbidden(doing: string): CallReply<never> {
  return refusal(
    'forbidden',
    'sign-in-needed',
    `${doing} is not open to you: sign in with an account that may do this.`,
  )
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
