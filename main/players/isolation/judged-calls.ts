import type { CallNumbers } from './allowed-calls.ts'

/** The kernel's error numbers, the same on both machines. */
export const errors = { EPERM: 1, EINVAL: 22, ENOTTY: 25, ENOSYS: 38, ENOTSUP: 95, EAFNOSUPPORT: 97 } as const
export type ErrorName = keyof typeof errors

/**
 * A call of which a part is allowed. `argument`: the index of the argument that decides; only its lower half is read,
 * as the kernel does for these calls. `only`: the values that are allowed; `noneOf`: bits that must not be set.
 * `otherwise`: the error for everything else, the one by which libraries understand that there is no such thing.
 */
export interface JudgedCall {
  readonly numbers: CallNumbers
  readonly argument: number
  readonly allowed: { readonly only: readonly number[] } | { readonly noneOf: number }
  readonly otherwise: ErrorName
}

/** AF_UNIX */
const localSockets = { argument: 0, allowed: { only: [1] }, otherwise: 'EAFNOSUPPORT' } as const
/**
 * F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC. Not locks, leases, notifications and write hints: by
 * them agents could signal to each other over any file of the system.
 */
const descriptorCommands = [0, 1, 2, 3, 4, 1030]
/** F_GETLK, F_SETLK, F_SETLKW and the same for open file descriptions. */
const lockCommands = [5, 6, 7, 36, 37, 38]

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
  fcntl: { numbers: [72, 25], argument: 1, allowed: { only: descriptorCommands }, otherwise: 'EINVAL' },
  // PR_SET_NAME, PR_GET_NAME.
  prctl: { numbers: [157, 167], argument: 0, allowed: { only: [15, 16] }, otherwise: 'EINVAL' },
} as const satisfies Readonly<Record<string, JudgedCall>>

/** Build steps run once, without opponents; cargo and compilers lock files that they write. */
export const buildCalls = {
  flock: [73, 32],
  fcntl: { ...judgedCalls.fcntl, allowed: { only: [...descriptorCommands, ...lockCommands] } },
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
