import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { keepAwake } from '../../../main/desktop/awake.ts'
import type { KnownClass } from '../../../main/contract/procedures/classes.ts'
import { externalLink } from '../../../main/desktop/guard.ts'
import {
  firstClass,
  placeFor,
  readWindowState,
  withClass,
  withRecent,
  writeWindowState,
} from '../../../main/desktop/window-state.ts'
import { opensOther, questionOf, quits } from '../../../main/desktop/pausing.ts'
import { menuTemplate, type MenuActions } from '../../../main/desktop/menu.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

vi.mock('electron', () => ({ ipcMain: {}, protocol: {} }))
const { addressOf, isDocs, origin, pathOf } = await import('../../../main/desktop/scheme.ts')
const { isOurs } = await import('../../../main/desktop/ports.ts')

let folder = ''
beforeEach(() => void (folder = temporaryFolder('desktop')))

describe('app:// addresses', () => {
  test.each([
    ['/', 'index.html'],
    ['/index.html', 'index.html'],
    ['/assets/main-B1x_.js', 'assets/main-B1x_.js'],
    ['/assets/a.css?v=1', 'assets/a.css'],
    ['/#/contests/x-1', 'index.html'],
  ])('%s is %s', (address, path) => expect(pathOf(`${origin}${address}`)).toBe(path))

  test.each([
    '/../desktop.js',
    '/assets/../../desktop.js',
    '/%2e%2e/desktop.js',
    '/..%2fdesktop.js',
    '/..\\desktop.js',
    '//etc/passwd',
    '/etc//passwd',
    '/./index.html',
    '/.vite/manifest.json',
    '/C:/Windows/win.ini',
    '/index.html%00.js',
    '/assets/',
    '/\u2024\u2024/x.js',
  ])('%s is nothing', (address) => expect(pathOf(`${origin}${address}`)).toBeNull())

  test.each(['app://other/index.html', 'app://tartaglia.evil/index.html', 'file:///index.html', 'app://tartaglia', ''])(
    'nor is %s, which is another place',
    (address) => expect(pathOf(address)).toBeNull(),
  )

  test('whatever the address, the file lies inside the folder', () => {
    const part = fc.oneof(fc.string(), fc.constantFrom('..', '.', '/', '\\', '%2e', '%2f', ':', '\0', 'a.js'))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const path = pathOf(`${origin}/${parts.join('')}`)
        if (path !== null) expect(join('/window', path).startsWith('/window/')).toBe(true)
      }),
    )
  })
})

describe('links to the outside', () => {
  test.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['http://example.org', 'http://example.org/'],
    // The address that the browser will show, not the look of the text.
    ['https://еxample.org/', 'https://xn--xample-2of.org/'],
  ])('%s may be opened as %s', (text, address) => expect(externalLink(text)).toBe(address))

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'smb://host/share',
    'ms-settings:privacy',
    'data:text/html,x',
    'app://tartaglia/',
    'https://bank.example@evil.example/',
    'https://:secret@evil.example/',
    'example.org',
    'https://',
    `https://example.org/${'a'.repeat(2_000)}`,
    '',
  ])('%s may not', (text) => expect(externalLink(text)).toBeNull())
})

describe('who may send', () => {
  const frame = (address: string) => ({ origin: address })
  const main = frame(origin)
  test('the main frame of our window with our page in it', () => {
    expect(isOurs({ senderFrame: main }, { mainFrame: main })).toBe(true)
  })
  test.each([
    ['another frame of our page', { senderFrame: frame(origin) }, { mainFrame: main }],
    ['a frame that is gone', { senderFrame: null }, { mainFrame: main }],
    ['anybody while there is no window', { senderFrame: main }, null],
  ])('not %s', (_who, event, contents) => expect(isOurs(event, contents)).toBe(false))
  test.each(['https://evil.example', 'null', 'app://tartaglia.evil', 'file://'])('not a page of %s', (address) => {
    const foreign = frame(address)
    expect(isOurs({ senderFrame: foreign }, { mainFrame: foreign })).toBe(false)
  })
})

