import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { adviceFor, containerOptions, type MachineFacts } from '../../../main/services/machine/isolation-advice.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const tools = {
  bwrap: '/usr/bin/bwrap',
  setpriv: '/usr/bin/setpriv',
  prlimit: '/usr/bin/prlimit',
  sh: '/bin/sh',
  unshare: '/usr/bin/unshare',
  nsenter: '/usr/bin/nsenter',
  mount: '/usr/bin/mount',
}
const debian = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nNAME="Debian GNU/Linux"\nID=debian\n'
const ubuntu = 'NAME="Ubuntu"\nVERSION_ID="24.04"\nID=ubuntu\nID_LIKE=debian\n'
const mint = 'NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n'
const fedora = 'NAME="Fedora Linux"\nID=fedora\nHOME_URL="https://fedoraproject.org/debian"\n'
const machine: MachineFacts = {
  platform: 'linux',
  root: false,
  sudo: true,
  tools,
  osRelease: debian,
  appArmor: null,
  userNamespaces: null,
  mostUserNamespaces: '63000\n',
  container: null,
  checkout: false,
}
const bare: MachineFacts = { ...machine, tools: { ...tools, bwrap: undefined } }
const failure = 'The try failed.'
const say = (facts: MachineFacts, tier: 'bubblewrap' | 'shared' = 'bubblewrap', text = failure) =>
  adviceFor(tier, text, facts)

describe('where bubblewrap is not installed', () => {
  const reason = 'bubblewrap (bwrap) is not installed.'
  test.each<[string, MachineFacts, string]>([
    ['a checkout has a script for Debian', { ...bare, checkout: true }, 'sudo npm run setup:debian'],
    [
      'a system without sudo has su',
      { ...bare, sudo: false },
      "su -c 'PATH=/usr/sbin:/sbin:$PATH; apt-get update; apt-get install -y bubblewrap'",
    ],
    ['root needs no sudo', { ...bare, checkout: true, root: true }, 'npm run setup:debian'],
    ['a kit on Debian has the package', bare, "sudo sh -c 'apt-get update; apt-get install -y bubblewrap'"],
    ['a kit on Ubuntu', { ...bare, osRelease: ubuntu }, "sudo sh -c 'apt-get update; apt-get install -y bubblewrap'"],
    [
      'a kit on what is like them',
      { ...bare, osRelease: mint },
      "sudo sh -c 'apt-get update; apt-get install -y bubblewrap'",
    ],
  ])('%s', (_what, facts, command) => {
    expect(say(facts)).toEqual({ reason, command })
  })

  test.each<[string, Partial<MachineFacts>]>([
    ['another system, in a checkout too', { osRelease: fedora, checkout: true }],
    ['a system that does not say what it is', { osRelease: null, checkout: true }],
  ])('%s has the name of the package', (_what, facts) => {
    const told = "bubblewrap (bwrap) is not installed: install the system's package bubblewrap."
    expect(say({ ...bare, ...facts })).toEqual({ reason: told, command: null })
  })

  test('what else is missing comes along', () => {
    const none = { ...machine, root: true, tools: { ...tools, bwrap: undefined, setpriv: undefined } }
    expect(say(none)).toEqual({
      reason: 'bubblewrap (bwrap), setpriv are not installed.',
      command: 'apt-get update; apt-get install -y bubblewrap util-linux',
    })
    const without = { ...machine, tools: { ...tools, unshare: undefined } }
    expect(say(without, 'shared').command).toBe("sudo sh -c 'apt-get update; apt-get install -y util-linux'")
    expect(say(without)).toEqual({ reason: failure, command: null })
  })
})

test.skipIf(process.platform === 'win32')(
  'commands of su find the programs of root, and keep the rest of the path (needs a shell)',
  () => {
    const folder = temporaryFolder('su')
    const program = (name: string, text: string): void =>
      writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 })
    program('su', 'exec sh -c "$2"')
    program('npm', 'echo "$PATH"')
    const { command } = say({ ...bare, sudo: false, checkout: true })
    const { stdout } = spawnSync('sh', ['-c', command!], { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } })
    expect(stdout.trim().split(':')).toEqual(['/usr/sbin', '/sbin', folder, '/usr/bin', '/bin'])
  },
)

test.each(['darwin', 'win32'] as const)('on %s nothing is to be installed; what is possible is said', (platform) => {
  for (const tier of ['bubblewrap', 'shared'] as const) {
    const { reason, command } = say({ ...bare, platform, osRelease: null }, tier)
    expect([reason, command]).toEqual([
      expect.stringMatching(/^bubblewrap is available on Linux only: .*"none"\.$/),
      null,
    ])
    expect(reason).not.toMatch(/npm|apt|install/)
  }
})

