import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { verbOutputs } from '../../../main/contract/outputs/verb-outputs.ts'
import type { OutputOf } from '../../../main/contract/procedures/procedures.ts'
import { resources } from '../../../main/services/machine/resources.ts'
import { setClock } from '../../../main/services/contests/recurring/set-clock.ts'
import { saying } from '../../refusal.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { signIn, type BrowserSession } from '../cli/in-browser.ts'
import { start, startIn, cli, type Ended, type Running } from '../cli/process.ts'
import { draftOf, openRoom } from '../service/classroom.ts'
import { hasBoxes, hasTool } from './compilers.ts'
import { install } from './kit.ts'

// Real processes on this machine: a class that `tartaglia serve` serves with a certificate of its own, and a kit whose runner hands in there.

const folder = temporaryFolder('kit-submit')
// Agents in boxes run as nobody where this runs as root.
chmodSync(folder, 0o755)
const [data, kit, config] = [join(folder, 'data'), join(folder, 'kit'), join(folder, 'config')]
const name = 'Ada Lovelace'
let contests: Readonly<Record<'open' | 'closed' | 'late', string>>
let served: Running | undefined
let origin = ''
/** The address of the same class for this machine alone. */
let local = ''
let student: BrowserSession

/** An address of this machine on a network; undefined: it has none. */
const host = Object.values(networkInterfaces())
  .flatMap((of) => of ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

/** Begins to serve the class; gives its address on the network, and the one for this machine alone. */
async function serve(): Promise<readonly [string, string]> {
  served = start(process.execPath, [cli, 'serve', '--data', data, '--host', host!, '--port', '0', '--json'])
  const running = served
  return new Promise((resolve, reject) => {
    let text = ''
    running.child.stdout!.on('data', (piece: string) => {
      text += piece
      const [abroad, here] = [/https:\/\/[^"\s]+/, /http:\/\/127[^"\s/]+/].map((form) => form.exec(text)?.[0])
      if (abroad !== undefined && here !== undefined) resolve([abroad, here])
    })
    void running.ended.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
}

/** `npx tartaglia submit ...` in the folder of the kit. */
const submit = (...args: readonly string[]): Running =>
  startIn(kit, { XDG_CONFIG_HOME: config }, 'tartaglia.mjs', 'submit', ...args, '--json')
/** Confirms the code that a terminal shows, as the student does in their browser. */
async function confirm(terminal: Running): Promise<void> {
  const form = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/
  const [userCode = ''] = form.exec(await terminal.said(form)) ?? []
  await student.call('me.confirmDevice', { userCode })
}
const answerOf = ({ stdout }: Ended): unknown => JSON.parse(stdout)

describe.skipIf(host === undefined)('a kit and a class that is served (needs a network)', () => {
  beforeAll(async () => {
    mkdirSync(data)
    const home = await openClassFolder(data)
    await home.change(({ people, teams, settings }) => {
      settings.isolation = hasBoxes ? 'bubblewrap' : 'none'
      const added = '2026-11-01T08:00:00.000Z'
      people.push({ id: 'a'.repeat(16), name, ids: {}, role: 'student', added })
      teams.push({ id: 'd'.repeat(16), name: 'Red', members: ['a'.repeat(16)], formed: added })
    })
    await home.close()
    // Two contests are over when the class is served by the clock of this machine.
    const now = Date.now()
    const room = await openRoom(data, false, { clock: setClock(new Date(now - 10_800_000).toISOString()) })
    const shipped = await Promise.all(
      ['baby', 'hard'].map(async (agent) => {
        const content = readFileSync(join(resources.agents, 'haggle', `${agent}.js`))
        const { versions } = await room.submit({ fileName: `${agent}.js`, content, game: 'haggle', wait: true })
        return { name: agent, agent: versions[0]!.agent }
      }),
    )
    const created = async (title: string, closes: string, late: 'closed' | 'late-days'): Promise<string> => {
      const draft = draftOf(shipped, { title, game: 'haggle', config: {}, isolation: 'none' })
      const { contest } = await room.call('contests.create', { draft })
      await room.call('deadlines.set', { contest, closes, late, rules: { attemptsADay: null, lateDays: 2 } })
      return contest
    }
    contests = {
      open: await created('Open', '2099-11-26T20:00:00.000Z', 'closed'),
      closed: await created('Closed', new Date(now - 7_200_000).toISOString(), 'closed'),
      late: await created('Late', new Date(now - 3_600_000).toISOString(), 'late-days'),
    }
    await room.service.close()
    const slip = await run('class', 'people', 'code', name, '--data', data)
    const code = /[2-9A-HJKMNP-Z]{4} ?[2-9A-HJKMNP-Z]{4}/.exec(slip.stdout)?.[0].replace(' ', '') ?? slip.stderr
    await install('haggle', 'javascript', kit)
    ;[origin, local] = await serve()
    student = await signIn(origin, { name, code, newPassword: 'four words of mine' })
  }, 120_000)
  afterAll(async () => {
    served?.child.kill('SIGINT')
    await served?.ended
  })

  test('the first submit of a kit signs the terminal in, and its receipt is kept in the kit and verified with the key of the class', async () => {
    const first = submit('--to', origin, '--agent', 'rosso')
    await confirm(first)
    const ended = await first.ended
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('Signed in as Ada')])
    const submitted = verbOutputs.submit.parse(answerOf(ended))
    expect(submitted).toMatchObject({ agent: 'rosso', version: 1, contest: null, trial: { state: 'passed' } })
    const receipt = join(kit, 'receipt-1.json')
    expect(JSON.parse(readFileSync(receipt, 'utf8'))).toMatchObject({ b: { team: 'Red', sha256: submitted.sha256 } })
    const verified = await run('receipt', 'verify', receipt, '--key', join(data, 'keys', 'class.pub'))
    expect(verified).toMatchObject({ code: 0, stdout: saying('genuine', 'receipt 1') })
    const forged = join(folder, 'forged.json')
    writeFileSync(forged, readFileSync(receipt, 'utf8').replace('"Red"', '"Blue"'))
    expect(await run('receipt', 'verify', forged, '--key', join(data, 'keys', 'class.pub'))).toMatchObject({ code: 1 })
  })

  test('after that the kit needs no address; the same bytes again are said to be the same, and have a receipt of their own', async () => {
    const again = await submit('--agent', 'rosso').ended
    expect(again.code).toBe(0)
    const submitted = verbOutputs.submit.parse(answerOf(again))
    expect(submitted).toMatchObject({ class: origin, agent: 'rosso', note: saying('"rosso"'), receipt: { n: 2 } })
    expect(submitted.receipt.file).toMatch(/receipt-2\.json$/)
    expect(again.stderr).not.toContain('My account')
  })

  test('an open contest takes the agent, one that is over keeps it and says that it does not count, and one with late days takes them', async () => {
    const to = async (contest: string) => {
      // Another file each time: what is handed in again is told to be the same instead.
      appendFileSync(join(kit, 'agent.cjs'), `// for ${contest}\n`)
      const { code, stdout } = await submit('--agent', 'rosso', '--contest', contest).ended
      return { code, ...verbOutputs.submit.parse(JSON.parse(stdout)) }
    }
    expect(await to(contests.open)).toMatchObject({ code: 0, contest: contests.open, receipt: { time: 'on-time' } })
    const over = await to(contests.closed)
    expect(over).toMatchObject({ contest: contests.closed, receipt: { time: 'kept' } })
    const late = await to(contests.late)
    expect(late).toMatchObject({ code: 0, receipt: { time: 'late' } })
    // Each says its own time in words, too.
    expect(new Set([over.time, late.time, null]).size).toBe(3)
    const unknown = await submit('--agent', 'rosso', '--contest', 'nonesuch-1').ended
    expect([unknown.code, answerOf(unknown)]).toEqual([2, expect.objectContaining({ error: saying('nonesuch-1') })])
  })

  test.skipIf(!hasBoxes || !hasTool('g++'))(
    'a kit in C++ hands in its sources: the class builds them in its box, their trial match passes, and the receipt is signed (needs bubblewrap, g++)',
    async () => {
      const cpp = join(folder, 'cpp')
      await install('haggle', 'cpp', cpp)
      const key = join(data, 'keys', 'class.pub')
      // A build outside of a box would see the class's folder, and fail.
      expect(existsSync(key)).toBe(true)
      appendFileSync(join(cpp, 'agent.cpp'), `#if __has_include("${key}")\n#error built outside of a box\n#endif\n`)
      const runner = ['tartaglia.mjs', 'submit', '--to', origin, '--agent', 'rosso', '--json']
      const ended = await startIn(cpp, { XDG_CONFIG_HOME: config }, ...runner).ended
      expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)])
      const submitted = verbOutputs.submit.parse(answerOf(ended))
      expect(submitted).toMatchObject({ agent: 'rosso', trial: { state: 'passed' } })
      const verified = await run('receipt', 'verify', resolve(cpp, submitted.receipt.file!), '--key', key)
      expect(verified).toMatchObject({ code: 0, stdout: saying('genuine') })
    },
  )

  test('another fingerprint and another certificate are refused, and nothing is handed in', async () => {
    const before = await student.call('handIn.attempts', {})
    const typed = await submit('--agent', 'rosso', '--fingerprint', 'ab'.repeat(32)).ended
    expect([typed.code, answerOf(typed)]).toMatchObject([2, { code: 'certificate-changed' }])
    const tokens = join(config, 'tartaglia', 'tokens.json')
    const kept = readFileSync(tokens, 'utf8')
    const { certificate } = (
      JSON.parse(kept) as { classes: Record<string, { certificate: { fingerprint: string; key: string } }> }
    ).classes[origin]!
    const another = kept.replace(certificate.fingerprint, 'c'.repeat(64)).replace(certificate.key, 'd'.repeat(64))
    writeFileSync(tokens, another)
    const changed = await submit('--agent', 'rosso').ended
    expect([changed.code, answerOf(changed)]).toMatchObject([2, { code: 'certificate-changed' }])
    writeFileSync(tokens, kept)
    expect(await student.call('handIn.attempts', {})).toEqual(before)
  })

  test.skipIf(process.platform === 'win32')(
    'a hand-in whose build runs when the class is told to end gets its receipt (needs a Unix shell)',
    async () => {
      const slow = join(folder, 'slow')
      mkdirSync(slow)
      const program = { kind: 'program', build: ['sh', '-c', 'sleep 3'], command: ['sh', 'agent.sh'] }
      writeFileSync(join(slow, 'agent.json'), JSON.stringify({ name: 'lento', game: 'haggle', ...program }))
      writeFileSync(join(slow, 'agent.sh'), 'exit 1\n')
      // By the address for this machine alone, which is closed first.
      const here = ['--to', local, '--agent', 'lento', '--receipts', slow, '--json']
      const env = { XDG_CONFIG_HOME: join(folder, 'config-here') }
      const sent = startIn(kit, env, 'tartaglia.mjs', 'submit', slow, ...here)
      await confirm(sent)
      const isBuilding = async (): Promise<boolean> => {
        const { attempts } = (await student.call('handIn.attempts', {})) as OutputOf<'handIn.attempts'>
        return attempts.some(({ state }) => state === 'received')
      }
      await vi.waitUntil(isBuilding, { timeout: 60_000 })
      served?.child.kill('SIGTERM')
      const { stdout, stderr } = await sent.ended
      expect([stdout, stderr]).toEqual([expect.stringContaining('"receipt"'), expect.any(String)])
      const { agent, receipt } = verbOutputs.submit.parse(JSON.parse(stdout))
      expect(agent).toBe('lento')
      expect((await served?.ended)?.code).toBe(0)
      const chain = readFileSync(join(data, 'receipts', 'chain.jsonl'), 'utf8')
        .trimEnd()
        .split('\n')
      expect(JSON.parse(chain.at(-1)!)).toMatchObject({ h: receipt.head, b: { agent: 'lento', n: receipt.n } })
    },
  )

  test('a class that is not served any more is not reached', async () => {
    served?.child.kill('SIGINT')
    await served?.ended
    const gone = await submit('--agent', 'rosso').ended
    expect([gone.code, answerOf(gone)]).toMatchObject([3, { code: 'class-unreachable' }])
  })
})
