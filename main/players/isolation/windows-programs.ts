import { statSync } from 'node:fs'
import { win32 } from 'node:path'

/** The variables of this process that programs of Windows need to start at all. */
const needed = ['SystemRoot', 'SystemDrive', 'ComSpec', 'PATHEXT', 'TEMP', 'TMP', 'NUMBER_OF_PROCESSORS'] as const

/**
 * The environment of a program on Windows, where no path is the same on all machines: the search path of this process behind the folders of
 * the machine's declaration. `own`: the variables of this process, whose names Windows writes as it likes.
 */
export function windowsEnvironment(
  { path, environment }: { readonly path: readonly string[]; readonly environment: Readonly<Record<string, string>> },
  own: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const variables = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const kept = needed.flatMap((name) => {
    const value = variables.get(name.toLowerCase())
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    ...environment,
    PATH: [...path, variables.get('path') ?? ''].filter((each) => each !== '').join(win32.delimiter),
    // As elsewhere, Python writes UTF-8, and at once.
    ...{ PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' },
  }
}

/** The names of Python on Windows, best first: its installer brings no python3, and a launcher. */
const pythons = [['python3.exe'], ['python.exe'], ['py.exe', '-3']] as const

/**
 * The command as Windows knows it: `python3` is called otherwise there. `isProgram`: true for a file that can be run.
 */
export function windowsCommand(
  command: readonly string[],
  path: string,
  isProgram: (file: string) => boolean,
): readonly string[] {
  const [name, ...args] = command
  if (name !== 'python3') return command
  const folders = path.split(win32.delimiter).filter((folder) => folder !== '')
  for (const [file, ...first] of pythons) {
    const found = folders.map((folder) => win32.join(folder, file)).find(isProgram)
    if (found !== undefined) return [found, ...first, ...args]
  }
  return command
}

/** False for the names in WindowsApps, which open a shop where Python is missing: they are empty, or cannot be looked at. */
export function isFilled(file: string): boolean {
  try {
    return statSync(file).size > 0
  } catch {
    return false
  }
}
