import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, readSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { kill } from 'node:process'

/** A file of a group and what to write into it. */
export type GroupSetting = readonly [file: string, text: string]

/** Writes settings in order. Throws at the first that the system refuses. */
export function write(folder: string, settings: readonly GroupSetting[]): void {
  for (const [file, text] of settings) writeFileSync(join(folder, file), text)
}

/** The same for settings that not every kernel has. */
export function writeIfPossible(folder: string, settings: readonly GroupSetting[]): void {
  for (const setting of settings) {
    try {
      write(folder, [setting])
    } catch {
      // This kernel was built without it.
    }
  }
}

export function makeGroupFolder(folder: string): void {
  mkdirSync(folder, { recursive: true })
}

/** Removes the folder of an empty group; returns whether it is gone. */
export function removeFolder(folder: string): boolean {
  try {
    rmdirSync(folder)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ENOENT'
  }
}

/** The processes in a group; none if there is no such group. Those of other PID namespaces are 0 and left out. */
export function pidsIn(folder: string): readonly number[] {
  try {
    const text = readFileSync(join(folder, 'cgroup.procs'), 'latin1')
    return text
      .split('\n')
      .map(Number)
      .filter((pid) => pid > 0)
  } catch {
    return []
  }
}

/** Sends SIGKILL to each of them. */
export function killAll(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      kill(pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
}

/** The names of the groups in a folder; none if it cannot be read. */
export function groupsIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
  } catch {
    return []
  }
}

/** The number behind a word at the beginning of a line, as in `oom_kill 2`. */
export function numberAfter(word: string, text: string): number {
  return Number(new RegExp(`^${word} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
}

/** The number that a file consists of. */
export const numberInFile = (path: string): number => Number(readFileSync(path, 'latin1'))

/** A small file that is read again and again, and opened once. */
export interface OpenFile {
  read(): string
  close(): void
}

export function openGroupFile(path: string): OpenFile {
  const buffer = Buffer.alloc(1_024)
  let descriptor: number | null = null
  return {
    read() {
      descriptor ??= openSync(path, 'r')
      return buffer.toString('latin1', 0, readSync(descriptor, buffer, 0, buffer.length, 0))
    },
    close() {
      if (descriptor !== null) closeSync(descriptor)
      descriptor = null
    },
  }
}
