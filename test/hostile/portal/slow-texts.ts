import { monitorEventLoopDelay } from 'node:perf_hooks'
import { writeTar } from '../../../main/services/packages/tar.ts'
import { writeZip } from '../../../main/services/packages/zip.ts'
import { given, newKey, signedFile } from '../../unit/entries/school.ts'
import { draftOf, type Room } from '../../conformance/service/classroom.ts'

// Texts that take seconds to read, as strangers may send them.

const lines = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('\n')

const challenge = `challenge slow "Slow"\n\n${lines(20_000, (n) => `A${n} = <a> A${n + 1} <b> A${n + 2}.`)}\n`

const sites = 50_000
const map = JSON.stringify({
  sites: Array.from({ length: sites }, (_, id) => ({ id, x: id % 251, y: id / 7 })),
  rivers: Array.from({ length: sites }, (_, n) => ({ source: n, target: (n * 7 + 1) % sites })),
  mines: [0, 1],
})

const script = `module.exports = {}\n${lines(400_000, (n) => `let name_${n} = other_${n} + 1`)}`

const settings = draftOf(
  ['anna', 'bob'].map((name) => ({ name, agent: '0'.repeat(64) })),
  { game: 'haggle', config: { types: 10, minObjects: 1, maxObjects: 100, totalValue: 30_000 } },
)

/** A program of 62 MB in many files, in little space. */
const files = new Map<string, Uint8Array>([
  ['agent.json', Buffer.from(JSON.stringify({ name: 'heavy', game: 'haggle', kind: 'program', command: ['sh', 'a'] }))],
  ...Array.from({ length: 62 }, (_, n) => [`file-${n}`, Buffer.alloc(1_048_576, n)] as const),
])

const zip = writeZip(files)
const key = newKey()
const tar = writeTar([...files].map(([path, bytes]) => ({ path, bytes })))
const entries = signedFile(key, [given(key, tar, { kind: 'program', game: 'haggle', name: 'heavy' })])
const history = Buffer.from('{}\n'.repeat(3_000_000))
const scriptBytes = Buffer.from(script)

/** A classroom to which strangers' texts are sent. */
export interface Receiver extends Pick<Room, 'call'> {
  upload(kind: 'packages' | 'histories', name: string, content: Uint8Array): Promise<string>
}

export const receiverIn = ({ call, service }: Room): Receiver => ({
  call,
  async upload(kind, name, content) {
    const { file } = await service[kind === 'packages' ? 'takePackage' : 'takeHistory'](name, piecesOf(content))
    return file
  },
})

/** As they come from a connection. */
async function* piecesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < content.length; at += 65_536) yield content.subarray(at, at + 65_536)
}

async function handIn({ call, upload }: Receiver, name: string, content: Uint8Array): Promise<unknown> {
  const file = await upload('packages', name, content)
  return call('agents.submit', {
    file,
    game: 'haggle',
    belonging: {},
    becomes: { what: 'agent', name: null },
    wait: false,
  })
}

/** Sends each text to a classroom, which refuses some of them. */
export const slowTexts: readonly (readonly [name: string, send: (receiver: Receiver) => Promise<unknown>])[] = [
  ['a challenge', ({ call }) => call('challenges.save', { name: 'slow', source: challenge, from: null })],
  ['a map', ({ call }) => call('texts.add', { game: 'punter', field: 'map', name: 'large', text: map })],
  ['the settings of a contest', ({ call }) => call('contests.estimate', { draft: settings })],
  ['a script', (receiver) => handIn(receiver, 'names.js', scriptBytes)],
  ['a package of 62 MB', (receiver) => handIn(receiver, 'heavy.zip', zip)],
  [
    'an entries file of 62 MB',
    async ({ call, upload }) => call('entries.look', { file: await upload('packages', 'school.entries', entries) }),
  ],
  [
    'a history of 3 million lines',
    async ({ call, upload }) => {
      const file = await upload('histories', 'long.jsonl', history)
      return call('matches.get', { source: { from: 'file', file } })
    },
  ],
]

/** A call's cost for this process, all in ms: its longest pause, its longest turn, its computing time, and the length of the call. */
export interface Cost {
  readonly pauseMs: number
  /** The longest computing between two looks a millisecond apart: a pause without the time in which others had the core. */
  readonly turnMs: number
  readonly computedMs: number
  readonly ms: number
  /** The error of the call; null: it succeeded. */
  readonly error: unknown
}

/** Computing time of this thread, in ms. */
function computed(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e3
}

export async function costOf(work: () => Promise<unknown>): Promise<Cost> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  // The monitor begins with its first turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.reset()
  let [looked, turnMs] = [computed(), 0]
  const looks = setInterval(() => {
    const now = computed()
    turnMs = Math.max(turnMs, now - looked)
    looked = now
  }, 1)
  const began = performance.now()
  const before = looked
  const error = await work().then(
    () => null,
    (reason: unknown) => reason,
  )
  const ms = performance.now() - began
  const computedMs = computed() - before
  // A pause at the end shows in the next turn.
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  clearInterval(looks)
  return { pauseMs: delay.max / 1e6, turnMs, computedMs, ms, error }
}
