import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { settingsOfTrust } from '../../../main/contract/people/objects.ts'
import { role, type Role } from '../../../main/contract/people/people.ts'
import { mayCall, reachOf, topicAccess } from '../../../main/contract/procedures/access.ts'
import { procedures, type ProcedureName } from '../../../main/contract/procedures/procedures.ts'
import { onlyReads } from '../../../main/contract/procedures/read-only.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { readWindow, type Offer } from './offered-calls.ts'

const renderer = join(import.meta.dirname, '../../../renderer')

/** Somebody at the window. `isReadOnly`: nothing can be changed, as in a class that is open to look at, or seen as a student sees it. */
interface Viewer {
  readonly role: Role
  readonly isReadOnly: boolean
  readonly playsByHand?: true
  /** Null: the person at this machine, or a guest. */
  readonly person: string | null
}
const viewers: readonly Viewer[] = role.options.flatMap((each) =>
  [false, true].flatMap((isReadOnly) => [
    { role: each, isReadOnly, person: 'x' },
    { role: each, isReadOnly, person: 'x', playsByHand: true as const },
    ...(each === 'educator' ? [{ role: each, isReadOnly, person: null }] : []),
  ]),
)

function isAllowed(viewer: Viewer, needs: string): boolean {
  const { role: who, isReadOnly } = viewer
  const [kind, name = ''] = needs.split(':')
  if (kind === 'topic')
    return reachOf(topicAccess[name as keyof typeof topicAccess], { ...viewer, isTerminal: false }) !== undefined
  if (kind === 'setting')
    return !isReadOnly && (who === 'educator' || (who === 'assistant' && !settingsOfTrust.has(name)))
  expect(Object.keys(procedures)).toContain(needs)
  return mayCall(viewer, needs as ProcedureName) && !(isReadOnly && !onlyReads(needs as ProcedureName))
}

/** The offers that would be refused to somebody to whom they are made. `needs`: the right without which the screen does not exist; '': none. */
function refused(offers: readonly Offer[], needs: string): readonly string[] {
  return offers.flatMap(({ needs: needed, guards, at }) => {
    const asked = [...guards, ...(needs === '' ? [] : [needs])]
    const refusedTo = viewers
      .filter((viewer) => asked.every((each) => isAllowed(viewer, each)) && !isAllowed(viewer, needed))
      .map((viewer) => `${viewer.role}${viewer.isReadOnly ? ' (reading)' : ''}`)
    return refusedTo.length === 0 ? [] : [`${at}: ${needed} is offered to ${[...new Set(refusedTo)].join(', ')}`]
  })
}

/** The screens with the rights that they need, the frame around them, and parts that are loaded later. */
const routes = readFileSync(join(renderer, 'navigation/routes.ts'), 'utf8')
  .split(/^ {2}route\(/m)
  .slice(1)
const screens = [
  ...routes.map((each) => [
    /import\('\.\.\/([^']+)'\)/.exec(each)?.[1] ?? '',
    /needs: '([^']+)'/.exec(each)?.[1] ?? '',
  ]),
  ['app.svelte', ''],
  ['frame/network-dialog.svelte', 'network.open'],
  ['screens/class/student-home.svelte', 'teams.mine'],
  ['screens/class/educator/educator-home.svelte', 'home.get'],
  ['screens/class/result.svelte', ''],
  ['screens/class/kept-matches.svelte', 'kits.matches'],
  ['games/named-text-field.svelte', 'contests.create'],
]

test('no screen offers a procedure, a topic or a setting that is refused to somebody who sees it', () => {
  expect(routes.length).toBeGreaterThan(25)
  const source = readWindow(renderer)
  const found = screens.flatMap(([file = '', needs = '']) => {
    expect([file, existsSync(join(renderer, file))]).toEqual([file, true])
    return refused(source.of(file), needs)
  })
  expect([...new Set(found)].sort()).toEqual([])
})

const others = ['educator (reading)', 'assistant (reading)', 'student', 'student (reading)', 'guest', 'guest (reading)']
test.each([
  ['a button', `<button onclick={go}>x</button>`, others],
  ['a guarded button', `{#if may('agents.try')}<button onclick={go}>x</button>{/if}`, []],
  ['a button in the other branch', `{#if may('agents.try')}{:else}<button onclick={go}>x</button>{/if}`, others],
  [
    'a guard that is too wide',
    `{#if may('agents.get')}<button onclick={go}>x</button>{/if}`,
    ['educator (reading)', 'assistant (reading)', 'student', 'student (reading)'],
  ],
  ['a guard by a name', `{#if staff && 1 > 0}<button onclick={() => go()}>x</button>{/if}`, []],
  ['a callback', `<Part done={staff ? go : null} />`, []],
  ['a part of another file', `<Part done={null} />{#if 1 > 0}<Other />{/if}`, others],
  ['a guarded part', `{#if !may('agents.try')}{:else}<Other />{/if}`, []],
  ['a snippet', `{#snippet one()}<button onclick={go}>x</button>{/snippet}{@render one()}`, others],
])('the rule sees %s', (_, template, expected) => {
  const folder = temporaryFolder('window')
  const write = (name: string, script: string, text: string): void =>
    writeFileSync(join(folder, name), `<script lang="ts">\n${script}\n</script>\n${text}`)
  const script = [
    `import { may } from './caller.ts'`,
    `import Part from './part.svelte'`,
    `import Other from './other.svelte'`,
    `const staff = $derived(may('agents.try'))`,
    `function go(): void { later() }`,
    `const later = async (): Promise<void> => void (await call('agents.try', { name: 'x' }))`,
  ]
  write('screen.svelte', script.join('\n'), template)
  write('part.svelte', 'const { done } = $props()', '{#if done !== null}<button onclick={done}>x</button>{/if}')
  write('other.svelte', '', `<button onclick={() => call('agents.try', {})}>x</button>`)
  const [only, ...more] = refused(readWindow(folder).of('screen.svelte'), '')
  expect(more).toEqual([])
  expect(only?.split(' to ')[1]?.split(', ') ?? []).toEqual(expected)
})
