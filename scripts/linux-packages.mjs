// `npm run package:linux`: makes a tar.gz and a deb of the app's folder (`npm run package -- --dir`), in release/, with the tools of the system
// alone. `--app FOLDER`: of another folder; `--out FOLDER`: in another one; `--quick`: barely compressed, for tests.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packageManifest } from './package-manifest.mjs'
import { entry, Plain, root } from './setup.mjs'

const architectures = { x64: 'amd64', arm64: 'arm64' }
/** The libraries of Electron, as electron-builder.yml names them, and that of Node. */
const depends =
  'libatomic1, libgtk-3-0, libnotify4, libnss3, libxss1, libxtst6, xdg-utils, libatspi2.0-0, libuuid1, libsecret-1-0, libasound2'
/** The name of the folder in /opt, as electron-builder's deb has it. */
const folderName = 'Tartaglia'

const mimeTypes = `<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="application/x-tartaglia-history">
    <comment>Tartaglia history</comment>
    <glob pattern="*.jsonl" weight="40"/>
  </mime-type>
  <mime-type type="application/x-tartaglia-challenge">
    <comment>Tartaglia challenge</comment>
    <glob pattern="*.challenge"/>
  </mime-type>
</mime-info>
`

await entry(async () => {
  const { values } = parseArgs({
    options: { app: { type: 'string' }, out: { type: 'string' }, quick: { type: 'boolean', default: false } },
  })
  const app = resolve(values.app ?? join(root, 'release', 'linux-unpacked'))
  if (!existsSync(join(app, 'tartaglia'))) throw new Plain(`${app} holds no app: run "npm run package -- --dir" first.`)
  const out = resolve(values.out ?? join(root, 'release'))
  mkdirSync(out, { recursive: true })
  const manifest = packageManifest('linux')
  const work = mkdtempSync(join(tmpdir(), 'tartaglia-package-'))
  try {
    console.log(makeTar({ app, out, work, manifest, quick: values.quick }))
    const deb = makeDeb({ app, out, work, manifest, quick: values.quick })
    console.log(deb ?? 'No deb: this system has no dpkg-deb.')
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
})

/** Links the app's folder to another place, where both are on one disk. */
function placed(app, place) {
  const { status } = spawnSync('cp', ['-al', app, place], { stdio: 'ignore' })
  if (status === 0) return
  rmSync(place, { recursive: true, force: true })
  execFileSync('cp', ['-a', app, place])
}

function makeTar({ app, out, work, manifest: { name, version }, quick }) {
  const inner = `${name}-${version}-linux-${process.arch}`
  placed(app, join(work, inner))
  const file = join(out, `${inner}.tar.gz`)
  const owner = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
  execFileSync('tar', [...owner, `--use-compress-program=gzip ${quick ? '-1' : '-9'}`, '-cf', file, '-C', work, inner])
  return file
}

/** null: dpkg-deb is not here. */
function makeDeb({ app, out, work, manifest, quick }) {
  if (spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).error !== undefined) return null
  const architecture = architectures[process.arch]
  const base = join(work, 'deb')
  const folder = (...names) => {
    const path = join(base, ...names)
    mkdirSync(path, { recursive: true, mode: 0o755 })
    return path
  }
  placed(app, join(folder('opt'), folderName))
  // Without user namespaces, Chromium's sandbox needs this program with the rights of root. Not the linked one: the app's folder stays as it is.
  const sandbox = join(base, 'opt', folderName, 'chrome-sandbox')
  rmSync(sandbox, { force: true })
  copyFileSync(join(app, 'chrome-sandbox'), sandbox)
  chmodSync(sandbox, 0o4755)
  symlinkSync(`/opt/${folderName}/tartaglia`, join(folder('usr', 'bin'), 'tartaglia'))
  writeFileSync(join(folder('usr', 'share', 'applications'), 'tartaglia.desktop'), desktopEntry(manifest))
  writeFileSync(join(folder('usr', 'share', 'mime', 'packages'), 'tartaglia.xml'), mimeTypes)
  copyFileSync(
    join(root, 'main', 'desktop', 'icons', 'icon.png'),
    join(folder('usr', 'share', 'pixmaps'), 'tartaglia.png'),
  )
  copyFileSync(join(root, 'LICENSE'), join(folder('usr', 'share', 'doc', 'tartaglia'), 'copyright'))
  const kilobytes = Number(execFileSync('du', ['-sk', base], { encoding: 'utf8' }).split('\t')[0])
  writeFileSync(join(folder('DEBIAN'), 'control'), control(manifest, architecture, kilobytes))
  execFileSync('find', [base, '-type', 'd', '-exec', 'chmod', '0755', '{}', '+'])
  const file = join(out, `${manifest.name}_${manifest.version}_${architecture}.deb`)
  const compression = quick ? ['-Zgzip', '-z1'] : ['-Zxz']
  execFileSync('dpkg-deb', ['--root-owner-group', ...compression, '--build', base, file], { stdio: 'pipe' })
  return file
}

function control({ name, version, description, homepage }, architecture, kilobytes) {
  return `${[
    `Package: ${name}`,
    `Version: ${version}`,
    `Architecture: ${architecture}`,
    'Maintainer: The Tartaglia authors <root@localhost>',
    `Installed-Size: ${kilobytes}`,
    `Depends: ${depends}`,
    'Recommends: bubblewrap, util-linux',
    'Section: education',
    'Priority: optional',
    `Homepage: ${homepage}`,
    `Description: ${description.replace(/\.$/, '').split(':')[0]}`,
    ` ${description}`,
  ].join('\n')}\n`
}

/** Double clicks open histories and challenges; a link opens a place in a match. Agents are not registered: see docs/release.md. */
function desktopEntry({ description }) {
  return `${[
    '[Desktop Entry]',
    'Type=Application',
    'Name=Tartaglia',
    `Comment=${description}`,
    `Exec=/opt/${folderName}/tartaglia %U`,
    'Icon=tartaglia',
    'Terminal=false',
    'StartupWMClass=Tartaglia',
    'Categories=Education;',
    'MimeType=application/x-tartaglia-history;application/x-tartaglia-challenge;x-scheme-handler/tartaglia;',
  ].join('\n')}\n`
}
