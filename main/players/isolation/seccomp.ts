import { absentCalls, errors, forbiddenCalls, numberOf, type Machine, type SystemCall } from './system-calls.ts'

/** One instruction of the kernel's classic BPF: `yes` and `no` are how many instructions a jump leaves out. */
interface Instruction {
  readonly code: number
  readonly yes: number
  readonly no: number
  readonly value: number
}

/** include/uapi/linux/audit.h */
const architectures: Readonly<Record<Machine, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** On x86_64 calls from here on are those of x32, a second set of doors. */
const x32 = 0x4000_0000
const unixSockets = 1
/** CLONE_NEW: mount, cgroup, host name, IPC, user, process and network namespaces. */
const newNamespaces = 0x7e02_0000
/** ioctl TIOCSTI and TIOCLINUX put keystrokes into somebody's terminal. */
const terminalRequests = [0x5412, 0x541c]

/** Offsets in struct seccomp_data; arguments by their lower half, which is all that the kernel reads of those judged here. */
const numberField = 0
const architectureField = 4
const argumentField = (index: number): number => 16 + 8 * index

const load = (field: number): Instruction => ({ code: 0x20, yes: 0, no: 0, value: field })
const ifEqual = (value: number, yes: number, no: number): Instruction => ({ code: 0x15, yes, no, value })
const ifAtLeast = (value: number, yes: number, no: number): Instruction => ({ code: 0x35, yes, no, value })
const ifAnyBit = (value: number, yes: number, no: number): Instruction => ({ code: 0x45, yes, no, value })
const result = (value: number): Instruction => ({ code: 0x06, yes: 0, no: 0, value })

const allow = result(0x7fff_0000)
const refuse = (error: keyof typeof errors): Instruction => result(0x0005_0000 + errors[error])

/**
 * The filter of system calls that every process in a box is under, as bubblewrap's --seccomp reads it: struct sock_filter,
 * little-endian. Refused are calls of another architecture, all but local sockets, new namespaces, and what system-calls.ts
 * lists; the rest is as ever. `also`: calls that are refused besides.
 */
export function seccompFilter(machine: Machine, also: readonly SystemCall[] = []): Uint8Array<ArrayBuffer> {
  const known = (call: Parameters<typeof numberOf>[0], then: readonly Instruction[]): readonly Instruction[] => {
    const number = numberOf(call, machine)
    return number === null ? [] : [ifEqual(number, 0, then.length), ...then]
  }
  return encode([
    load(architectureField),
    ifEqual(architectures[machine], 1, 0),
    refuse('ENOSYS'),
    load(numberField),
    ...(machine === 'x64' ? [ifAtLeast(x32, 0, 1), refuse('ENOSYS')] : []),
    ...[...forbiddenCalls, ...also].flatMap((call) => known(call, [refuse('EPERM')])),
    ...absentCalls.flatMap((call) => known(call, [refuse('ENOSYS')])),
    ...(['socket', 'socketpair'] as const).flatMap((call) =>
      known(call, [load(argumentField(0)), ifEqual(unixSockets, 1, 0), refuse('EAFNOSUPPORT'), allow]),
    ),
    ...known('clone', [load(argumentField(0)), ifAnyBit(newNamespaces, 0, 1), refuse('EPERM'), allow]),
    ...known('ioctl', [
      load(argumentField(1)),
      ...terminalRequests.flatMap((request) => [ifEqual(request, 0, 1), refuse('EPERM')]),
      allow,
    ]),
    allow,
  ])
}

function encode(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(program.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [at, { code, yes, no, value }] of program.entries()) {
    view.setUint16(at * 8, code, true)
    view.setUint8(at * 8 + 2, yes)
    view.setUint8(at * 8 + 3, no)
    view.setUint32(at * 8 + 4, value, true)
  }
  return bytes
}
