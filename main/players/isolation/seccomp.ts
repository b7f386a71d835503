import { absentCalls, errors, forbiddenCalls, numberOf, type Machine, type SystemCall } from './system-calls.ts'

/** An instruction of the kernel's classic BPF. `yes` and `no`: how many instructions a jump skips. */
interface Instruction {
  readonly code: number
  readonly yes: number
  readonly no: number
  readonly value: number
}

/** include/uapi/linux/audit.h */
const architectures: Readonly<Record<Machine, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/** On x86_64, call numbers from here on belong to x32, a second interface. */
const x32 = 0x4000_0000
const unixSockets = 1
/** CLONE_NEW: mount, cgroup, host name, IPC, user, process and network namespaces. */
const newNamespaces = 0x7e02_0000
/** ioctl TIOCSTI and TIOCLINUX insert keystrokes into a terminal. */
const terminalRequests = [0x5412, 0x541c]

/**
 * Offsets in struct seccomp_data. Only the lower half of an argument is read, as the kernel does for the calls tested
 * here.
 */
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
 * The filter of system calls for all processes in a box, in the format of bubblewrap's --seccomp: struct sock_filter,
 * little-endian. It refuses calls of other architectures, all sockets except local ones, new namespaces, and the calls
 * in system-calls.ts; it allows everything else. `also`: additional calls to refuse.
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
