import { InvalidArgumentError } from 'commander'
import { writeNewFile } from '../services/files/output-file.ts'
import type { Context } from './context.ts'
import { safeLine } from './text.ts'

/**
 * Writes a text that was made, such as a map, to a new file, or prints it. `kind`: what it is. `output`: prints the JSON of --json. Throws
 * ExpectedError if there is such a file already.
 */
export function putMade(
  { terminal }: Context,
  kind: string,
  text: string,
  out: string | undefined,
  output: (file: string | null) => void,
): void {
  if (out === undefined) {
    terminal.text(text)
    output(null)
  } else {
    writeNewFile(out, text)
    terminal.print(`The ${kind} is in ${safeLine(out)}.`)
    output(out)
  }
}

/** Reads a share from 0 to 1. Throws InvalidArgumentError. */
export function share(text: string): number {
  const value = /^(0|1|0?\.\d+)$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(value)) throw new InvalidArgumentError('It must be a number from 0 to 1.')
  return value
}
