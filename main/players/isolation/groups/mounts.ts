import { join } from 'node:path'

/** The mount of a hierarchy of control groups, and this process's place in it. */
export interface CgroupPlace {
  /** Controllers of version 1; `null`: the hierarchy of version 2. */
  readonly controllers: readonly string[] | null
  readonly mount: string
  /** The folder of this process's own group. */
  readonly own: string
}

/**
 * The hierarchies that this process sees. `mountinfo` and `cgroup`: the contents of these files in /proc/self. In a
 * container that sees a part of a hierarchy, the mount begins at a group: see proc_pid_mountinfo(5).
 */
export function cgroupPlaces(mountinfo: string, cgroup: string): readonly CgroupPlace[] {
  const own = ownPaths(cgroup)
  return mountinfo.split('\n').flatMap((line): readonly CgroupPlace[] => {
    const [before = '', after = ''] = line.split(' - ')
    const [, , , root = '', mount = ''] = before.split(' ')
    const [type, , options = ''] = after.split(' ')
    if (type !== 'cgroup' && type !== 'cgroup2') return []
    const controllers = type === 'cgroup' ? options.split(',').filter((option) => own.has(option)) : null
    const path = own.get(controllers === null ? '' : (controllers[0] ?? '-'))
    if (path === undefined) return []
    return [{ controllers, mount, own: join(mount, below(root, path)) }]
  })
}

/** The path of this process's group, by controller of version 1; by the empty text in version 2. */
function ownPaths(cgroup: string): ReadonlyMap<string, string> {
  const paths = new Map<string, string>()
  for (const line of cgroup.split('\n')) {
    const [, , controllers, path] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? []
    if (controllers === undefined || path === undefined) continue
    for (const controller of controllers.split(',')) paths.set(controller, path)
  }
  return paths
}

/** The path of a group relative to the group that is mounted. */
function below(root: string, path: string): string {
  if (root === '/' || path === root) return path === root ? '/' : path
  return path.startsWith(`${root}/`) ? path.slice(root.length) : path
}

/** The folders above a group, nearest first, up to the mount. */
export function ancestors(mount: string, folder: string): readonly string[] {
  const found: string[] = []
  for (let at = folder; at !== mount && at.startsWith(mount);) {
    at = join(at, '..')
    found.push(at)
  }
  return found
}
