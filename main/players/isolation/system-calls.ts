/** The machines whose system call numbers are known. */
export type Machine = 'x64' | 'arm64'

/** The numbers of a call on x86_64 and on aarch64; null if the machine does not have it. */
type Numbers = readonly [number, number | null]

/**
 * Refused with "not permitted": calls that namespaces and dropped capabilities do not cover, and, for a second barrier,
 * some that they do.
 */
const forbidden = {
  // Keys of the user outside: inside the box it is the same user.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  // The memory and the descriptors of other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  // Large parts of the kernel that no agent needs.
  userfaultfd: [323, 282],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  syslog: [103, 116],
  lookup_dcookie: [212, 18],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  modify_ldt: [154, null],
  // Moving memory between NUMA nodes.
  mbind: [237, 235],
  set_mempolicy: [238, 237],
  set_mempolicy_home_node: [450, 450],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  // New namespaces and file systems.
  unshare: [272, 97],
  setns: [308, 268],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  open_tree_attr: [467, 467],
  mount_setattr: [442, 442],
  statmount: [457, 457],
  listmount: [458, 458],
  name_to_handle_at: [303, 264],
  open_by_handle_at: [304, 265],
  // The machine itself.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  reboot: [169, 142],
  swapon: [167, 224],
  swapoff: [168, 225],
  settimeofday: [164, 170],
  adjtimex: [159, 171],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  sethostname: [170, 161],
  setdomainname: [171, 162],
} satisfies Readonly<Record<string, Numbers>>

/** Refused as if the kernel were older, so that programs use the older calls. */
const absent = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Its flags are in memory, which filters cannot read; libraries fall back to clone.
  clone3: [435, 435],
  // Memory without a mapping, which watchdogs do not see.
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  shmget: [29, 194],
  msgget: [68, 186],
  semget: [64, 190],
} satisfies Readonly<Record<string, Numbers>>

/** Calls that are judged by an argument, and those that our own probe needs. */
const others = {
  socket: [41, 198],
  socketpair: [53, 199],
  clone: [56, 220],
  ioctl: [16, 29],
  bind: [49, 200],
  getpid: [39, 172],
  write: [1, 64],
  exit_group: [231, 94],
} satisfies Readonly<Record<string, Numbers>>

const all = { ...forbidden, ...absent, ...others }

export type SystemCall = keyof typeof all

export const forbiddenCalls = Object.keys(forbidden) as readonly SystemCall[]
export const absentCalls = Object.keys(absent) as readonly SystemCall[]

/** The number of a call; null if the machine does not have it. */
export function numberOf(call: SystemCall, machine: Machine): number | null {
  return all[call][machine === 'x64' ? 0 : 1]
}

/** The machine that this program runs on; null: its system calls are not known. */
export function machineOf(arch: string): Machine | null {
  return arch === 'x64' || arch === 'arm64' ? arch : null
}

/** The kernel's error numbers, the same on both machines. */
export const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 } as const
