import type { IsolationTier } from '../../contract/limits.ts'
import type { Tools } from '../../players/isolation/launch.ts'

/** What decides whether a machine has boxes, as it was found. */
export interface MachineFacts {
  readonly platform: NodeJS.Platform
  /** Whether this process is root, who needs no sudo. */
  readonly root: boolean
  readonly tools: Tools
  /** The text of /etc/os-release; files that are not there are null here and below. */
  readonly osRelease: string | null
  /** /proc/sys/kernel/apparmor_restrict_unprivileged_userns, since Ubuntu 23.10. */
  readonly appArmor: string | null
  /** /proc/sys/kernel/unprivileged_userns_clone, of Debian's kernels. */
  readonly userNamespaces: string | null
  /** /proc/sys/user/max_user_namespaces */
  readonly mostUserNamespaces: string | null
  /** Whether `npm run setup:debian` is at hand: a kit and the packaged app have no such thing. */
  readonly checkout: boolean
}

/** Why a tier is not to be had, and the one command that helps, complete; null: there is none that could be named. */
export interface Advice {
  readonly reason: string
  readonly command: string | null
}

const kernelRefuses = /permission denied|operation not permitted|no permissions|new namespace|user namespace/i

/** What to say of a tier that was tried in vain. `failure`: what the try said. */
export function adviceFor(tier: IsolationTier, failure: string, facts: MachineFacts): Advice {
  if (tier === 'none' || tier === 'permission') return { reason: failure, command: null }
  if (facts.platform !== 'linux') {
    const here = 'here Node\'s permission model holds scripts, and programs need consent to isolation "none".'
    return { reason: `bubblewrap is available on Linux only: ${here}`, command: null }
  }
  return installing(tier, facts) ?? allowing(tier, failure, facts) ?? { reason: failure, command: null }
}

/** Programs of the system that a tier is made of, and the packages that they are in. */
function installing(tier: 'bubblewrap' | 'shared', { tools, root, checkout, osRelease }: MachineFacts): Advice | null {
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
  const command = checkout ? 'npm run setup:debian' : `apt install ${packages}`
  return { reason: `${reason}.`, command: asRoot(root, command) }
}

/** Where everything is installed and the kernel does not let ordinary users make namespaces; root's agents are such a user. */
function allowing(tier: 'bubblewrap' | 'shared', failure: string, facts: MachineFacts): Advice | null {
  const forbids = (by: string, setting: string, value: string): Advice => ({
    reason: `${by} does not allow ordinary users to create user namespaces (${setting} is ${value}).`,
    command: null,
  })
  const set = (setting: string, to: string): string => asRoot(facts.root, `sysctl -w ${setting}=${to}`)
  if (facts.userNamespaces?.trim() === '0') {
    const setting = 'kernel.unprivileged_userns_clone'
    return { ...forbids('The kernel', setting, '0'), command: set(setting, '1') }
  }
  if (facts.mostUserNamespaces?.trim() === '0') {
    const setting = 'user.max_user_namespaces'
    return { ...forbids('The kernel', setting, '0'), command: set(setting, '15000') }
  }
  if (facts.appArmor?.trim() !== '1' || !kernelRefuses.test(failure)) return null
  const setting = 'kernel.apparmor_restrict_unprivileged_userns'
  // The folder in common is made by `unshare`; a profile that lets that tool is no narrower than none at all.
  const command = tier === 'shared' ? set(setting, '0') : loadProfile(facts)
  return { ...forbids('AppArmor', setting, '1'), command }
}

/** Writes and loads a profile that lets bubblewrap, and nothing else, make user namespaces. */
function loadProfile({ root, tools: { bwrap = '/usr/bin/bwrap' } }: MachineFacts): string {
  const profile = ['abi <abi/4.0>,', `profile tartaglia-bwrap ${bwrap} flags=(unconfined) {`, '  userns,', '}']
  // A name of its own: some systems have a profile called bwrap.
  const file = '/etc/apparmor.d/tartaglia-bwrap'
  const text = profile.map((line) => `"${line}"`).join(' ')
  return asRoot(root, `sh -c 'printf "%s\\n" ${text} > ${file} && apparmor_parser -r ${file}'`)
}

const asRoot = (root: boolean, command: string): string => (root ? command : `sudo ${command}`)
