import { Option } from 'commander'
import type { TypeOf } from '../../../services/challenges/dictionary-values.ts'

/** The options of verbs that work with values. */
export interface TypeOptions {
  readonly class: string
  readonly dialect?: NonNullable<TypeOf['dialect']>
}

export function classOption(): Option {
  return new Option('--class <type>', 'the class of the value, such as Instance or List(int)').makeOptionMandatory()
}

export function dialectOption(): Option {
  const help = 'the dialect of the dictionary (default: as its first line states, otherwise detected from the text)'
  return new Option('--dialect <letter>', help).choices(['A', 'B', 'C'])
}

export function typeOf(dictionary: string, options: TypeOptions): TypeOf {
  const { dialect } = options
  return { dictionary, type: options.class, ...(dialect === undefined ? {} : { dialect }) }
}
