/**
 * A command to start: a program and its arguments, in the folder `cwd` (default: /) with the environment `env`
 * (default: empty).
 */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** The filter of system calls, which the program reads from descriptor 3 first. */
  readonly filter?: Uint8Array
  /**
   * The program answers on descriptor 4 instead of 1. The wrappers around it keep 0 to 2 open as long as they live; on
   * a separate descriptor it is noticed at once when the program closes its output.
   */
  readonly ownOutput?: true
  /** Without a box: the kernel ends everything that the program started when the process ends. */
  readonly ownPids?: true
  /** Descriptors of namespaces to enter; the program has them as 5 and 6. */
  readonly namespaces?: readonly number[]
  /** The number of processes that it can start, on three descriptors each, from 4 on: see spawner.c and starter.c. Excludes the two above. */
  readonly turns?: number
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The files that an agent's process needs, at paths that its user can read. */
export interface Runtime {
  readonly nodeBinary: string
  readonly hostFile: string
  /** Shared libraries of the Node binary. */
  readonly libraries: readonly string[]
}

/** The system programs that tiers use; undefined: not installed. */
export interface Tools {
  readonly bwrap: string | undefined
  readonly setpriv: string | undefined
  readonly prlimit: string | undefined
  readonly sh: string | undefined
  readonly unshare?: string | undefined
  /** Only the tier `shared` needs these two. */
  readonly nsenter?: string | undefined
  readonly mount?: string | undefined
}

/**
 * A folder that the agents of one match share: an in-memory file system of limited size that no path of this machine
 * leads to. Two descriptors of this process and the agents' boxes keep it alive; it disappears with them, so nobody
 * ever has to open or delete what agents have planted.
 */
export interface CommonFolder {
  /** Descriptors of the user namespace and the mount namespace that contain it; null after `close`. */
  readonly namespaces: readonly [user: number, mount: number] | null
  /** Prevents further boxes from using it. Idempotent. */
  close(): void
}

export interface LaunchOptions {
  readonly runtime: Runtime
  readonly tools: Tools
  /** True if this process runs as root; its agents then run as nobody. */
  readonly root: boolean
  /** Limits V8's heap. Typed arrays are outside it; the watchdog limits the total. */
  readonly memoryMb: number
  /**
   * Only our own code will run in the box, and it ends when its stdin closes. Such a box need not die with its parent:
   * a box killed while it is being set up could not do so, and nobody would be left to end it.
   */
  readonly trusted: boolean
  /** The shared folder of the match, for the tier `shared`. */
  readonly common?: CommonFolder | undefined
}

/** A tier: returns how to start an agent in it, or why that is not possible here. */
export type LaunchTier = (options: LaunchOptions) => Launch | { readonly missing: string }

/** The user and group `nobody`, by number, because names may be missing. */
export const nobody = 65_534

const fileBytes = 16 * 1_048_576
/** The kernel counts them per user; beyond the limit a signal arrives without the number of its sender, or not at all. */
const queuedSignals = 128

/**
 * Limits that do not affect other processes of the same user: open files, file size, no core dumps, queued signals. The number of
 * processes is counted per user, so it is limited only for `nobody`.
 */
export function limitPrefix({ tools, root }: LaunchOptions): readonly string[] {
  if (tools.prlimit === undefined) return []
  const limits = ['--nofile=256', `--fsize=${fileBytes}`, '--core=0', `--sigpending=${queuedSignals}`]
  return [tools.prlimit, ...limits, ...(root ? ['--nproc=4096'] : []), '--']
}

/** Changes from root to nobody before anything else: uid 65534 in a box that root created would be root outside it. */
export function dropPrefix({ tools, root }: Pick<LaunchOptions, 'tools' | 'root'>): readonly string[] | undefined {
  if (!root) return []
  if (tools.setpriv === undefined) return undefined
  return [tools.setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--']
}

/** The flags of every agent's Node in every tier. inside/host.ts explains those for modules and strings. */
export function nodeFlags(memoryMb: number): readonly string[] {
  return [
    `--max-old-space-size=${memoryMb}`,
    // V8 keeps all the room that young objects ever had: at its usual 64 MB, an idle process would be too large to be kept.
    '--max-semi-space-size=16',
    // Background work of V8 is observable: the possible depth of recursion depends on when code is optimised.
    '--single-threaded',
    '--no-warnings',
    '--experimental-vm-modules',
    '--disallow-code-generation-from-strings',
    '--unhandled-rejections=none',
    '--disable-sigusr1',
    '--no-addons',
  ]
}

/** Node's permission model, which permits only reading the host file and using the folder `shared`. */
export function permissionFlags(hostFile: string, shared?: string): readonly string[] {
  const folder = shared === undefined ? [] : [`--allow-fs-read=${shared}/*`, `--allow-fs-write=${shared}/*`]
  return ['--permission', `--allow-fs-read=${hostFile}`, ...folder]
}
