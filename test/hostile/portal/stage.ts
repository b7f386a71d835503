import { wholeView } from '../../whole-view.ts'
import { hostCaller } from '../../../main/contract/people/caller.ts'
import { request, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { connect, type Socket } from 'node:net'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WebSocket } from 'ws'
import { createDispatcher } from '../../../main/administrator/procedures/dispatch.ts'
import type { Service } from '../../../main/administrator/procedures/service-desk.ts'
import type { Handlers } from '../../../main/contract/procedures/procedures.ts'
import type { UploadedPackages } from '../../../main/services/packages/uploaded-packages.ts'
import { openPortal, type Portal } from '../../../main/portal/portal.ts'
import type { Accounts } from '../../../main/administrator/people/accounts.ts'
import { presentCaller } from '../../../main/services/people/callers.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

/** A file that was taken in whole. */
interface Taken {
  readonly kind: 'history' | 'package'
  readonly name: string
  readonly bytes: number
  readonly expected?: string
}

/** A portal with a small window, a real port, and what the tests look at. */
export interface Stage {
  readonly portal: Portal
  readonly port: number
  readonly unexpected: unknown[]
  /** Files that were taken in whole. */
  readonly taken: Taken[]
  readonly emit: (value: unknown) => void
  close(): Promise<void>
}

/** `packages`: where packages are kept; by default they are only counted. */
export async function openStage(
  some: Partial<Handlers> = {},
  packages: Pick<UploadedPackages, 'add'> | null = null,
  accounts: Accounts | null = null,
): Promise<Stage> {
  const folder = temporaryFolder('portal')
  const files = join(folder, 'renderer')
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  write('secret.js', 'a secret')
  write('renderer/index.html', '<!doctype html><title>window</title>')
  write('renderer/assets/index-1.js', 'export {}')
  write('renderer/assets/index-1.js.map', '{}')
  write('renderer/.hidden.js', 'hidden')
  write('renderer/notes.txt', 'notes')
  write('renderer/sign-in.html', '<!doctype html><title>sign in</title>')
  const unexpected: unknown[] = []
  const taken: Taken[] = []
  const listeners = new Set<(value: unknown) => void>()
  const takePackage: Service['takePackage'] = async (name, content) => {
    if (packages !== null) return { file: await packages.add(name, content) }
    taken.push({ kind: 'package', name, bytes: await lengthOf(content) })
    return { file: `file-${taken.length}` }
  }
  const dispatcher = createDispatcher(
    {
      handlers: { 'challenges.list': async () => [], ...some } as Partial<Handlers> as Handlers,
      async takeHistory(name, content, expected) {
        const bytes = await lengthOf(content)
        taken.push({ kind: 'history', name, bytes, ...(expected === undefined ? {} : { expected }) })
        return { file: `file-${taken.length}` }
      },
      isReadOnly: false,
      callerOf: (visitor) => (accounts === null ? hostCaller : presentCaller(accounts, visitor)),
      viewOf: () => wholeView,
      audit: () => undefined,
      takePackage,
      takeArchive: (name, content) => takePackage(name, content, null),
      on(_, listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    (error) => unexpected.push(error),
  )
  const portal = await openPortal({
    dispatcher,
    accounts,
    files,
    port: 0,
    onUnexpected: (error) => unexpected.push(error),
  })
  return {
    portal,
    port: Number(new URL(portal.origin).port),
    unexpected,
    taken,
    emit: (value) => listeners.forEach((listener) => listener(value)),
    async close() {
      await portal.close()
    },
  }
}

async function lengthOf(content: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0
  for await (const piece of content) bytes += piece.length
  return bytes
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A request as somebody would send it who does not use a browser: any path, any header. */
export function ask({ port }: Stage, path: string, options: RequestOptions = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, agent: false, ...options }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => (body += text))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** The cookie of a session, as a browser would send it back. */
export async function signIn(stage: Stage): Promise<string> {
  const { pathname, search } = new URL(stage.portal.address())
  const { headers } = await ask(stage, pathname + search)
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? ''
}

/** The status with which an upgrade is refused, or the open socket. */
export function openSocket(
  stage: Stage,
  headers: Readonly<Record<string, string>>,
  path = '/rpc',
): Promise<number | WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${stage.port}${path}`, { headers })
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve(socket))
    socket.on('unexpected-response', (sent, response) => {
      resolve(response.statusCode ?? 0)
      sent.destroy()
    })
    socket.on('error', reject)
  })
}

/** An open WebSocket with a session. */
export async function openScreen(stage: Stage): Promise<WebSocket> {
  const socket = await openSocket(stage, { cookie: await signIn(stage), origin: stage.portal.origin })
  if (typeof socket === 'number') throw new Error(`refused with ${socket}`)
  return socket
}

/** The code with which the other side closes. */
export function closed(socket: WebSocket): Promise<number> {
  return new Promise((resolve) => socket.on('close', resolve))
}

/** Bytes on a bare connection; resolves to everything that came back, when the other side has closed. */
export function bare({ port }: Stage, bytes: string): { readonly socket: Socket; readonly ended: Promise<string> } {
  const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
  let received = ''
  const ended = new Promise<string>((resolve) => {
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(received))
  })
  return { socket, ended }
}
