import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { openClassFolder } from '../../../main/administrator/classroom/classroom.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { run } from '../../unit/cli/environment.ts'
import { install } from '../kits/kit.ts'
import { signIn } from './in-browser.ts'
import { startIn, tartaglia, type Running } from './process.ts'

// Follows docs/students.md literally where its commands need a class: it is served by the program itself. A test of the kits types the
// other commands, which test/unit/docs/students.test.ts compares with the page.

const page = readFileSync(join(import.meta.dirname, '../../../docs/students.md'), 'utf8')
const commands = [...page.matchAll(/^```\n([^`]*)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
const submissions = commands.filter((command) => command.startsWith('npx tartaglia submit'))

const folder = temporaryFolder('students')
const [data, kit] = [join(folder, 'data'), join(folder, 'kit')]
const name = 'Ada Lovelace'
let code = ''

beforeAll(async () => {
  mkdirSync(data)
  const home = await openClassFolder(data)
  await home.change(({ people, settings }) => {
    // Its isolation is the subject of other tests.
    settings.isolation = 'none'
    people.push({ id: 'a'.repeat(16), name, ids: {}, role: 'student', added: '2026-11-01T08:00:00.000Z' })
  })
  await home.close()
  const slip = await run('class', 'people', 'code', name, '--data', data)
  code = /[2-9A-HJKMNP-Z]{4} ?[2-9A-HJKMNP-Z]{4}/.exec(slip.stdout)?.[0].replace(' ', '') ?? slip.stderr
  await install('specker', 'javascript', kit)
})

/** The address of the class that a process serves. */
function addressOf({ child, ended }: Running): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout!.on('data', (piece: string) => {
      const found = /https:\/\/[^"\s]+/.exec((text += piece))?.[0]
      if (found !== undefined) resolve(found)
    })
    void ended.then(({ stderr }) => reject(new Error(stderr)), reject)
  })
}

/** An address of this machine on a network; undefined: it has none. */
const host = Object.values(networkInterfaces())
  .flatMap((of) => of ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address

test.skipIf(host === undefined)(
  'the agent of the kit is handed in from a terminal, as the page says, to a class that is served (needs a network)',
  async () => {
    expect(submissions).toHaveLength(1)
    const served = tartaglia('serve', '--data', data, '--host', host!, '--port', '0', '--json')
    try {
      const address = await addressOf(served)
      const student = await signIn(address, { name, code, newPassword: 'four words of mine' })
      await student.call('teams.form', { name: 'Red' })
      const words = submissions[0]!.replace('ADDRESS', address).replace('NAME', 'rosso').split(' ').slice(2)
      const terminal = startIn(kit, { XDG_CONFIG_HOME: join(folder, 'config') }, 'tartaglia.mjs', ...words)
      // The code is typed under My account.
      const form = /\b[2-9A-Z]{4}-[2-9A-Z]{4}\b/
      const [userCode = ''] = form.exec(await terminal.said(form)) ?? []
      await student.call('me.confirmDevice', { userCode })
      const { code: exit, stdout, stderr } = await terminal.ended
      expect([exit, stdout, stderr]).toEqual([0, expect.stringContaining('rosso'), expect.anything()])
      // The page promises a receipt and a verdict.
      expect(existsSync(join(kit, 'receipt-1.json'))).toBe(true)
      expect(await student.call('handIn.attempts', {})).toMatchObject({ attempts: [{ state: 'passed', receipt: 1 }] })
    } finally {
      served.child.kill('SIGINT')
      await served.ended
    }
  },
)
