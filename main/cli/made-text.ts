import { InvalidArgumentError } from 'commander'
import type { Json } from '../contract/json.ts'
import { writeNewFile } from '../services/files/output-file.ts'
import type { Context } from './context.ts'
import { safeLine } from './text.ts'

/**
 * Writes a text that was made, such as a map, to a new file, or prints it: with --json `result`. `kind`: what it is. Throws
 * ExpectedError if there is such a file already.
 */
export function putMade(
  { terminal }: Context,
  kind: string,
  text: string,
  result: Json,
  out: string | undefined,
): void {
  if (out === undefined) {
    terminal.text(text)
    terminal.result(result)
  } else {
    writeNewFile(out, text)
    terminal.print(`The ${kind} is in ${safeLine(out)}.`)
    terminal.result({ file: out })
  }
}

/** Reads a share from 0 to 1. Throws InvalidArgumentError. */
export function share(text: string): number {
  const value = /^(0|1|0?\.\d+)$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return value
}
