import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/usr/sbin/bwrap'].filter((file) => existsSync(file))
const hide = `${places.map((file) => `mount --bind /dev/null ${file}`).join(' && ')} && exec "$@"`
const asRoot = process.getuid?.() === 0
const own = asRoot ? [] : ['--user', '--map-current-user', '--keep-caps']
const hidden = ['unshare', ...own, '--mount', '--propagation', 'private', '--', 'sh', '-c', hide, 'sh']

/**
 * A prefix with which a command finds no bubblewrap: empty if there is none anyway, else a namespace in which it
 * is covered up; null where this machine lets nobody make such a one.
 */
export const withoutBubblewrap: readonly string[] | null =
  places.length === 0 ? [] : spawnSync(hidden[0]!, [...hidden.slice(1), 'true']).status === 0 ? hidden : null