describe('what the window remembers', () => {
  const area = { x: 0, y: 25, width: 1920, height: 1055 }
  test('is read as it was written', () => {
    const file = join(folder, 'deep', 'window.json')
    const kept = {
      bounds: { x: 3, y: 30, width: 900, height: 700 },
      maximized: true,
      recent: ['/a.jsonl'],
      classes: [],
    }
    writeWindowState(file, kept)
    expect(readWindowState(file)).toEqual(kept)
  })
  test.each(['', '{', '[]', '{"bounds":{"x":1}}', '{"bounds":null,"maximized":false,"recent":[1]}'])(
    'is forgotten where the file holds %s',
    (text) => {
      const file = join(folder, 'window.json')
      writeFileSync(file, text)
      expect(readWindowState(file)).toEqual({ bounds: null, maximized: false, recent: [], classes: [] })
    },
  )
  test('is kept from before there were several classes', () => {
    const file = join(folder, 'window.json')
    writeFileSync(file, '{"bounds":null,"maximized":true,"recent":["/a.jsonl"]}')
    expect(readWindowState(file)).toEqual({ bounds: null, maximized: true, recent: ['/a.jsonl'], classes: [] })
  })
  test('classes: the last one first, each once, with its present name', () => {
    const [a, b, renamed] = ['A', 'B', 'C'].map((name, n) => ({ folder: ['/a', '/b', '/a'][n]!, name }))
    expect([a!, b!, renamed!].reduce<KnownClass[]>(withClass, [])).toEqual([renamed, b])
    const many = Array.from({ length: 12 }, (_, n) => ({ folder: `/${n}`, name: `${n}` }))
    expect(many.reduce<KnownClass[]>(withClass, [])).toHaveLength(10)
  })
  test.each([
    ['the last class', { isNamed: false, classes: [{ folder: '/last', name: 'L' }] }, '/last'],
    ['the one that was named for this start', { isNamed: true, classes: [{ folder: '/last', name: 'L' }] }, '/usual'],
    ['the usual one if the last is gone', { isNamed: false, classes: [{ folder: '/gone', name: 'G' }] }, '/usual'],
    ['the usual one at the first start', { isNamed: false, classes: [] }, '/usual'],
  ])('the app begins with %s', (_which, facts, folder) =>
    expect(firstClass({ ...facts, usual: '/usual' }, (each) => Promise.resolve(each === '/last'))).resolves.toBe(
      folder,
    ),
  )
  test('a place that cannot be written keeps nobody from closing', () => {
    writeFileSync(join(folder, 'file'), 'x')
    writeWindowState(join(folder, 'file', 'window.json'), { bounds: null, maximized: false, recent: [], classes: [] })
    expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('x')
  })
  test('the window comes back where it was', () => {
    const wanted = { x: 1800, y: 900, width: 1280, height: 800 }
    expect(placeFor(wanted, [area])).toEqual(wanted)
  })
  test.each([
    ['on a display that is gone', { x: 2500, y: 100, width: 1280, height: 800 }],
    ['with its title bar above the display', { x: 100, y: -700, width: 1280, height: 800 }],
    ['with too little of it to take hold of', { x: 1850, y: 100, width: 1280, height: 800 }],
  ])('but not %s', (_where, wanted) => expect(placeFor(wanted, [area])).toBeNull())
  test('recent files: newest first, each once, ten of them', () => {
    const paths = Array.from({ length: 12 }, (_, at) => `/${at}.jsonl`)
    const recent = [...paths, '/5.jsonl'].reduce<string[]>(withRecent, [])
    expect(recent).toEqual([5, 11, 10, 9, 8, 7, 6, 4, 3, 2].map((at) => `/${at}.jsonl`))
  })
})

describe('the menu', () => {
  const done: string[] = []
  const actions: MenuActions = {
    open: (kind) => done.push(`open ${kind}`),
    openRecent: (path) => done.push(`recent ${path}`),
    clearRecent: () => done.push('clear'),
    chooseClass: () => done.push('choose class'),
    openClass: (each) => done.push(`class ${each}`),
    go: (screen) => done.push(`go ${screen}`),
    docs: () => done.push('docs'),
    about: () => done.push('about'),
    quit: () => done.push('quit'),
  }
  type Item = ReturnType<typeof menuTemplate>[number]
  const all = (items: readonly Item[]): Item[] =>
    items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? all(item.submenu) : [])])
  const menu = (platform: NodeJS.Platform, packaged = true, recent: readonly string[] = []) =>
    all(menuTemplate({ platform, packaged, recent, classes: [{ folder: '/b', name: 'B & C' }] }, actions))
  const press = (items: readonly Item[], label: string): void => {
    const item = items.find((each) => each.label === label)
    // Our actions use none of what Electron hands over.
    ;(item?.click as (() => void) | undefined)?.()
  }

  test.each(['linux', 'win32', 'darwin'] as const)('does on %s what it says', (platform) => {
    done.length = 0
    const items = menu(platform, true, ['/home/a & b.jsonl'])
    const labels = [
      'Open History…',
      'Hand in Agent…',
      'Check Challenge…',
      'a && b.jsonl',
      'Clear',
      'Open Class…',
      'B && C',
      'New Class…',
      'Contests',
      'Manual',
      'All Documentation',
      'About Tartaglia',
    ]
    for (const label of labels) press(items, label)
    expect(done).toEqual([
      'open history',
      'open agent',
      'open challenge',
      'recent /home/a & b.jsonl',
      'clear',
      'choose class',
      'class /b',
      'go #/classes',
      'go #/contests',
      'go #/help',
      'docs',
      'about',
    ])
  })
  test('no key is taken twice', () => {
    const keys = menu('darwin').flatMap(({ accelerator }) => (accelerator === undefined ? [] : [accelerator]))
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThan(3)
  })
  test('developer tools are for developers', () => {
    const has = (packaged: boolean) => menu('linux', packaged).some(({ role }) => role === 'toggleDevTools')
    expect([has(true), has(false)]).toEqual([false, true])
  })
})

