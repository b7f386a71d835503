import { InvalidArgumentError, type Command } from 'commander'
import { REVEAL_AFTER_MAX } from '../../contract/procedures/classroom.ts'
import { ExpectedError } from '../../contract/expected-error.ts'
import { isPublic, ruleWords } from '../../contract/players/sources.ts'
import { publicSource, readReveals, setRevealRule } from '../../services/agents/source-command.ts'
import { classesIn, earlierClasses } from '../../services/agents/similarity/earlier-classes.ts'
import { pairWords, similarPairsOfClass } from '../../services/agents/similarity/class-similarity.ts'
import { existingClass } from '../../services/machine/existing-class.ts'
import { writeOutFile } from '../../services/files/output-file.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addVerb, dataOption, type Context } from '../context.ts'
import { count, left, right, safe, safeLine, tableOf } from '../text.ts'

/** `tartaglia agent reveal|source|similar`: the reveal rule of a class, the sources that are public by it, and similar code. */
export function addSourceVerbs(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'reveal',
    'Show or set the reveal rule of a class, and when the source of each version becomes public',
    'tartaglia agent reveal --after 3',
  )
    .option(
      '--after <contests>',
      'contests after which sources become public, of agents handed in from now on; 0: never',
      rule,
    )
    .addOption(dataOption())
    .action(async ({ after, data = defaultDataFolder() }: { after?: number; data?: string }) => {
      if (after !== undefined) await setRevealRule(data, after)
      const { revealAfter, versions } = await readReveals(data)
      terminal.output('agent reveal', { data, revealAfter, versions })
      terminal.print(ruleWords(revealAfter))
      if (versions.length === 0) return
      terminal.print(
        ...tableOf(versions, [
          left('agent', ({ name }) => name),
          left('version', ({ agent }) => agent.slice(0, 12)),
          right('contests', ({ contests, after: needed }) => `${contests} of ${needed}`),
          left('source', (version) => (isPublic(version) ? 'public' : 'not yet')),
        ]),
      )
    })

  addVerb(group, 'source', 'Show or save the public source of an agent', 'tartaglia agent source fior --out fior.zip')
    .argument('<name>', "the agent's name")
    .option('--version <hash>', 'the version, by the beginning of its hash (default: the newest public one)')
    .option('--file <path>', 'show this file of it only')
    .option('--out <file>', 'write all files to a new .zip instead')
    .option('--overwrite', 'replace the .zip if it exists')
    .addOption(dataOption())
    .action(
      async (name: string, { data = defaultDataFolder(), version, file, out, overwrite = false }: SourceOptions) => {
        if (out !== undefined && file !== undefined)
          throw new ExpectedError(
            'usage',
            'options-conflict',
            '--out writes all files, so it cannot be used with --file.',
          )
        const { sources, ...one } = await publicSource(data, name, version)
        const source = await sources.get(one)
        if (out !== undefined) {
          writeOutFile({ path: out, overwrite }, await sources.zip(one))
          terminal.output('agent source', { ...source, out })
          terminal.print(`${safeLine(out)}: ${count(source.files.length, 'file', 'files')}.`)
          return
        }
        const wanted = file === undefined ? source.files.filter(({ shown }) => shown).map(({ path }) => path) : [file]
        const texts = []
        for (const path of wanted) texts.push({ path, ...(await sources.file(one, path)) })
        terminal.output('agent source', { ...source, texts })
        if (source.remark !== null) terminal.note(source.remark)
        for (const { path, text } of texts) {
          if (file === undefined) terminal.print(`==== ${safeLine(path)} ====`)
          terminal.print(safe(text.replace(/\n$/, '')))
        }
        const hidden = source.files.length - texts.length
        if (file === undefined && hidden > 0)
          terminal.note(`${count(hidden, 'file is', 'files are')} not shown: not text, or too long; --out writes them.`)
      },
    )
}

/** `tartaglia agent similar`. */
export function addSimilar(group: Command, { terminal }: Context): void {
  addVerb(
    group,
    'similar',
    'List the agents of different teams of a class that have much code in common',
    'tartaglia agent similar --data ./class',
  )
    .option(
      '--against <folder...>',
      'compare with the classes of these data folders or backups too, or of the folders in them',
    )
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder(), against = [] }: { data?: string; against?: readonly string[] }) => {
      const content = await existingClass(data)
      const given = (await Promise.all(against.map(classesIn))).flat()
      const pairs = await similarPairsOfClass({ content, folder: data }, [...(await earlierClasses(data)), ...given])
      terminal.output('agent similar', { data, pairs })
      for (const pair of pairs) terminal.print(safeLine(pairWords(pair)))
      terminal.print(
        pairs.length === 0
          ? 'No two agents of different teams have much code in common, apart from that of the kits.'
          : 'This does not prove copying: compare the sources. Code of the kits is not counted.',
      )
    })
}

interface SourceOptions {
  readonly data?: string
  readonly version?: string
  readonly file?: string
  readonly out?: string
  readonly overwrite?: boolean
}

function rule(text: string): number {
  const after = /^\d{1,4}$/.test(text) ? Number(text) : Infinity
  if (after > REVEAL_AFTER_MAX)
    throw new InvalidArgumentError(`It must be a number of contests from 0 to ${REVEAL_AFTER_MAX}.`)
  return after
}
