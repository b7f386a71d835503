import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import type { IsolationTier } from '../../contract/limits.ts'
import { dropPrefix, type CommonFolder, type Launch, type LaunchOptions } from './launch.ts'
import { findTools, isRoot } from './runtime.ts'
import { sentence } from '../../contract/sentence.ts'

/** The path of the shared folder inside a box. */
export const commonPath = '/shared'

const bytesMax = '16m'
/** The maximum number of files, links, folders and pipes together. */
const filesMax = 1024
/** Every Linux has this path, and nothing that we, bubblewrap or agents need is there. */
const place = '/sys'
const startMs = 30_000

/**
 * Creates the namespaces in a process of the agents' user, opens them and lets the process exit. Returns a sentence
 * that says why if that fails, permanently or this time.
 */
export async function createCommonFolder(): Promise<CommonFolder | string> {
  const tools = await findTools()
  const { unshare, mount, sh } = tools
  if (unshare === undefined || mount === undefined || sh === undefined) {
    return 'A shared folder needs unshare, mount and sh, which are not all installed.'
  }
  const drop = dropPrefix({ tools, root: isRoot() })
  if (drop === undefined) return 'setpriv is not installed, and root must give up its privileges first.'
  const options = `size=${bytesMax},nr_inodes=${filesMax},mode=0700,nosuid,nodev,noexec`
  // prettier-ignore
  const [file, ...args] = [
    ...drop, unshare, '--user', '--map-root-user', '--mount', '--propagation', 'private', '--',
    sh, '-c', '"$@" && echo ready && read -r end', 'sh', mount, '-t', 'tmpfs', '-o', options, 'shared', place,
  ]
  const maker = spawn(file, args, { stdio: 'pipe', env: {}, cwd: '/', detached: true })
  const ready = Promise.withResolvers<string | null>()
  const timer = setTimeout(() => ready.resolve(`it took more than ${startMs} ms`), startMs)
  let stderr = ''
  maker.stderr.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(0, 1_000)))
  maker.stdout.once('data', () => ready.resolve(null))
  maker.stdin.on('error', () => undefined)
  maker.on('error', (error) => ready.resolve(error.message))
  maker.on('close', (code, signal) => ready.resolve(stderr.trim().split('\n')[0] || (signal ?? `exit code ${code}`)))
  try {
    const problem = await ready.promise
    return problem === null ? hold(maker.pid!) : sentence(`The shared folder could not be created: ${problem}`)
  } catch (error) {
    return sentence(`The shared folder could not be created: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    clearTimeout(timer)
    maker.kill('SIGKILL')
  }
}

/** The shared folder of one match; undefined if its tier has none. Throws if it cannot be created. */
export async function commonFor(tier: IsolationTier): Promise<CommonFolder | undefined> {
  const common = tier === 'shared' ? await createCommonFolder() : undefined
  if (typeof common === 'string') throw new Error(common)
  return common
}

/**
 * Opens the namespaces of a child process. Throws if the child has exited; its process id is not reused before we are
 * notified.
 */
function hold(pid: number): CommonFolder {
  const user = openSync(`/proc/${pid}/ns/user`, 'r')
  let mount: number
  try {
    mount = openSync(`/proc/${pid}/ns/mnt`, 'r')
  } catch (error) {
    closeSync(user)
    throw error
  }
  let namespaces: CommonFolder['namespaces'] = [user, mount]
  return {
    get namespaces() {
      return namespaces
    },
    close() {
      for (const descriptor of namespaces ?? []) closeSync(descriptor)
      namespaces = null
    },
  }
}

/** The means to start a box with the shared folder. */
export interface FolderEntry extends Required<Pick<Launch, 'namespaces'>> {
  /** The command before bubblewrap: enters the namespaces and closes their descriptors. */
  readonly enter: readonly string[]
  /** Arguments for bubblewrap. */
  readonly mounts: readonly string[]
}

/** How a box gets the shared folder, or a phrase that says why it cannot. */
export function entryTo(
  common: CommonFolder | undefined,
  { tools: { nsenter, sh } }: Pick<LaunchOptions, 'tools'>,
): FolderEntry | { readonly missing: string } {
  if (nsenter === undefined || sh === undefined) return { missing: 'nsenter and sh are not both installed' }
  const namespaces = common?.namespaces ?? null
  if (namespaces === null) return { missing: 'the agents of the match have no shared folder' }
  // prettier-ignore
  const enter = [
    nsenter, '--preserve-credentials', '--user=/proc/self/fd/5', '--mount=/proc/self/fd/6', '--',
    sh, '-c', 'exec "$@" 5>&- 6>&-', 'sh',
  ]
  return { namespaces, enter, mounts: ['--bind', place, commonPath] }
}
