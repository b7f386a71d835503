import {
  fileName as fileNameSchema,
  procedures,
  topic as topicName,
  type CallError,
  type Caller,
  type Handlers,
  type ProcedureName,
  type Reply,
} from '../../contract/procedures.ts'
import { expectedError, malformed } from './call-error.ts'
import { inputSize } from './input-size.ts'

/** What procedures and topics come from. */
export interface Service {
  readonly handlers: Handlers
  /** Calls back with each value of a topic; gives the function that ends it. Throws ExpectedError for a topic that is not there. */
  on(topic: string, listener: (value: unknown) => void): () => void
  /** Takes in a file that is too large for a call. Rejects with what a person must be told, and as `content` does. */
  takeHistory(fileName: string, content: AsyncIterable<Uint8Array>, expected?: string): Promise<TakenFile>
}

/** The name by which a file that was taken in is known from then on. */
export interface TakenFile {
  readonly file: string
}

/** Told what nobody expected, which screens do not get to see. `doing`: a procedure's name or a topic. */
export type OnUnexpected = (error: unknown, doing: string) => void

/** Where calls are examined before a handler sees them. */
export interface ServiceDesk {
  /** Looks at the name, the caller's right and the input's size. `run` parses the input and calls the handler. */
  admit(name: unknown, input: unknown, caller: Caller): Reply<Admitted>
  /** The function that ends the subscription. */
  subscribe(topic: unknown, caller: Caller, listener: (value: unknown) => void): Reply<() => void>
  /** Takes a history in, piece by piece. `expected`: what `histories.expect` has called it, or null. Never rejects. */
  take(
    fileName: unknown,
    content: AsyncIterable<Uint8Array>,
    caller: Caller,
    expected: unknown,
  ): Promise<Reply<TakenFile>>
  /** The sentence for something that was thrown while `doing`. */
  explain(error: unknown, doing: string): CallError
}

export interface Admitted {
  /** How much the input holds. */
  readonly characters: number
  /** Never rejects. */
  run(): Promise<Reply<unknown>>
}

export function createServiceDesk({ handlers, on, takeHistory }: Service, onUnexpected: OnUnexpected): ServiceDesk {
  const explain = (error: unknown, doing: string): CallError => {
    const expected = expectedError(error)
    if (expected !== null) return expected
    onUnexpected(error, doing)
    return {
      code: 'host',
      message: `${doing} was stopped by an error inside the program; what it was stands in the program's own output.`,
    }
  }

  const run = async (name: ProcedureName, input: unknown, caller: Caller): Promise<Reply<unknown>> => {
    try {
      const parsed = procedures[name].input.safeParse(input)
      if (!parsed.success) return { ok: false, error: malformed(name, parsed.error) }
      // Input and handler belong to the same name, which a union of all names cannot say.
      const handler: (input: never, caller: Caller) => Promise<unknown> = handlers[name]
      return { ok: true, value: await handler(parsed.data as never, caller) }
    } catch (error) {
      return { ok: false, error: explain(error, name) }
    }
  }

  return {
    explain,

    admit(name, input, caller) {
      if (!isProcedure(name)) {
        return refusal('unknown-procedure', `There is no procedure ${quoted(name)}.`)
      }
      if (caller.right !== procedures[name].right)
        return refusal('forbidden', `${name} is for an ${procedures[name].right} who has signed in.`)
      const weight = inputSize(input, procedures[name].characters)
      if (!weight.ok) return refusal('malformed', `${name}: the input holds ${weight.message}.`)
      return { ok: true, value: { characters: weight.characters, run: () => run(name, input, caller) } }
    },

    async take(fileName, content, caller, expected) {
      const parsed = fileNameSchema.safeParse(fileName)
      if (!parsed.success) return refusal('malformed', 'A file needs a name of 1 to 255 characters.')
      const handle = expected ?? undefined
      if (handle !== undefined && typeof handle !== 'string')
        return refusal('malformed', 'A file comes under one name.')
      if (caller.right !== 'educator') return refusal('forbidden', 'Files are for an educator who has signed in.')
      try {
        return { ok: true, value: await takeHistory(parsed.data, content, handle) }
      } catch (error) {
        return { ok: false, error: explain(error, 'Taking the file in') }
      }
    },

    subscribe(topic, caller, listener) {
      const parsed = topicName.safeParse(topic)
      if (!parsed.success)
        return refusal('unknown-procedure', `There is nothing to subscribe to called ${quoted(topic)}.`)
      if (caller.right === null) return refusal('forbidden', `${parsed.data} is for an educator who has signed in.`)
      try {
        return { ok: true, value: on(parsed.data, listener) }
      } catch (error) {
        return { ok: false, error: explain(error, parsed.data) }
      }
    },
  }
}

function isProcedure(name: unknown): name is ProcedureName {
  return typeof name === 'string' && Object.hasOwn(procedures, name)
}

function refusal(code: CallError['code'], message: string): { readonly ok: false; readonly error: CallError } {
  return { ok: false, error: { code, message } }
}

/** What a stranger has sent as a name, cut to what fits into a sentence. */
function quoted(name: unknown): string {
  return typeof name === 'string' ? JSON.stringify(name.slice(0, 60)) : 'that is not a text'
}
