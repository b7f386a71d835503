import type { CallNumbers } from './allowed-calls.ts'

/** The kernel's error numbers, the same on both machines. */
export const errors = { EPERM: 1, EINVAL: 22, ENOTTY: 25, ENOSYS: 38, ENOTSUP: 95, EAFNOSUPPORT: 97 } as const
export type ErrorName = keyof typeof errors

/**
 * A call of which a part is allowed. `argument`: the index of the argument that decides; only its lower half is read,
 * as the kernel does for these calls. `only`: the values that are allowed; `except`: those that are not; `noneOf`: bits that
 * must not be set; `pretended`: values for which the call succeeds without effect. `otherwise`: the error for everything else, the one
 * by which libraries understand that there is no such thing.
 */
export interface JudgedCall {
  readonly numbers: CallNumbers
  readonly argument: number
  readonly allowed:
    { readonly only: readonly number[] } | { readonly except: readonly number[] } | { readonly noneOf: number }
  readonly pretended?: readonly number[]
  readonly otherwise: ErrorName
}

/** AF_UNIX */
const localSockets = { argument: 0, allowed: { only: [1] }, otherwise: 'EAFNOSUPPORT' } as const
/** F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. */
const descriptorCommands = [0, 1, 2, 3, 4, 1030]
/** F_SETLK and F_SETLKW, also for open file descriptions. */
const lockCommands = [6, 7, 37, 38]
/** F_GETLK, also for open file descriptions. */
const askForLock = [5, 36]

export const judgedCalls = {
  socket: { numbers: [41, 198], ...localSockets },
  socketpair: { numbers: [53, 199], ...localSockets },
  // CLONE_NEW: time, mount, cgroup, host name, IPC, user, process and network namespaces.
  clone: { numbers: [56, 220], argument: 0, allowed: { noneOf: 0x7e02_0000 }, otherwise: 'EPERM' },
  // TCGETS, TIOCGPGRP, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX, TCGETS2.
  ioctl: {
    numbers: [16, 29],
    argument: 1,
    allowed: { only: [0x5401, 0x540f, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451, 0x802c_542a] },
    otherwise: 'ENOTTY',
  },
  // Not leases, notifications and write hints: agents could see or signal each other over any file of the system.
  fcntl: {
    numbers: [72, 25],
    argument: 1,
    allowed: { only: descriptorCommands },
    pretended: lockCommands,
    otherwise: 'EINVAL',
  },
  // Not MADV_COLD, MADV_PAGEOUT and MADV_COLLAPSE, by which agents move memory out of what is counted, or files of the
  // system in and out of it, nor MADV_MERGEABLE, by which they would see which pages others have.
  madvise: {
    numbers: [28, 233],
    argument: 2,
    allowed: { only: [0, 1, 2, 3, 4, 8, 9, 10, 11, 14, 15, 16, 17, 18, 19, 22, 23, 24, 102, 103] },
    otherwise: 'EINVAL',
  },
  // Not SO_SNDBUF and SO_RCVBUF, nor those that force them: buffers are memory of the kernel that no process shows, and each
  // socket counts with the usual size. Local sockets have no other level with options of these numbers.
  setsockopt: {
    numbers: [54, 208],
    argument: 2,
    allowed: { except: [7, 8, 32, 33] },
    pretended: [7, 8],
    otherwise: 'EPERM',
  },
  // PR_SET_NAME, PR_GET_NAME.
  prctl: { numbers: [157, 167], argument: 0, allowed: { only: [15, 16] }, otherwise: 'EINVAL' },
} as const satisfies Readonly<Record<string, JudgedCall>>

/**
 * Calls that succeed for agents without effect. A lock on a file of the system would be seen in every box, and the filter
 * cannot tell it from a lock on a file of the agent's own; Java and SQLite do not run without.
 */
export const pretendedCalls = { flock: [73, 32] } as const satisfies Readonly<Record<string, CallNumbers>>

/** Build steps meet no opponent: cargo and compilers lock what they write. */
export const buildCalls = {
  flock: pretendedCalls.flock,
  fcntl: {
    ...judgedCalls.fcntl,
    pretended: [],
    allowed: { only: [...descriptorCommands, ...lockCommands, ...askForLock] },
  },
} as const satisfies { readonly flock: CallNumbers; readonly fcntl: JudgedCall }

/** Refused with an error that copying programs understand: the file system knows no such attributes. */
export const unsupportedCalls = {
  setxattr: [188, 5],
  lsetxattr: [189, 6],
  fsetxattr: [190, 7],
  removexattr: [197, 14],
  lremovexattr: [198, 15],
  fremovexattr: [199, 16],
} as const satisfies Readonly<Record<string, CallNumbers>>
