import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import {
  judgeDictionary,
  printDictionary,
  readDictionary,
  type Dialect,
  type Dictionary,
} from '../../../grammars/class-dictionary/index.ts'
import { compileValues, type Values } from '../../../grammars/values/index.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readOldTextFile } from '../files/read-file.ts'
import { placeProblems, placeWithCodes, problemLine, type CodedProblem } from '../files/placed-problems.ts'

/** The result of checking one file. `dialect`: the dialect in which it was read. */
export interface DictionaryVerdict {
  readonly file: string
  readonly ok: boolean
  readonly dialect: Dialect
  readonly errors: readonly CodedProblem[]
  readonly warnings: readonly CodedProblem[]
}

/** How a dictionary is read. */
export interface DictionaryOptions {
  /** If absent: the dialect that the dictionary states, or the one that fits. */
  readonly dialect?: Dialect
  /**
   * Folders that includes may leave the dictionary's folder for, if they contain it: an included file is looked up beside the file that
   * includes it, then in each folder above, up to the root.
   */
  readonly roots?: readonly string[]
}

/**
 * Checks a class dictionary and the files that it includes. A file that cannot be read is reported as an error at line
 * 1.
 */
export async function checkDictionaryFile(file: string, options: DictionaryOptions = {}): Promise<DictionaryVerdict> {
  const { dialect } = options
  const text = await readOldTextFile(file).catch((error: unknown) => {
    if (error instanceof ExpectedError && error.kind === 'usage') return error
    throw error
  })
  if (typeof text !== 'string') {
    const errors = [{ file, line: 1, column: 1, code: text.code, message: text.message }]
    return { file, ok: false, dialect: dialect ?? 'C', errors, warnings: [] }
  }
  const included = includedFiles(file, options.roots ?? [])
  const read = readText(text, included, dialect)
  const { errors, warnings } =
    read.dictionary === null ? { errors: read.problems, warnings: [] } : judgeDictionary(read.dictionary)
  return {
    file,
    ok: errors.length === 0,
    dialect: read.dialect,
    errors: placeWithCodes(errors, file, included.place),
    warnings: placeWithCodes(warnings, file, included.place),
  }
}

/** Prints a dictionary in canonical form. Throws ExpectedError 'usage' with its first problem. */
export async function printDictionaryFile(file: string, options: DictionaryOptions = {}): Promise<string> {
  return printDictionary(await readChecked(file, options))
}

/**
 * The values of a dictionary: parser, printer, validator, sampler. Throws ExpectedError 'usage' with its first problem.
 */
export async function valuesOf(file: string, options: DictionaryOptions = {}): Promise<Values> {
  return compileValues(await readChecked(file, options))
}

async function readChecked(file: string, { dialect, roots = [] }: DictionaryOptions): Promise<Dictionary> {
  const included = includedFiles(file, roots)
  const { dictionary, problems } = readText(await readOldTextFile(file), included, dialect)
  const errors = dictionary === null ? problems : judgeDictionary(dictionary).errors
  if (dictionary !== null && errors.length === 0) return dictionary
  const [first] = placeProblems(errors, file, included.place)
  const sentence = first === undefined ? `${file} cannot be read.` : problemLine(first)
  throw new ExpectedError('usage', 'dictionary-invalid', sentence)
}

function readText(text: string, { read }: IncludedFiles, dialect?: Dialect): ReturnType<typeof readDictionary> {
  return readDictionary(text, { resolve: read, ...(dialect === undefined ? {} : { dialect }) })
}

/** The files that a dictionary includes. Names are paths relative to its folder. */
export interface IncludedFiles {
  /** The text; null: the file does not exist, or is outside of the folder and the roots. */
  readonly read: (name: string) => string | null
  /** The path of a file that was read. */
  readonly place: (name: string) => string
}

/**
 * The included files must be in the dictionary's folder or below it, or below one of the roots that contain that folder, because
 * dictionaries may come from anybody. A file that is reached by two names is read once.
 */
export function includedFiles(dictionary: string, roots: readonly string[]): IncludedFiles {
  const folder = dirname(dictionary)
  const [wrong] = roots.filter((root) => !statSync(root, { throwIfNoEntry: false })?.isDirectory())
  if (wrong !== undefined)
    throw new ExpectedError('usage', 'input-invalid', `--root ${wrong}: this folder does not exist.`)
  const places = new Map<string, string>()
  const seen = new Set<string>()

  function allowed(): readonly string[] {
    const real = realpathSync(folder)
    return [real, ...roots.map((root) => realpathSync(root)).filter((root) => isBelow(root, real))]
  }

  /** The file with this name in a folder; null: there is none that may be read. */
  function found(place: string): string | null {
    try {
      const real = realpathSync(place)
      if (!allowed().some((root) => isBelow(root, real)) || !statSync(real).isFile()) return null
      return real
    } catch {
      return null
    }
  }

  /** The folders in which a name is looked up: that of the dictionary and, up to the highest root, those above. */
  function folders(): readonly string[] {
    const real = realpathSync(folder)
    const above: string[] = []
    for (let up = real; allowed().some((root) => root !== up && isBelow(root, up));) above.push((up = dirname(up)))
    return [folder, ...above]
  }

  return {
    read(name) {
      if (isAbsolute(name)) return null
      for (const from of folders()) {
        const place = join(from, name)
        const real = found(place)
        if (real === null) continue
        places.set(name, place)
        // A dictionary in an editor may not be stored yet.
        const isItself = existsSync(dictionary) && real === realpathSync(dictionary)
        if (isItself || seen.has(real)) return ''
        seen.add(real)
        return readFileSync(real, 'utf8')
      }
      return null
    },
    place: (name) => places.get(name) ?? join(folder, name),
  }
}

function isBelow(root: string, path: string): boolean {
  const inside = relative(root, path)
  return !isAbsolute(inside) && inside !== '..' && !inside.startsWith(`..${sep}`)
}
