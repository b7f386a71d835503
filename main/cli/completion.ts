import type { Command } from 'commander'

/** The shells whose completion is written; zsh reads that of bash. */
export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** Values that are offered though others are taken, too. */
export interface KnownValues {
  /** Values of options; the keys are flags such as `--game`. */
  readonly options: Readonly<Record<string, readonly string[]>>
  /** Values of first arguments; the keys are the words of commands. */
  readonly arguments: Readonly<Record<string, readonly string[]>>
}

/** A command as completion sees it. `path`: its words, such as `contest run`; '' for the program. */
interface Place {
  readonly path: string
  readonly summary: string
  readonly verbs: readonly string[]
  readonly options: readonly OptionOfPlace[]
  /** The values that are offered for its first argument. */
  readonly values: readonly string[]
}

interface OptionOfPlace {
  readonly flag: string
  readonly summary: string
  readonly takesValue: boolean
  readonly isNumber: boolean
  /** Those that are offered; empty: files, unless it is a number. */
  readonly values: readonly string[]
}

/** The end of an option's flags, such as `--wait <seconds>`, if its value is a number. */
const numberAtEnd = /<(?:number|ms|seconds|hours|days|months|percent|share|port|rows|move|bits|cells|workers)>$/

/** A script that completes the verbs, options and values of a program in a shell. */
export function completionScript(program: Command, shell: Shell, known: KnownValues): string {
  const places = placesOf(program, [], known)
  if (shell === 'fish') return fishScript(places)
  const bash = bashScript(places)
  if (shell === 'bash')
    return `# Completion for tartaglia: source it, or put it where bash looks for completions.\n${bash}`
  // A file where zsh looks for completions would have another form; compinit is run once.
  return `# Completion for tartaglia: source it.
(( $+functions[compdef] )) || { autoload -U +X compinit && compinit }
autoload -U +X bashcompinit && bashcompinit
${bash}`
}

function placesOf(command: Command, words: readonly string[], known: KnownValues): readonly Place[] {
  const verbs = command.commands.filter((each) => each.name() !== 'help')
  const help = { flag: '--help', summary: 'show the help', takesValue: false, isNumber: false, values: [] }
  const options = command.options.flatMap(({ long, flags, description, argChoices, hidden, required, optional }) =>
    long === undefined || hidden
      ? []
      : [
          {
            ...{ flag: long, summary: description, takesValue: required || optional },
            isNumber: numberAtEnd.test(flags),
            values: argChoices ?? known.options[long] ?? [],
          },
        ],
  )
  const path = words.join(' ')
  const own: Place = {
    ...{ path, summary: command.description(), verbs: verbs.map((each) => each.name()) },
    options: [...options, help],
    values: command.registeredArguments[0]?.argChoices ?? known.arguments[path] ?? [],
  }
  return [own, ...verbs.flatMap((each) => placesOf(each, [...words, each.name()], known))]
}

/** Words of our own: letters, digits, hyphens and dots, which no shell takes for anything else. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

function bashScript(places: readonly Place[]): string {
  const paths = places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)]))
  const words = places.map(
    ({ path, verbs, options, values }) =>
      `    ${quoted(path)}) words=${quoted([...verbs, ...values, ...options.map(({ flag }) => flag)].join(' '))} ;;`,
  )
  const choices = places.flatMap(({ path, options }) =>
    options.flatMap(({ flag, values }) =>
      values.length === 0 ? [] : [`    ${quoted(`${path} ${flag}`)}) words=${quoted(values.join(' '))} ;;`],
    ),
  )
  const files = places.flatMap(({ path, options }) =>
    options.flatMap(({ flag, takesValue, values }) =>
      takesValue && values.length === 0 ? [quoted(`${path} ${flag}`)] : [],
    ),
  )
  // zsh takes letters behind a colon for a modifier.
  return `_tartaglia() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" at='' words='' each
  for each in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "\${at:+$at }$each" in
    ${paths.join('|')}) at="\${at:+$at }$each" ;;
    esac
  done
  case "$at" in
${words.join('\n')}
  esac
  case "$at $before" in
${choices.join('\n')}
    ${files.join('|')}) words='' ;;
  esac
  # Options stand in the way of names of files.
  if [[ "$word" != -* ]]; then words=" $words"; words="\${words%% --*}"; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _tartaglia tartaglia
`
}

function fishScript(places: readonly Place[]): string {
  const summaries = new Map(places.map(({ path, summary }) => [path, summary]))
  const lines = places.flatMap(({ path, verbs, options, values }) => {
    const condition = `-n ${quoted(`__tartaglia_at ${path}`.trim())}`
    const verb = (name: string): string => summaries.get(path === '' ? name : `${path} ${name}`) ?? ''
    return [
      ...verbs.map((name) => `complete -c tartaglia -f ${condition} -a ${name} -d ${quoted(verb(name))}`),
      ...values.map((value) => `complete -c tartaglia -f ${condition} -a ${quoted(value)}`),
      ...options.map(({ flag, summary, takesValue, isNumber, values: choices }) => {
        const offered = choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : ''
        // Without -F the verbs that take no files would hide them.
        const takes = !takesValue ? '' : choices.length > 0 || isNumber ? ` -x${offered}` : ' -r -F'
        return `complete -c tartaglia ${condition} -l ${flag.slice(2)}${takes} -d ${quoted(summary)}`
      }),
    ]
  })
  return `# Completion for tartaglia: source it, or put it where the shell looks for completions.
set -g __tartaglia_paths ${places.flatMap(({ path }) => (path === '' ? [] : [quoted(path)])).join(' ')}
function __tartaglia_at
  set -l at ''
  for each in (commandline -opc)[2..]
    set -l next (string trim -- "$at $each")
    contains -- $next $__tartaglia_paths; and set at $next
  end
  test "$at" = "$argv"
end
${lines.join('\n')}
`
}
