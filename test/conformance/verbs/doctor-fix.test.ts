import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { start } from '../cli/process.ts'
import { withoutBubblewrap } from '../cli/without-bubblewrap.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { openStage } from './stage.ts'

/** Its copy of the program has no scripts of the project beside it, so that it asks the system's package manager. */
const stage = openStage('doctor-fix')
afterAll(() => stage.remove())

const isRoot = process.getuid?.() === 0
const isDebian = existsSync('/etc/os-release') && /\b(debian|ubuntu)\b/.test(readFileSync('/etc/os-release', 'utf8'))
const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--']

interface Doctor {
  readonly ok: boolean
  readonly fixes: readonly {
    readonly tiers: readonly string[]
    readonly command: string
    readonly code: number | null
  }[]
  readonly findings: readonly { readonly name: string; readonly verdict: string }[]
}

/** `doctor --fix --yes` where bubblewrap is missing and `program`, the first on the PATH, is a shell script. */
async function mended(user: readonly string[], program: string, script: string) {
  const folder = temporaryFolder('doctor-fix-path')
  chmodSync(folder, 0o777)
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const [command, ...more] = [...withoutBubblewrap!, ...user, process.execPath, stage.cli]
  const doctor = ['doctor', '--quick', '--fix', '--yes', '--json', '--data', join(folder, 'data')]
  const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter), HOME: folder }
  const { code, stdout, stderr } = await start(command!, [...more, ...doctor], { env }).ended
  const { fixes, findings } = JSON.parse(stdout) as Doctor
  return { code, fixes, stderr, bubblewrap: findings.find(({ name }) => name === 'bubblewrap')?.verdict }
}

describe.skipIf(withoutBubblewrap === null || !isDebian)(
  'doctor --fix --yes without bubblewrap (needs Debian or Ubuntu, and namespaces)',
  () => {
    const tiers = ['bubblewrap', 'shared']

    test.skipIf(!isRoot || withoutBubblewrap?.length === 0)(
      'installs it as root, and examines the machine again (needs root, bubblewrap)',
      { timeout: 60_000 },
      async () => {
        const uncover = 'for file in /usr/bin/bwrap /usr/local/bin/bwrap /usr/sbin/bwrap; do umount "$file" 2>&-; done'
        const found = await mended([], 'apt-get', `echo "asked: $*"; ${uncover}; [ -f /usr/bin/bwrap ]`)
        const command = 'apt-get update; apt-get install -y bubblewrap'
        expect(found).toMatchObject({ code: 0, fixes: [{ command, tiers, code: 0 }], bubblewrap: 'good' })
        expect(found.stderr).toContain('asked: install -y bubblewrap')
      },
    )

    test(
      'asks sudo as an ordinary user; a command that changes nothing does not count as mended',
      { timeout: 60_000 },
      async () => {
        const user = isRoot ? nobody : []
        const command = "sudo sh -c 'apt-get update; apt-get install -y bubblewrap'"
        const idle = await mended(user, 'sudo', 'echo "asked: $*"')
        expect(idle).toMatchObject({ code: 0, fixes: [{ command, tiers, code: 0 }], bubblewrap: 'weak' })
        expect(idle.stderr).toContain('asked: sh -c apt-get update; apt-get install -y bubblewrap')
        const refused = await mended(user, 'sudo', 'exit 100')
        expect(refused).toMatchObject({ code: 3, fixes: [{ command, tiers, code: 100 }], bubblewrap: 'weak' })
      },
    )
  },
)
