import * as z from 'zod'
import type { GameId } from '../contract/ids.ts'
import type { NativeRequest, NativeSignIn, NativeStep } from '../contract/game/native-dialogue.ts'
import { arenaLine } from '../players/wires/arena-wire.ts'
import type { DoorDialogue } from './door.ts'

/** The first line of a plain connection. */
const signIn = z.object({ arena: z.literal('sign-in'), credential: z.string().max(256) })

/** Bytes of that line. */
const firstLineMost = 1_024
const newline = 10

/**
 * Tartaglia's own dialogue; see docs/agents.md. The request for a WebSocket carries the credential, `Authorization: Bearer
 * CREDENTIAL`: what a page in a browser cannot send. The first line of a plain connection does.
 */
export function ownDialogue(game: GameId): DoorDialogue {
  return {
    first: { bytes: firstLineMost, tooMuch: `The first line is longer than ${firstLineMost} bytes.` },
    // Lines are cut where they are read: in the worker.
    framing: firstLine,
    signIn: (): NativeSignIn => ({
      joined: (request) => (request === null ? {} : inRequest(request)),
      receive: inLine,
      accepted: ({ entrant, line }) => arenaLine({ arena: 'signed in', game, entrant, line }),
      refused: (text) => arenaLine({ arena: 'refused', text }),
      goodbye: (text) => arenaLine({ arena: 'goodbye', text }),
    }),
  }
}

function inRequest({ headers }: NativeRequest): NativeStep {
  const [header = '', ...more] = headers['authorization'] ?? []
  const password = more.length > 0 ? undefined : /^Bearer ([\w-]{1,256})$/.exec(header)?.[1]
  if (password === undefined)
    return { refusal: 'A credential is needed: the header Authorization, "Bearer CREDENTIAL".' }
  return { claim: { by: 'credential', password } }
}

function inLine(line: Uint8Array): NativeStep {
  try {
    const read = signIn.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(line)))
    if (read.success) return { claim: { by: 'credential', password: read.data.credential } }
  } catch {
    // Said below.
  }
  return { refusal: 'The first line must be {"arena": "sign-in", "credential": "..."}.' }
}

/** The first line, and whatever comes after it as it comes. */
function firstLine(): { read(chunk: Uint8Array): readonly Uint8Array[] } {
  let rest: Buffer | null = Buffer.alloc(0)
  return {
    read(chunk) {
      if (rest === null) return [chunk]
      const read = Buffer.concat([rest, chunk])
      const end = read.indexOf(newline)
      if (end === -1) {
        rest = read
        return []
      }
      rest = null
      return [read.subarray(0, end + 1), ...(end + 1 < read.length ? [read.subarray(end + 1)] : [])]
    },
  }
}
