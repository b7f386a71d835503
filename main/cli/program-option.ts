import { resolve } from 'node:path'
import { ExpectedError } from '../contract/expected-error.ts'
import type { Context } from './context.ts'
import { safeLine } from './text.ts'

/** A program from the text of `option`, such as --cop: a shell command, or FOLDER::COMMAND to run it in a folder. Throws ExpectedError 'usage'. */
export function programOf(option: string, text: string) {
  const [, folder = '.', command = text] = /^(.*?)::(.*)$/s.exec(text) ?? []
  if (command.trim() === '') throw new ExpectedError('usage', 'input-invalid', `${option} "${text}" names no command.`)
  return { folder: resolve(folder), command: ['sh', '-c', command] }
}

/** Shows on the terminal what a program has printed and what it was told of its messages, line by line. `who`: whose it is. */
export function notePrinted({ terminal }: Context, who: string, text: string): void {
  for (const line of text.trimEnd().split('\n')) terminal.note(safeLine(`${who}: ${line}`))
}
