import { resolve } from 'node:path'
import { ExpectedError } from '../contract/expected-error.ts'

/** A program from the text of `option`, such as --cop: a shell command, or FOLDER::COMMAND to run it in a folder. Throws ExpectedError 'usage'. */
export function programOf(option: string, text: string) {
  const [, folder = '.', command = text] = /^(.*?)::(.*)$/s.exec(text) ?? []
  if (command.trim() === '') throw new ExpectedError('usage', `${option} "${text}" names no command.`)
  return { folder: resolve(folder), command: ['sh', '-c', command] }
}
