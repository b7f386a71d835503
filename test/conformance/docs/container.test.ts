// The image of the Containerfile, built for real, and the class that it runs.
import { spawnSync } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { isLong } from '../../long.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
/** Debian with its own Node, for registries are not everywhere. It stays from one run to the next, as do the layers of the image. */
const base = 'localhost/tartaglia-test-base'
const image = 'localhost/tartaglia-test'
const uid = 10_001
/** The folder of certificates is lent to the build, for networks that look into HTTPS. */
const lent = ['--volume', '/etc/ssl/certs:/etc/ssl/certs:ro']
const has = (program: string): boolean => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
const lacks = process.getuid?.() !== 0 || !['podman', 'buildah', 'mmdebstrap', 'bwrap'].every(has)

/** The output of a command that succeeds. */
function output(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr.slice(-2_000)}`)
  return stdout.trim()
}

interface ImageConfig {
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly User: string
  readonly StopSignal: string
}

/**
 * Makes a container of a folder of files, as its arguments name them: the folder, that of the data, the user; then `NAME=value` and the command.
 * As runtimes make one: processes, network and mounts of its own, the files as its root, a whole /proc. Runtimes themselves want control groups
 * that they may change, which a build machine in a container lacks.
 */
const enter = `set -e; files=$1; data=$2; user=$3; shift 3
mount --bind "$files" "$files"; cd "$files"
mount --bind "$data" data; mount -t proc proc proc; mount --rbind /dev dev; mount -t tmpfs tmpfs tmp
pivot_root . mnt; umount -l /mnt
exec setpriv --reuid="$user" --regid="$user" --clear-groups --bounding-set=-all env -i "$@"`
const apart = ['--unshare-pid', '--unshare-net', '--unshare-ipc', '--unshare-uts', '--die-with-parent']
const contained = [...apart, '--cap-add', 'ALL', '--dev-bind', '/', '/', 'sh', '-c', enter, 'sh']

/** The metrics of the class, asked from within, as their port is bound to loopback there. */
const metrics = `fetch('http://127.0.0.1:9464/metrics').then(async (answer) => console.log(await answer.text()), () => process.exit(1))`
/** Runs the command that it is given, `$DURING` when a contest is going on, and stops it then. */
const stopDuringContest = `"$@" & served=$!
until node -e "$METRICS" 2>/dev/null | grep -Eq '^tartaglia_matches_left [1-9]'; do kill -0 $served || exit 9; done
sh -c "$DURING" || exit 8
kill -s "$SIGNAL" $served; wait $served`

describe.skipIf(lacks || !isLong)(
  'the image (needs root, podman, buildah, mmdebstrap, bubblewrap, registries; long form)',
  () => {
    let container = ''
    afterAll(() => {
      if (container !== '') spawnSync('buildah', ['rm', container])
    })

    test(
      'builds on a base of Debian, and its class is stopped during a contest and goes on',
      { timeout: 3_600_000 },
      () => {
        const folder = temporaryFolder('container')
        if (spawnSync('podman', ['image', 'exists', base]).status !== 0) {
          const file = join(folder, 'base.tar')
          output('mmdebstrap', '--variant=minbase', '--include=ca-certificates,nodejs,npm', 'trixie', file)
          output('podman', 'import', file, base)
          rmSync(file)
        }
        const how = ['--isolation', 'chroot', '--format', 'docker', '--layers', ...lent]
        output('buildah', 'build', ...how, '--build-arg', `BASE=${base}`, '--tag', image, '.')
        const inspected = JSON.parse(output('podman', 'inspect', image)) as readonly { readonly Config: ImageConfig }[]
        const { Env, Entrypoint, Cmd, User, StopSignal } = inspected[0]!.Config
        expect([User, StopSignal]).toEqual(['tartaglia', 'SIGTERM'])

        container = output('buildah', 'from', image)
        const files = output('buildah', 'mount', container)
        const data = join(folder, 'data')
        mkdirSync(data, { mode: 0o700 })
        chownSync(data, uid, uid)
        const serve = (during: string, ...more: readonly string[]): void => {
          const ours = [`METRICS=${metrics}`, `SIGNAL=${StopSignal.replace(/^SIG/, '')}`, `DURING=${during}`]
          const environment = [...Env, 'HOME=/home/tartaglia', ...ours]
          const script = ['sh', '-c', stopDuringContest, 'sh']
          const command = [...script, ...Entrypoint, ...Cmd, ...more, '--log', '/data/class.log']
          output('bwrap', ...contained, files, data, User, ...environment, ...command)
        }
        serve('tartaglia doctor --quick --json > /data/doctor.json', '--sample')
        serve('true')

        const { findings } = JSON.parse(readFileSync(join(data, 'doctor.json'), 'utf8')) as {
          findings: readonly { readonly name: string; readonly verdict: string; readonly text: string }[]
        }
        for (const name of ['node', 'bubblewrap', 'shared', 'class'])
          expect(findings.find((each) => each.name === name)).toMatchObject({ verdict: 'good' })
        const events = readFileSync(join(data, 'class.log'), 'utf8').trimEnd().split('\n')
        const told = events.map((line) => JSON.parse(line) as { readonly event: string; readonly state?: string })
        const course = told.map(({ event, state }) => state ?? event)
        const once = ['starting', 'open', 'queued', 'running', 'stopping', 'open', 'stopped']
        expect(course).toEqual([...once, ...once])
      },
    )
  },
)
