import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import {
  checkDictionary,
  printDictionary,
  readDictionary,
  type Dictionary,
} from '../../grammars/class-dictionary/index.ts'
import type { Problem } from '../../grammars/problem.ts'
import { compileValues, type Values } from '../../grammars/values/index.ts'
import type { Json } from '../contract/json.ts'
import { Trouble } from '../contract/trouble.ts'
import { readTextFile } from './files.ts'
import { placed, problemLine, type PlacedProblem } from './problems.ts'
import { readJsonValueFile, readValueFile } from './values.ts'

/** What the check of one file found. `dialect` is the one that it was read in. */
export interface DictionaryVerdict {
  readonly file: string
  readonly ok: boolean
  readonly dialect: 'C'
  readonly errors: readonly PlacedProblem[]
}

/** Checks a class dictionary and what it includes. Throws Trouble 'usage' when the file itself cannot be read. */
export async function checkDictionaryFile(file: string): Promise<DictionaryVerdict> {
  const { problems } = readChecked(await readTextFile(file), file)
  return { file, ok: problems.length === 0, dialect: 'C', errors: placed(problems, file) }
}

/** The canonical text of a dictionary. Throws Trouble 'usage' with its first problem when it has one. */
export async function printDictionaryFile(file: string): Promise<string> {
  const { dictionary, problems } = readChecked(await readTextFile(file), file)
  if (dictionary === null) throw new Trouble('usage', sentence(problems, file))
  return printDictionary(dictionary)
}

/** The value that a text file holds, read by a dictionary's class. Throws Trouble 'usage' with the place of what is wrong. */
export async function parseWithDictionary(dictionary: string, file: string, type: string): Promise<Json> {
  return readValueFile(await valuesOf(dictionary), type, file)
}

/** The text of the value that a JSON file holds. Throws Trouble 'usage' with the place of what is wrong. */
export async function printWithDictionary(dictionary: string, jsonFile: string, type: string): Promise<string> {
  const values = await valuesOf(dictionary)
  return values.print(await readJsonValueFile(values, type, jsonFile), type)
}

async function valuesOf(file: string): Promise<Values> {
  const { dictionary, problems } = readChecked(await readTextFile(file), file)
  if (dictionary === null) throw new Trouble('usage', sentence(problems, file))
  return compileValues(dictionary)
}

function readChecked(
  text: string,
  file: string,
): { readonly dictionary: Dictionary | null; readonly problems: readonly Problem[] } {
  const read = readDictionary(text, { resolve: (name) => includedText(dirname(file), name) })
  if (read.dictionary === null) return read
  const problems = checkDictionary(read.dictionary)
  return { dictionary: problems.length === 0 ? read.dictionary : null, problems }
}

/** An included file, which must lie in the folder of the dictionary or below: a dictionary may come from anybody. */
function includedText(folder: string, name: string): string | null {
  try {
    const path = realpathSync(join(folder, name))
    const inside = relative(realpathSync(folder), path)
    if (isAbsolute(name) || isAbsolute(inside) || inside.startsWith('..')) return null
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : null
  } catch {
    return null
  }
}

function sentence(problems: readonly Problem[], file: string): string {
  const first = placed(problems, file)[0]
  return first === undefined ? `${file} cannot be read.` : problemLine(first)
}
