import { SaxesParser } from 'saxes'

/** Bytes of a message with the NUL that ends it, as in the organisers' configuration. */
export const MESSAGE_BYTES = 65_536

/** A message of a client: its type, and the attributes of its first element of the name that messages of this type have. */
export interface ClientMessage {
  readonly type: string
  /** null: there is no such element, or messages of this type have none. */
  readonly attributes: Readonly<Record<string, string>> | null
}

/** The element that messages of a type contain (spec 3.4). */
const elements: ReadonlyMap<string, string> = new Map([
  ['auth-request', 'authentication'],
  ['action', 'action'],
  ['ping', 'payload'],
])

const decoder = new TextDecoder('utf-8', { fatal: true })
/** The messages of a client are read as XML 1.0 whatever they declare, so that a reply in XML 1.0 may quote them. */
const options = { defaultXMLVersion: '1.0', forceXMLVersion: true, xmlns: false, position: false } as const

/**
 * Reads one message without the NUL that ends it: XML in UTF-8 with the root `message` (spec 3.4.1). White space before it, further
 * elements and what follows the root are not read (spec 4.1). A string: why it is discarded; null: it is empty.
 */
export function readClientMessage(bytes: Uint8Array): ClientMessage | string | null {
  const text = decoded(bytes)
  if (text === null) return 'it is not UTF-8'
  const document = text.trimStart()
  return document === '' ? null : parsed(document)
}

function decoded(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** The part of a document that has been read. */
interface Reading {
  depth: number
  type: string | undefined
  attributes: Readonly<Record<string, string>> | null
  /** Its root has ended. */
  isWhole: boolean
  problem: string | null
}

function parsed(document: string): ClientMessage | string {
  const read: Reading = { depth: 0, type: undefined, attributes: null, isWhole: false, problem: null }
  const refuse = (reason: string): void => {
    if (!read.isWhole) read.problem ??= reason.replace(/\.$/, '').slice(0, PROBLEM_SHOWN)
  }
  const parser = new SaxesParser<typeof options>(options)
  parser.on('error', ({ message }) => refuse(message))
  parser.on('doctype', () => refuse('a document type is not allowed'))
  parser.on('opentag', ({ name, attributes }) => {
    read.depth += 1
    if (read.isWhole) return
    if (read.depth === 1) {
      if (name === 'message') read.type = attributes['type']
      else refuse(`its root is "${name.slice(0, NAME_SHOWN)}", not "message"`)
    } else if (read.depth === 2 && name === elements.get(read.type ?? '')) {
      read.attributes ??= attributes
    }
  })
  parser.on('closetag', () => {
    read.depth -= 1
    if (read.depth === 0) read.isWhole = true
  })
  parser.write(document).close()
  const { type, attributes, isWhole, problem } = read
  if (problem !== null) return problem
  if (!isWhole) return 'it is not a whole XML document'
  return type === undefined ? 'its root has no attribute "type"' : { type, attributes }
}

/** Characters of a name that are quoted, and of a reason in all. */
const NAME_SHOWN = 40
const PROBLEM_SHOWN = 200
