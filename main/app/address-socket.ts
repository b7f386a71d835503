import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { PRIVATE_FILE } from '../administrator/classroom/private-files.ts'
import { ExpectedError } from '../contract/expected-error.ts'

/** A socket at which the owner of a data folder asks the running classroom for a new address. */
interface AddressSocket {
  /** Removes the socket and its file. */
  close(): Promise<void>
}

/** The file of the data folder that leads to the socket. */
const FILE = 'address.json'
const SOCKET = 'address.sock'

/** The maximum length of a socket's path in bytes, on macOS; Linux has four more. */
const PATH_BYTES_MAX = 103

/** Time in ms for a question and its answer, and their length in bytes. */
const limits = { ms: 5_000, bytes: 512 } as const

/** The content of `address.json`. A pipe of Windows can be opened by other users, who cannot read the secret. */
const pointer = z.strictObject({ path: z.string(), secret: z.string().regex(/^[\w-]{43}$/) })

/**
 * Listens for `requestAddress`. Only this user can connect (a socket with mode 0600 on Unix) and only a reader of the data
 * folder knows the secret to send. Rejects with an error of the system if there can be no socket.
 */
export async function openAddressSocket(data: string, address: () => string): Promise<AddressSocket> {
  const secret = randomBytes(32).toString('base64url')
  const path = newSocketPath(data)
  const file = join(data, FILE)
  const server = createServer((socket) => answer(socket, secret, address))
  await listen(server, path)
  // A file that is there keeps its mode.
  rmSync(file, { force: true })
  writeFileSync(file, `${JSON.stringify({ path, secret } satisfies z.infer<typeof pointer>)}\n`, {
    mode: PRIVATE_FILE,
    flag: 'wx',
  })
  return {
    async close() {
      rmSync(file, { force: true })
      await new Promise((resolve) => server.close(resolve))
      if (isPipe(path)) return
      rmSync(path, { force: true })
      if (dirname(path) !== data) rmSync(dirname(path), { recursive: true, force: true })
    },
  }
}

const isPipe = (path: string): boolean => path.startsWith('\\\\.\\pipe\\')

/** A free path for a socket: in the data folder, or in a new folder of this user if that path is too long. */
function newSocketPath(data: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\tartaglia-${randomBytes(16).toString('hex')}`
  const path = join(data, SOCKET)
  if (Buffer.byteLength(path) > PATH_BYTES_MAX) return join(mkdtempSync(join(tmpdir(), 'tartaglia-address-')), SOCKET)
  // A killed process left it; the lock of the data folder says that no other one runs.
  rmSync(path, { force: true })
  return path
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
    // A socket is there as soon as `listen` returns; nobody is answered before its mode is set.
    if (!isPipe(path)) chmodSync(path, PRIVATE_FILE)
  })
}

/** Answers the right secret with a new address, and anything else with the end of the connection. */
function answer(socket: Socket, secret: string, address: () => string): void {
  readLine(socket)
    .then((line) => {
      if (timingSafeEqual(digest(line), digest(secret))) socket.end(`${address()}\n`)
      else socket.destroy()
    })
    .catch(() => socket.destroy())
}

/** The first line that arrives. Rejects after a time and a length, and if the connection ends before. */
function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('latin1')
    socket.setTimeout(limits.ms, () => socket.destroy(new Error('no answer in time')))
    socket.on('data', (chunk: string) => {
      text += chunk
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > limits.bytes) socket.destroy(new Error('too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('no answer')))
  })
}

/** A hash of fixed length, so that the time of a comparison reveals nothing. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/**
 * Asks the process that serves a data folder for a new address. Throws ExpectedError 'host' if none does, and an error of
 * the system if this user may not ask.
 */
export async function requestAddress(data: string): Promise<string> {
  const known = readPointer(data)
  if (known === null) throw notServed(data)
  const socket = connect(known.path)
  socket.on('connect', () => socket.write(`${known.secret}\n`))
  try {
    const line = await readLine(socket)
    if (!/^http:\/\/127\.0\.0\.1:\d{1,5}\/\?token=[\w-]+$/.test(line)) throw notServed(data)
    return line
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    throw code === 'EACCES' || code === 'EPERM' ? error : notServed(data)
  } finally {
    socket.destroy()
  }
}

/** null: there is no such file, or it is not ours. */
function readPointer(data: string): z.infer<typeof pointer> | null {
  let text: string
  try {
    text = readFileSync(join(data, FILE), 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
  try {
    return pointer.parse(JSON.parse(text))
  } catch {
    return null
  }
}

function notServed(data: string): ExpectedError {
  return new ExpectedError(
    'host',
    'classroom-not-served',
    `No Tartaglia serves ${data} to browsers now: start it with "tartaglia serve", or name another folder with --data.`,
  )
}
