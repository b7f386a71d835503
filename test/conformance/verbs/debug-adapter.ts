import { createConnection } from 'node:net'

/** A place at which a program stopped, with the names of its variables there. */
export interface Stop {
  readonly reason: string
  readonly file: string
  readonly line: number
  readonly variables: readonly string[]
}

interface Message {
  readonly event?: string
  readonly command?: string
  readonly success?: boolean
  readonly body?: {
    readonly reason?: string
    readonly threadId?: number
    readonly stackFrames?: readonly [{ readonly id: number; readonly line: number; readonly source: { path: string } }]
    readonly scopes?: readonly [{ readonly variablesReference: number }]
    readonly variables?: readonly { readonly name: string }[]
  }
}

/**
 * Does what an editor does over the Debug Adapter Protocol: connects to a debugger, sets a breakpoint, looks at the first stop, takes the
 * breakpoint away, and lets the program go on until it ends. Returns the stops.
 */
export async function debugProgram(port: number, file: string, line: number): Promise<readonly Stop[]> {
  const socket = createConnection(port, '127.0.0.1')
  const stops: Stop[] = []
  let [seq, thread, text] = [0, 0, '']
  let stop: Omit<Stop, 'variables'> = { reason: '', file: '', line: 0 }
  const send = (command: string, given: object): void => {
    const message = JSON.stringify({ seq: ++seq, type: 'request', command, arguments: given })
    socket.write(`Content-Length: ${Buffer.byteLength(message)}\r\n\r\n${message}`)
  }
  const breakAt = (lines: readonly number[]): void =>
    send('setBreakpoints', { source: { path: file }, breakpoints: lines.map((at) => ({ line: at })) })
  const hear: Readonly<Record<string, (body: NonNullable<Message['body']>) => void>> = {
    initialized() {
      breakAt([line])
      send('configurationDone', {})
    },
    stopped({ reason = '', threadId = 0 }) {
      thread = threadId
      stop = { ...stop, reason }
      send('stackTrace', { threadId })
    },
    stackTrace({ stackFrames }) {
      const [frame] = stackFrames!
      stop = { ...stop, file: frame.source.path, line: frame.line }
      send('scopes', { frameId: frame.id })
    },
    scopes: ({ scopes }) => send('variables', { variablesReference: scopes![0].variablesReference }),
    variables({ variables = [] }) {
      stops.push({ ...stop, variables: variables.map(({ name }) => name) })
      breakAt([])
      send('continue', { threadId: thread })
    },
  }
  socket.setEncoding('latin1').on('data', (chunk) => {
    text += String(chunk)
    for (;;) {
      const [head = '', length] = /^Content-Length: (\d+)\r\n\r\n/.exec(text) ?? []
      const end = head.length + Number(length)
      if (head === '' || text.length < end) return
      const { event, command = '', body = {} } = JSON.parse(text.slice(head.length, end)) as Message
      text = text.slice(end)
      hear[event ?? command]?.(body)
    }
  })
  send('initialize', { adapterID: 'python', pathFormat: 'path' })
  send('attach', { justMyCode: true })
  await new Promise<void>((resolve, reject) => socket.on('error', reject).on('close', () => resolve()))
  return stops
}