test('the machine stays awake while a contest runs or the class is open to the network, by one block', () => {
  const calls: string[] = []
  const blocker = {
    start: (type: string) => calls.push(`start ${type}`),
    stop: (id: number) => calls.push(`stop ${id}`),
  }
  const idle = { isOnNetwork: false, running: [] }
  let awake: number | null = null
  for (const facts of [idle, { ...idle, running: ['cup'] }, { ...idle, isOnNetwork: true }, idle, idle])
    awake = keepAwake({ awake, ...facts }, blocker)
  expect([calls, awake]).toEqual([['start prevent-app-suspension', 'stop 1'], null])
})

test.each([
  ['app://tartaglia/help/index.html', true],
  ['app://tartaglia/help/games/cows.html#rules', true],
  ['app://tartaglia/help/../index.html', false],
  ['app://tartaglia/help/%2e%2e/index.html', false],
  ['app://tartaglia/?class=0123456789abcdef', false],
  ['app://tartaglia.example/help/index.html', false],
  ['https://tartaglia/help/index.html', false],
  ['app://tartaglia/helper.html', false],
])('the documentation has a window of its own: %s is of it (%s)', (url, expected) => expect(isDocs(url)).toBe(expected))

test('the page of each class has an address of its own, at which what it keeps in the browser is apart', () => {
  const [algebra, geometry] = [addressOf('/a/algebra'), addressOf('/a/geometry')]
  expect([pathOf(algebra), addressOf('/a/b/../algebra')]).toEqual(['index.html', algebra])
  expect(algebra).not.toBe(geometry)
})

test('the question before contests are left says what is kept, and promises nothing of a match that is played by hand', () => {
  const [contest, byHand] = [
    { title: 'Cup', person: false },
    { title: 'Ada against baby', person: true },
  ]
  expect(questionOf([], [], quits)).toBeNull()
  expect(questionOf([contest], [], opensOther)?.detail).toContain(opensOther.resumes)
  expect(questionOf([contest], [], quits)?.button).toBe(quits.button)
  const alone = questionOf([byHand], [], opensOther)
  expect(alone?.detail).not.toContain(opensOther.resumes)
  expect(alone?.button).toBe('Give Up and Open')
  const both = questionOf([contest, byHand], [], quits)
  expect(both?.detail).toContain(quits.resumes)
  expect(both?.detail).toContain(alone?.detail)
})

test('exports, backups, imports and classes that are being made are asked about, alone and beside contests', () => {
  const tasks = ['export', 'backup', 'import', 'new-term', 'sample-term'] as const
  const questions = tasks.map((task) => questionOf([], [task], quits)!)
  expect(new Set(questions.map(({ message }) => message)).size).toBe(tasks.length)
  expect(new Set(questions.map(({ detail }) => detail)).size).toBe(tasks.length)
  expect(new Set(questions.map(({ button }) => button))).toEqual(new Set([quits.anyway]))
  // Two of one kind are one sentence.
  expect(questionOf([], ['export', 'export'], opensOther)).toEqual({ ...questions[0], button: opensOther.anyway })
  const beside = questionOf([{ title: 'Cup', person: false }], ['export'], quits)
  expect(beside?.button).toBe(quits.button)
  expect(beside?.detail).toContain(quits.resumes)
  expect(beside?.detail).toContain(questions[0]!.message)
  expect(beside?.detail).toContain(questions[0]!.detail)
})
