import type { IsolationTier } from '../../contract/limits.ts'
import type { Tools } from '../../players/isolation/launch.ts'

/** Facts about the machine that decide whether bubblewrap works. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform
  /** True if this process runs as root and needs no sudo. */
  readonly root: boolean
  /** True if there is a sudo, which small servers lack. */
  readonly sudo: boolean
  readonly tools: Tools
  /** The content of /etc/os-release; null here and below: there is no such file. */
  readonly osRelease: string | null
  /** /proc/sys/kernel/apparmor_restrict_unprivileged_userns, since Ubuntu 23.10. */
  readonly appArmor: string | null
  /** /proc/sys/kernel/unprivileged_userns_clone, of Debian's kernels. */
  readonly userNamespaces: string | null
  /** /proc/sys/user/max_user_namespaces */
  readonly mostUserNamespaces: string | null
  /** The program whose container this is in; null: it is in none. */
  readonly container: keyof typeof containerOptions | null
  /** True if `npm run setup:debian` is available; kits and the packaged app do not have it. */
  readonly checkout: boolean
}

/** Why a tier is not available, and the complete command that fixes it; null: no command is known. */
export interface Advice {
  readonly reason: string
  readonly command: string | null
}

/** The options of `run` with which a container lets bubblewrap make namespaces: Docker has another word for the masks of /proc. */
export const containerOptions = {
  podman: '--security-opt seccomp=unconfined --security-opt unmask=ALL',
  docker: '--security-opt seccomp=unconfined --security-opt systempaths=unconfined',
} as const

const kernelRefuses = /permission denied|operation not permitted|no permissions|new namespace|user namespace/i

/** Advice for a tier that does not work. `failure`: the message of the failed attempt. */
export function adviceFor(tier: IsolationTier, failure: string, facts: MachineFacts): Advice {
  if (tier === 'none' || tier === 'permission') return { reason: failure, command: null }
  if (facts.platform !== 'linux') {
    const here = 'here Node\'s permission model holds scripts, and programs need consent to isolation "none".'
    return { reason: `bubblewrap is available on Linux only: ${here}`, command: null }
  }
  return installing(tier, facts) ?? allowing(tier, failure, facts) ?? { reason: failure, command: null }
}

/** Advice to install system programs that a tier needs and that are missing. */
function installing(tier: 'bubblewrap' | 'shared', facts: MachineFacts): Advice | null {
  const { tools, root, checkout, osRelease } = facts
  const wanted = [
    ['bwrap', 'bubblewrap'],
    ['prlimit', 'util-linux'],
    ...(root ? [['setpriv', 'util-linux'] as const] : []),
    ...(tier === 'shared'
      ? (['unshare', 'nsenter', 'mount'] as const).map((tool) => [tool, 'util-linux'] as const)
      : []),
  ] as const
  const missing = wanted.filter(([tool]) => tools[tool] === undefined)
  if (missing.length === 0) return null
  const packages = [...new Set(missing.map(([, name]) => name))].join(' ')
  const named = missing.map(([tool]) => (tool === 'bwrap' ? 'bubblewrap (bwrap)' : tool)).join(', ')
  const reason = `${named} ${missing.length === 1 ? 'is' : 'are'} not installed`
  if (!/^ID(_LIKE)?=.*\b(debian|ubuntu)\b/m.test(osRelease ?? ''))
    return { reason: `${reason}: install the system's package ${packages.replace(' ', ' and ')}.`, command: null }
  if (checkout) return { reason: `${reason}.`, command: asRoot(facts, 'npm run setup:debian') }
  // A fresh system has no lists of packages; old ones name versions that are gone.
  return { reason: `${reason}.`, command: shellAsRoot(facts, `apt-get update; apt-get install -y ${packages}`) }
}

/**
 * Advice if all programs are installed but the kernel does not let ordinary users create namespaces. Agents of root run
 * as one.
 */
function allowing(tier: 'bubblewrap' | 'shared', failure: string, facts: MachineFacts): Advice | null {
  const forbids = (by: string, setting: string, value: string): Advice => ({
    reason: `${by} does not allow ordinary users to create user namespaces (${setting} is ${value}).`,
    command: null,
  })
  const set = (setting: string, to: string): string => {
    // It holds after the next boot, too.
    const file = `/etc/sysctl.d/99-tartaglia-${setting}.conf`
    return shellAsRoot(facts, `echo "${setting} = ${to}" > ${file} && sysctl -p ${file}`)
  }
  if (facts.userNamespaces?.trim() === '0') {
    const setting = 'kernel.unprivileged_userns_clone'
    return { ...forbids('The kernel', setting, '0'), command: set(setting, '1') }
  }
  if (facts.mostUserNamespaces?.trim() === '0') {
    const setting = 'user.max_user_namespaces'
    return { ...forbids('The kernel', setting, '0'), command: set(setting, '15000') }
  }
  if (!kernelRefuses.test(failure)) return null
  // Nothing that is run inside of it can change this.
  if (facts.container !== null) {
    const how = `start the container with ${containerOptions[facts.container]}`
    return { reason: `The container does not let bubblewrap make namespaces: ${how}. ${failure}`, command: null }
  }
  if (facts.appArmor?.trim() !== '1') return null
  const setting = 'kernel.apparmor_restrict_unprivileged_userns'
  // The shared folder is mounted by `unshare`; a profile for that tool would permit as much as no restriction at all. The restriction protects the
  // whole machine, so that the next boot brings it back.
  const command = tier === 'shared' ? asRoot(facts, `sysctl -w ${setting}=0`) : loadProfile(facts)
  return { ...forbids('AppArmor', setting, '1'), command }
}

/** Writes and loads a profile that lets only bubblewrap create user namespaces. */
function loadProfile(facts: MachineFacts): string {
  const { bwrap = '/usr/bin/bwrap' } = facts.tools
  const profile = ['abi <abi/4.0>,', `profile tartaglia-bwrap ${bwrap} flags=(unconfined) {`, '  userns,', '}']
  // Some systems already have a profile called bwrap.
  const file = '/etc/apparmor.d/tartaglia-bwrap'
  const text = profile.map((line) => `"${line}"`).join(' ')
  return shellAsRoot(facts, `printf "%s\\n" ${text} > ${file} && apparmor_parser -r ${file}`)
}

type Rights = Pick<MachineFacts, 'root' | 'sudo'>

/** A command of words without quotes. */
function asRoot({ root, sudo }: Rights, command: string): string {
  if (root) return command
  // Debian's `su` keeps a user's path, which lacks the folders of programs for root; `su -` would leave this folder.
  return sudo ? `sudo ${command}` : `su -c 'PATH=/usr/sbin:/sbin:$PATH; ${command}'`
}

/** A text for a shell without single quotes. */
const shellAsRoot = (rights: Rights, text: string): string =>
  rights.root || !rights.sudo ? asRoot(rights, text) : `sudo sh -c '${text}'`
