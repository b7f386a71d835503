import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import {
  judgeDictionary,
  printDictionary,
  readDictionary,
  type Dialect,
  type Dictionary,
} from '../../../grammars/class-dictionary/index.ts'
import type { Problem } from '../../../grammars/problem.ts'
import { compileValues, type Values } from '../../../grammars/values/index.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { readOldTextFile } from '../files/read-file.ts'
import { placeProblems, problemLine, type PlacedProblem } from '../files/placed-problems.ts'

/** The result of checking one file. `dialect`: the dialect in which it was read. */
export interface DictionaryVerdict {
  readonly file: string
  readonly ok: boolean
  readonly dialect: Dialect
  readonly errors: readonly PlacedProblem[]
  readonly warnings: readonly PlacedProblem[]
}

/**
 * Checks a class dictionary and the files that it includes. A file that cannot be read is reported as an error at line
 * 1.
 */
export async function checkDictionaryFile(file: string, dialect?: Dialect): Promise<DictionaryVerdict> {
  const text = await readOldTextFile(file).catch((error: unknown) => {
    if (error instanceof ExpectedError && error.kind === 'usage') return error
    throw error
  })
  if (typeof text !== 'string') {
    const errors = [{ file, line: 1, column: 1, message: text.message }]
    return { file, ok: false, dialect: dialect ?? 'C', errors, warnings: [] }
  }
  const read = readText(text, file, dialect)
  const { errors, warnings } =
    read.dictionary === null ? { errors: read.problems, warnings: [] } : judgeDictionary(read.dictionary)
  return {
    file,
    ok: errors.length === 0,
    dialect: read.dialect,
    errors: placeProblems(errors, file),
    warnings: placeProblems(warnings, file),
  }
}

/** Prints a dictionary in canonical form. Throws ExpectedError 'usage' with its first problem. */
export async function printDictionaryFile(file: string, dialect?: Dialect): Promise<string> {
  const { dictionary, problems } = readChecked(await readOldTextFile(file), file, dialect)
  if (dictionary === null) throw new ExpectedError('usage', 'dictionary-invalid', sentence(problems, file))
  return printDictionary(dictionary)
}

/**
 * The values of a dictionary: parser, printer, validator, sampler. Throws ExpectedError 'usage' with its first problem.
 */
export async function valuesOf(file: string, dialect?: Dialect): Promise<Values> {
  const { dictionary, problems } = readChecked(await readOldTextFile(file), file, dialect)
  if (dictionary === null) throw new ExpectedError('usage', 'dictionary-invalid', sentence(problems, file))
  return compileValues(dictionary)
}

function readChecked(
  text: string,
  file: string,
  dialect?: Dialect,
): { readonly dictionary: Dictionary | null; readonly problems: readonly Problem[] } {
  const read = readText(text, file, dialect)
  if (read.dictionary === null) return read
  const problems = judgeDictionary(read.dictionary).errors
  return { dictionary: problems.length === 0 ? read.dictionary : null, problems }
}

function readText(text: string, file: string, dialect?: Dialect): ReturnType<typeof readDictionary> {
  return readDictionary(text, {
    resolve: (path) => includedText(file, path),
    ...(dialect === undefined ? {} : { dialect }),
  })
}

/**
 * Reads an included file, which must be in the dictionary's folder or below it, because dictionaries may come from
 * anybody. Returns null if it is not, or is the dictionary itself.
 */
function includedText(dictionary: string, name: string): string | null {
  try {
    const folder = dirname(dictionary)
    const path = realpathSync(join(folder, name))
    const inside = relative(realpathSync(folder), path)
    if (isAbsolute(name) || isAbsolute(inside) || inside.startsWith('..')) return null
    if (path === realpathSync(dictionary)) return ''
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

function sentence(problems: readonly Problem[], file: string): string {
  const first = placeProblems(problems, file)[0]
  return first === undefined ? `${file} cannot be read.` : problemLine(first)
}
