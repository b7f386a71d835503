import { allowedCalls, type CallNumbers } from '../allowed-calls.ts'
import { judgedCalls, pretendedCalls, unsupportedCalls } from '../judged-calls.ts'
import { numberOn, type Machine } from '../system-calls.ts'

const { socket, socketpair, setsockopt, clone, ioctl, fcntl, madvise, prctl } = judgedCalls
const { bind, getpid, write, exit_group } = allowedCalls

/** The calls that the self-test tries, and those that its program needs. */
const triedCalls = {
  // The kernel's keyrings: inside the box the user is the same as outside.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Namespaces and mounts.
  unshare: [272, 97],
  setns: [308, 268],
  clone3: [435, 435],
  mount: [165, 40],
  // Large parts of the kernel that no agent needs.
  io_uring_setup: [425, 425],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  // Memory without a mapping.
  memfd_create: [319, 279],
  shmget: [29, 194],
  // How the kernel divides processors.
  setpriority: [141, 140],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sched_setattr: [314, 274],
  sched_setaffinity: [203, 122],
  ioprio_set: [251, 30],
  // Observing how others use the system's files.
  inotify_init1: [294, 26],
  fanotify_init: [300, 262],
  flock: pretendedCalls.flock,
  mincore: [27, 232],
  cachestat: [451, 451],
  fadvise64: [221, 223],
  setxattr: unsupportedCalls.setxattr,
  // Calls limited per machine or per user.
  io_setup: [206, 0],
  mq_open: [240, 180],
  msgget: [68, 186],
  semget: [64, 190],
  timer_create: [222, 107],
  rt_sigqueueinfo: [129, 138],
  // Allowed in part, or needed by the program itself.
  socket: socket.numbers,
  socketpair: socketpair.numbers,
  setsockopt: setsockopt.numbers,
  clone: clone.numbers,
  ioctl: ioctl.numbers,
  fcntl: fcntl.numbers,
  prctl: prctl.numbers,
  madvise: madvise.numbers,
  ...{ bind, getpid, write, exit_group },
} as const satisfies Readonly<Record<string, CallNumbers>>

export type TriedCall = keyof typeof triedCalls

/** The number of a call. Throws if the machine does not have it. */
export function callNumber(call: TriedCall, machine: Machine): number {
  const number = numberOn(machine, triedCalls[call])
  if (number === null) throw new Error(`${call} does not exist on ${machine}`)
  return number
}