describe('where the kernel lets ordinary users make no namespaces', () => {
  const narrow =
    'sudo sh -c \'printf "%s\\n" "abi <abi/4.0>," "profile tartaglia-bwrap /usr/bin/bwrap flags=(unconfined) {" "  userns," "}" > /etc/apparmor.d/tartaglia-bwrap && apparmor_parser -r /etc/apparmor.d/tartaglia-bwrap\''
  /** The command that sets it now and at each boot. */
  const kept = (setting: string, to: string): string => {
    const file = `/etc/sysctl.d/99-tartaglia-${setting}.conf`
    return `sudo sh -c 'echo "${setting} = ${to}" > ${file} && sysctl -p ${file}'`
  }
  const appArmor = { ...machine, osRelease: ubuntu, appArmor: '1\n', checkout: true }

  test.each([
    'bwrap: setting up uid map: Permission denied',
    'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
    'bwrap: Creating new namespace failed: Permission denied',
    'bwrap: No permissions to create a new namespace, likely because the kernel does not allow it',
  ])('AppArmor of Ubuntu is named, and a profile for bubblewrap alone: %s', (text) => {
    const { reason, command } = say(appArmor, 'bubblewrap', `The agent's process could not be started: ${text}`)
    expect(reason).toMatch(/^AppArmor does not allow .* \(kernel\.apparmor_restrict_unprivileged_userns is 1\)\.$/)
    expect(command).toBe(narrow)
    const shell = narrow.replace(/^sudo sh -c '(.*)'$/, '$1')
    expect(say({ ...appArmor, root: true }, 'bubblewrap', text).command).toBe(shell)
  })

  test('the command writes the profile that it should', () => {
    const folder = temporaryFolder('profile')
    const command = narrow
      .replace(/^sudo /, '')
      .replace(/ && .*'$/, "'")
      .replace('/etc/apparmor.d/tartaglia-bwrap', join(folder, 'bwrap'))
    expect(spawnSync('sh', ['-c', command]).status).toBe(0)
    const profile = 'abi <abi/4.0>,\nprofile tartaglia-bwrap /usr/bin/bwrap flags=(unconfined) {\n  userns,\n}\n'
    expect(readFileSync(join(folder, 'bwrap'), 'utf8')).toBe(profile)
  })

  test('the profile is for where bubblewrap lies', () => {
    const facts = { ...appArmor, tools: { ...tools, bwrap: '/usr/local/bin/bwrap' } }
    expect(say(facts, 'bubblewrap', 'Permission denied').command).toContain(
      'profile tartaglia-bwrap /usr/local/bin/bwrap flags',
    )
  })

  test('a folder in common needs more than bubblewrap', () => {
    const text = 'unshare: write failed /proc/self/uid_map: Operation not permitted'
    // It turns a protection of the whole machine off, and must not do so for good.
    const command = 'sysctl -w kernel.apparmor_restrict_unprivileged_userns=0'
    expect(say(appArmor, 'shared', text)).toMatchObject({ command: `sudo ${command}` })
    expect(say({ ...appArmor, root: true }, 'shared', text)).toMatchObject({ command })
  })

  test('AppArmor is not blamed for what is something else', () => {
    const text = 'bwrap: execvp /agent/node: No such file or directory'
    expect(say(appArmor, 'bubblewrap', text)).toEqual({ reason: text, command: null })
    expect(say({ ...appArmor, appArmor: '0\n' }, 'bubblewrap', 'Permission denied').command).toBeNull()
    expect(say({ ...appArmor, appArmor: null }, 'bubblewrap', 'Permission denied').command).toBeNull()
  })

  test.each<[Partial<MachineFacts>, string, string]>([
    [{ userNamespaces: '0\n' }, 'kernel.unprivileged_userns_clone', '1'],
    [{ mostUserNamespaces: '0\n' }, 'user.max_user_namespaces', '15000'],
  ])('%j', (facts, setting, to) => {
    for (const tier of ['bubblewrap', 'shared'] as const) {
      const { reason, command } = say({ ...machine, ...facts }, tier)
      expect(reason).toContain(`${setting} is 0`)
      expect(command).toBe(kept(setting, to))
    }
  })
})

test('in a container the options with which it has to be started are named, and no command', () => {
  const inside = { ...machine, container: 'podman', appArmor: '1\n' } as const
  const text = "bwrap: Can't set hostname to agent: Operation not permitted"
  for (const tier of ['bubblewrap', 'shared'] as const) {
    const { reason, command } = say(inside, tier, text)
    expect([reason, command]).toEqual([expect.stringContaining(text), null])
    expect(reason).toContain(containerOptions.podman)
    // Docker knows no such word as "unmask".
    const docker = say({ ...inside, container: 'docker' }, tier, text).reason
    expect([docker.includes(containerOptions.docker), docker.includes('unmask')]).toEqual([true, false])
  }
  // The page, whose command is podman's, says the same.
  const page = readFileSync(join(import.meta.dirname, '../../../docs/hosting.md'), 'utf8')
  expect(page).toContain(`${containerOptions.podman} tartaglia`)
  expect(say(inside, 'bubblewrap', 'bwrap: execvp: No such file or directory').reason).not.toContain('container')
})

test('what Node itself refuses is told as it is', () => {
  expect(adviceFor('permission', failure, bare)).toEqual({ reason: failure, command: null })
})
