import type { Launch } from '../launch.ts'

/**
 * Joins the groups, has the kernel choose these processes first when the machine runs out of memory, and becomes the
 * command. A process that could not join would be counted nowhere: it ends as if it had been killed from outside.
 */
const script =
  'echo 1000 > /proc/self/oom_score_adj; while [ "$1" != -- ]; do echo 0 > "$1" || kill -9 $$; shift; done; shift; exec "$@"'

/** The command, as a process of the groups with these files. */
export function entering(sh: string, joins: readonly string[], { file, args, ...launch }: Launch): Launch {
  return { ...launch, file: sh, args: ['-c', script, 'sh', ...joins, '--', file, ...args] }
}
