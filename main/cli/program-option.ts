import { resolve } from 'node:path'

/** A program from the text of an option: a shell command, or FOLDER::COMMAND to run it in a folder. */
export function programOf(text: string) {
  const [, folder = '.', command = text] = /^(.*?)::(.*)$/s.exec(text) ?? []
  return { folder: resolve(folder), command: ['sh', '-c', command] }
}
