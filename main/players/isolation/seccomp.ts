import { errors, type ErrorName } from './judged-calls.ts'
import { callActions, type BoxUse, type Machine, type CallAction } from './system-calls.ts'

/** An instruction of the kernel's classic BPF. `yes` and `no`: how many instructions a jump skips. */
interface Instruction {
  readonly code: number
  readonly yes: number
  readonly no: number
  readonly value: number
}

/** include/uapi/linux/audit.h */
const architectures: Readonly<Record<Machine, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }
/**
 * Offsets in struct seccomp_data. Only the lower half of an argument is read, as the kernel does for the calls tested
 * here.
 */
const numberField = 0
const architectureField = 4
const argumentField = (index: number): number => 16 + 8 * index

const load = (field: number): Instruction => ({ code: 0x20, yes: 0, no: 0, value: field })
const ifEqual = (value: number, yes: number, no: number): Instruction => ({ code: 0x15, yes, no, value })
const ifAnyBit = (value: number, yes: number, no: number): Instruction => ({ code: 0x45, yes, no, value })
const result = (value: number): Instruction => ({ code: 0x06, yes: 0, no: 0, value })

const allow = result(0x7fff_0000)
/** Error number 0: the call returns 0 and does nothing. */
const pretend = result(0x0005_0000)
const refuse = (error: ErrorName): Instruction => result(0x0005_0000 + errors[error])

/**
 * The filter of system calls for all processes in a box, in the format of bubblewrap's --seccomp: struct sock_filter,
 * little-endian. It allows what system-calls.ts lists. All other calls, and those of other architectures, get ENOSYS, as
 * if the kernel did not have them, so that libraries use others.
 */
export function seccompFilter(machine: Machine, use: BoxUse): Uint8Array<ArrayBuffer> {
  return encode([
    load(architectureField),
    ifEqual(architectures[machine], 1, 0),
    refuse('ENOSYS'),
    load(numberField),
    ...[...callActions(machine, use)].flatMap(([number, action]) => {
      const then = judge(action)
      return [ifEqual(number, 0, then.length), ...then]
    }),
    refuse('ENOSYS'),
  ])
}

function judge(action: CallAction): readonly Instruction[] {
  if (action === 'allow') return [allow]
  if (action === 'pretend') return [pretend]
  if (typeof action === 'string') return [refuse(action)]
  const { argument, allowed, pretended = [], otherwise } = action
  const each = (values: readonly number[], then: Instruction): readonly Instruction[] =>
    values.flatMap((value) => [ifEqual(value, 0, 1), then])
  const instead = each(pretended, pretend)
  const argumentIs = load(argumentField(argument))
  if ('except' in allowed) return [argumentIs, ...instead, ...each(allowed.except, refuse(otherwise)), allow]
  const test = 'only' in allowed ? each(allowed.only, allow) : [ifAnyBit(allowed.noneOf, 1, 0), allow]
  return [argumentIs, ...test, ...instead, refuse(otherwise)]
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
