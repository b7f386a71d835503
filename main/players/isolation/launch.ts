/** What is started: a program and its arguments, in `cwd` (/) with the environment `env` (an empty one). */
export interface Launch {
  readonly file: string
  readonly args: readonly string[]
  /** What the program reads from descriptor 3 before it does anything: the filter of system calls. */
  readonly filter?: Uint8Array
  /**
   * The program answers on descriptor 4 and not on 1. What stands around it keeps 0 to 2 open as long as it lives, so that
   * only on another one it is seen at once when the program closes its output.
   */
  readonly ownOutput?: true
  /** Descriptors of namespaces that it enters; it finds them as 5 and 6. */
  readonly namespaces?: readonly number[]
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
}

/** The files that an agent's process needs, where its user can reach them. */
export interface Runtime {
  readonly nodeBinary: string
  readonly hostFile: string
  /** Shared libraries of the Node binary. */
  readonly libraries: readonly string[]
}

/** Programs of the system that tiers are made of; undefined: not installed. */
export interface Tools {
  readonly bwrap: string | undefined
  readonly setpriv: string | undefined
  readonly prlimit: string | undefined
  readonly sh: string | undefined
  readonly unshare?: string | undefined
  /** These two for the tier `shared` alone. */
  readonly nsenter?: string | undefined
  readonly mount?: string | undefined
}

/**
 * One folder for the agents of one match: a sized file system in memory that no path of this machine leads to. What keeps it
 * are two descriptors of ours, which die with us, and the agents' boxes: when both are gone it is gone, so that nobody
 * ever has to open or remove what agents have planted.
 */
export interface CommonFolder {
  /** Of the user and the mount namespace that it lies in; null once it is closed. */
  readonly namespaces: readonly [user: number, mount: number] | null
  /** No further box gets it. Idempotent. */
  close(): void
}

export interface LaunchOptions {
  readonly runtime: Runtime
  readonly tools: Tools
  /** Whether this process runs as root; its agents then run as nobody. */
  readonly root: boolean
  /** Bounds V8's heap. Typed arrays lie outside it: the watchdog has the last word. */
  readonly memoryMb: number
  /**
   * Code of ours alone will run in it, which ends when nobody speaks to it any more. Such a box need not die with whoever
   * made it: one that is killed while it is half made could not, and nobody would be left to end it.
   */
  readonly trusted: boolean
  /** What the agents of its match have in common, in the tier `shared`. */
  readonly common?: CommonFolder | undefined
}

/** A way of holding an agent: how to start it, or why that cannot be done here. */
export type LaunchTier = (options: LaunchOptions) => Launch | { readonly missing: string }

/** The user and group `nobody`, by number, because names may be missing. */
export const nobody = 65_534

const fileBytes = 16 * 1_048_576

/**
 * Bounds that do no harm whoever else runs as the same user: open files, the size of a file, no core dumps. The number of
 * processes is counted over all of a user's, so it is bounded only for `nobody`.
 */
export function limitPrefix({ tools, root }: LaunchOptions): readonly string[] {
  if (tools.prlimit === undefined) return []
  return [tools.prlimit, '--nofile=256', `--fsize=${fileBytes}`, '--core=0', ...(root ? ['--nproc=4096'] : []), '--']
}

/** From root to nobody, before anything else happens: uid 65534 inside a box that root made is root outside it. */
export function dropPrefix({ tools, root }: Pick<LaunchOptions, 'tools' | 'root'>): readonly string[] | undefined {
  if (!root) return []
  if (tools.setpriv === undefined) return undefined
  return [tools.setpriv, `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', '--no-new-privs', '--']
}

/** Flags of every agent's Node, in every tier. See inside/host.ts for what the modules and the strings are about. */
export function nodeFlags(memoryMb: number): readonly string[] {
  return [
    `--max-old-space-size=${memoryMb}`,
    // What V8 does in the background shows: how deep a recursion gets depends on when its code was optimised.
    '--single-threaded',
    '--no-warnings',
    '--experimental-vm-modules',
    '--disallow-code-generation-from-strings',
    '--unhandled-rejections=none',
    '--disable-sigusr1',
    '--no-addons',
  ]
}

/** Node's permission model with nothing granted but reading the host file, and what lies in the folder `shared`. */
export function permissionFlags(hostFile: string, shared?: string): readonly string[] {
  const folder = shared === undefined ? [] : [`--allow-fs-read=${shared}/*`, `--allow-fs-write=${shared}/*`]
  return ['--permission', `--allow-fs-read=${hostFile}`, ...folder]
}
