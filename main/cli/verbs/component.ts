import type { Command } from 'commander'
import { importLine } from '../../contract/procedures/components.ts'
import {
  componentNamed,
  listComponents,
  publishFile,
  saveForKit,
  withdrawComponent,
} from '../../services/components/component-command.ts'
import { defaultDataFolder } from '../../services/machine/data-folder.ts'
import { addGroup, addVerb, dataOption, folderName, type Context } from '../context.ts'
import { count, left, right, safe, safeLine, tableOf } from '../text.ts'

/** `tartaglia component publish|list|show|withdraw`: the component market of a class. */
export function addComponent(program: Command, { terminal }: Context): void {
  const group = addGroup(
    program,
    'component',
    'Modules that teams publish and agents import: publish, list, show, withdraw',
  )

  addVerb(
    group,
    'publish',
    'Publish a module under a name; it never changes',
    'tartaglia component publish matcher.js --author "Team Anna"',
  )
    .argument('<file>', 'a .js or .ts module, or a .zip or .tar.gz of such files')
    .requiredOption('--author <team>', 'the team that publishes it')
    .option('--name <name>', "small letters and digits, words joined by - (default: the file's name)")
    .option('--description <text>', 'what it is for, in one line', '')
    .addOption(dataOption())
    .action(async (file: string, { author, name, description, data = defaultDataFolder() }: PublishOptions) => {
      const stem = file.replace(/^.*[\\/]/, '').replace(/\..*$/, '')
      const published = await publishFile(data, { file, name: name ?? stem, author, description })
      terminal.output('component publish', published)
      terminal.print(`${published.name} ${published.hash}`)
      terminal.print(safeLine(importLine(published)))
    })

  addVerb(group, 'list', 'List the components of a class', 'tartaglia component list')
    .addOption(dataOption())
    .action(async ({ data = defaultDataFolder() }: { data?: string }) => {
      const components = await listComponents(data)
      terminal.output('component list', { data, components })
      if (components.length === 0) return terminal.print('No component has been published.')
      terminal.print(
        ...tableOf(components, [
          left(
            'component',
            ({ name, hash, withdrawn }) =>
              `${name}@${hash.slice(0, 12)}${withdrawn === undefined ? '' : ' (withdrawn)'}`,
          ),
          left('team', ({ author }) => author),
          right('bytes', ({ bytes }) => bytes),
          right('used by', ({ usedBy }) => count(usedBy.length, 'agent', 'agents')),
          left('exports', ({ exports }) => exports.join(', ').slice(0, 60)),
          left('description', ({ description }) => description),
        ]),
      )
    })

  addVerb(
    group,
    'show',
    'Show a component with its text, or save it for a kit',
    'tartaglia component show matcher --to my-kit',
  )
    .argument('<component>', 'its name, or its name and the beginning of its hash: matcher@0123')
    .option(
      '--to <folder>',
      'save it, and the components that it contains, in the folder "components" of this one',
      folderName,
    )
    .addOption(dataOption())
    .action(async (wanted: string, { to, data = defaultDataFolder() }: { to?: string; data?: string }) => {
      const component = await componentNamed(data, wanted)
      terminal.output('component show', component)
      if (to !== undefined) {
        for (const path of await saveForKit(data, component, to)) terminal.print(safeLine(path))
        return
      }
      const { name, hash, author, description, usedBy, withdrawn } = component
      terminal.print(`${name} ${hash}, by ${safeLine(author)}`)
      if (withdrawn !== undefined) terminal.print(`Withdrawn: ${safeLine(withdrawn)}.`)
      if (description !== '') terminal.print(safeLine(description))
      terminal.print(`Used by ${usedBy.length === 0 ? 'no agent' : safeLine(usedBy.join(', '))}.`)
      terminal.print(safeLine(importLine(component)))
      terminal.print('')
      terminal.print(safe(component.text.replace(/\n$/, '')))
    })

  addVerb(
    group,
    'withdraw',
    'Withdraw a component: agents handed in from now on cannot import it',
    'tartaglia component withdraw matcher',
  )
    .argument('<component>', 'its name, or its name and the beginning of its hash: matcher@0123')
    .option('--undo', 'offer it again', false)
    .addOption(dataOption())
    .action(async (wanted: string, { undo, data = defaultDataFolder() }: { undo: boolean; data?: string }) => {
      const component = await withdrawComponent(data, wanted, !undo)
      const { name, hash, usedBy, withdrawn = null } = component
      terminal.output('component withdraw', { name, hash, usedBy, withdrawn })
      terminal.print(`${name}@${hash.slice(0, 12)} ${undo ? 'can be imported again' : 'was withdrawn'}.`)
      if (!undo && usedBy.length > 0)
        terminal.print(`These agents contain it and keep it: ${safeLine(usedBy.join(', '))}.`)
    })
}

interface PublishOptions {
  readonly author: string
  readonly name?: string
  readonly description: string
  readonly data?: string
}
