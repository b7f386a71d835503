import type { Machine } from '../system-calls.ts'
import { callNumber, type TriedCall } from './tried-calls.ts'

/*
 * Script agents cannot make arbitrary system calls, and a compiler need not be installed: the program that tries the
 * calls is therefore generated here, as an executable of a few hundred bytes.
 */

/** A call to try. `abi`: the binary interface of the kernel to use; absent: the machine's own. */
export interface CallAttempt {
  readonly call: TriedCall
  /** Numbers, and texts that are passed by address. */
  readonly args: readonly (number | string)[]
  /** x86_64 has two more interfaces: that of i386 programs, and x32. */
  readonly abi?: 'i386' | 'x32'
  /** A kernel would refuse these arguments; the filter makes the call succeed without effect. */
  readonly pretended?: true
}

const imageAt = 0x40_0000
const headerBytes = 64 + 56

/**
 * An ELF program for Linux that makes the calls in order and writes each result to stdout: eight bytes, signed,
 * little-endian; negative: an error. If the kernel ends the program for a call, later results are missing.
 */
export function callProgram(machine: Machine, attempts: readonly CallAttempt[]): Uint8Array<ArrayBuffer> {
  const { call, keep } = machine === 'x64' ? x64 : arm64
  // The texts come first, so that their addresses do not depend on the length of the code.
  const texts = new Map<string, number>()
  let textBytes = 0
  for (const text of attempts.flatMap(({ args }) => args).filter((arg) => typeof arg === 'string')) {
    if (texts.has(text)) continue
    texts.set(text, imageAt + headerBytes + textBytes)
    textBytes += Math.ceil((text.length + 1) / 8) * 8
  }
  const address = (arg: number | string): number => (typeof arg === 'string' ? texts.get(arg)! : arg)
  const number = (name: TriedCall): number => callNumber(name, machine)
  const code = [
    ...attempts.flatMap(({ call: name, args, abi }) => [
      ...call(abi === 'i386' ? i386Getpid : number(name) + (abi === 'x32' ? 0x4000_0000 : 0), args.map(address), abi),
      ...keep,
      ...call(number('write'), [1, keptResult, 8]),
    ]),
    ...call(number('exit_group'), [0]),
  ]
  const entry = headerBytes + textBytes
  const image = new Uint8Array(entry + code.length)
  image.set(header(machine, entry, image.length))
  for (const [text, at] of texts) image.set(new TextEncoder().encode(text), at - imageAt)
  image.set(code, entry)
  return image
}

/** getpid has this number on i386. */
const i386Getpid = 20

/** Stands for the address of the last result kept. */
const keptResult = Symbol('the kept result')
type Argument = number | typeof keptResult

interface Writer {
  /** Code that makes a call with these arguments. */
  call(number: number, args: readonly Argument[], abi?: CallAttempt['abi']): readonly number[]
  /** Code that pushes the result onto the stack. */
  readonly keep: readonly number[]
}

function littleEndian(value: bigint, bytes: number): readonly number[] {
  return Array.from({ length: bytes }, (_, at) => Number(BigInt.asUintN(8, value >> BigInt(8 * at))))
}

const x64: Writer = {
  call(number, args, abi) {
    if (abi === 'i386') return [0xb8, ...littleEndian(BigInt(number), 4), 0xcd, 0x80, 0x48, 0x98]
    // rdi, rsi, rdx, r10, r8, r9
    const immediate = [[0x48, 0xbf], [0x48, 0xbe], [0x48, 0xba], [0x49, 0xba], [0x49, 0xb8], [0x49, 0xb9]] // prettier-ignore
    const stackPointer = [[0x48, 0x89, 0xe7], [0x48, 0x89, 0xe6], [0x48, 0x89, 0xe2]] // prettier-ignore
    return [
      ...args.flatMap((arg, at) =>
        arg === keptResult ? stackPointer[at]! : [...immediate[at]!, ...littleEndian(BigInt(arg), 8)],
      ),
      ...[0x48, 0xb8, ...littleEndian(BigInt(number), 8), 0x0f, 0x05],
    ]
  },
  // push rax
  keep: [0x50],
}

const arm64: Writer = {
  call(number, args) {
    // movz, then movk for the other quarters of a register.
    const move = (register: number, value: number): readonly number[] =>
      [0n, 1n, 2n, 3n].flatMap((quarter) => {
        const part = BigInt.asUintN(16, BigInt(value) >> (16n * quarter))
        const operation = quarter === 0n ? 0xd280_0000n : 0xf280_0000n
        return littleEndian(operation | (quarter << 21n) | (part << 5n) | BigInt(register), 4)
      })
    // add xN, sp, #0
    const stackPointer = (register: number): readonly number[] => littleEndian(0x9100_03e0n | BigInt(register), 4)
    return [
      ...args.flatMap((arg, at) => (arg === keptResult ? stackPointer(at) : move(at, arg))),
      ...move(8, number),
      // svc #0
      ...littleEndian(0xd400_0001n, 4),
    ]
  },
  // str x0, [sp, #-16]!
  keep: littleEndian(0xf81f_0fe0n, 4),
}

/** The ELF header and its single segment, which is readable and executable. */
function header(machine: Machine, entry: number, size: number): Uint8Array {
  const bytes = new Uint8Array(headerBytes)
  const view = new DataView(bytes.buffer)
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1])
  view.setUint16(16, 2, true)
  view.setUint16(18, machine === 'x64' ? 62 : 183, true)
  view.setUint32(20, 1, true)
  view.setBigUint64(24, BigInt(imageAt + entry), true)
  view.setBigUint64(32, 64n, true)
  view.setUint16(52, 64, true)
  view.setUint16(54, 56, true)
  view.setUint16(56, 1, true)
  view.setUint32(64, 1, true)
  view.setUint32(68, 5, true)
  view.setBigUint64(80, BigInt(imageAt), true)
  view.setBigUint64(88, BigInt(imageAt), true)
  view.setBigUint64(96, BigInt(size), true)
  view.setBigUint64(104, BigInt(size), true)
  view.setBigUint64(112, 0x1000n, true)
  return bytes
}
