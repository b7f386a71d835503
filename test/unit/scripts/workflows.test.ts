import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { devNull } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, '.github', 'workflows')
const workflows = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const)
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> }

/** The commands of `run:`, on its line and in the block below it. */
function commandsIn(text: string): readonly string[] {
  const lines = text.split('\n')
  return lines.flatMap((line, at) => {
    const [, indent = '', command = ''] = /^(\s*(?:- )?)run: (.*)$/.exec(line) ?? []
    if (command !== '|') return command === '' ? [] : [command]
    const rest = lines.slice(at + 1)
    const end = rest.findIndex((next) => next.search(/\S/) <= indent.length)
    return rest.slice(0, end === -1 ? rest.length : end).map((each) => each.trim())
  })
}

test.each(workflows)('%s runs scripts that exist, and those alone', (_, text) => {
  const commands = commandsIn(text)
  expect(commands.length).toBeGreaterThan(1)
  for (const command of commands) {
    const [, script] = /^npm run ([\w:]+)( --.*)?$/.exec(command) ?? []
    const [, file] = /^(?:sudo bash|node) (scripts\/[\w-]+\.(?:mjs|sh))\b/.exec(command) ?? []
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script)
    else if (file !== undefined) expect(existsSync(join(root, file)), file).toBe(true)
    else
      expect(command).toMatch(
        /^(npm ci|npm test|cp dist\/sbom\.cdx\.json |gh release create "\$TAG" --draft |sudo sysctl -w kernel\.)/,
      )
  }
})

test.each(workflows)(
  '%s may only read unless a job says more, keeps no credentials, and pastes nothing into a shell',
  (_, text) => {
    expect(text).toMatch(/^permissions:\n {2}contents: read$/m)
    expect(text.match(/actions\/checkout@/g)?.length).toBe(text.match(/persist-credentials: false/g)?.length)
    for (const command of commandsIn(text)) expect(command).not.toContain('${{')
    expect(text.match(/runs-on:/g)?.length).toBe(text.match(/timeout-minutes:/g)?.length)
    expect(text).not.toMatch(/pull_request_target|write-all|\t/)
    // A tag can be moved to other code; a hash cannot.
    for (const [, action = ''] of text.matchAll(/uses: (.*)/g))
      if (!action.startsWith('./')) expect(action).toMatch(/^actions\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  },
)

test('where Linux runs tests or a browser, ordinary users may make namespaces, as Ubuntu forbids it', () => {
  const jobs = workflows.flatMap(([, text]) => text.split(/^ {2}(?=[\w-]+:$)/m))
  const withPackages = jobs.filter((job) => job.includes('setup-debian.sh --tests'))
  expect(withPackages).toHaveLength(2)
  for (const job of withPackages)
    expect(job).toContain('run: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0\n')
})

const noGit = spawnSync('git', ['--version']).error !== undefined
test.skipIf(noGit)('a clone on Windows has the bytes that have been committed (needs git)', () => {
  const clone = temporaryFolder('clone')
  const git = (...words: readonly string[]): string =>
    execFileSync('git', ['-C', clone, '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...words], {
      encoding: 'utf8',
      // Nothing of a repository or of settings at hand.
      env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' },
    })
  git('init', '--quiet')
  copyFileSync(join(root, '.gitattributes'), join(clone, '.gitattributes'))
  const bytes = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10, 0, 10])
  writeFileSync(join(clone, 'a.jsonl'), '{}\n{}\n')
  writeFileSync(join(clone, 'a.png'), bytes)
  git('add', '.')
  git('commit', '--quiet', '--message', 'a')
  for (const name of ['a.jsonl', 'a.png']) rmSync(join(clone, name))
  // The setting of git for Windows.
  git('-c', 'core.autocrlf=true', 'checkout', '--', 'a.jsonl', 'a.png')
  expect(readFileSync(join(clone, 'a.jsonl'), 'utf8')).toBe('{}\n{}\n')
  expect(readFileSync(join(clone, 'a.png'))).toEqual(bytes)
})

test('a draft waits for the tests on the three systems, and has the single file of each that can make it', () => {
  const [test = '', release = ''] = ['test.yml', 'release.yml'].map(
    (name) => workflows.find(([each]) => each === name)![1],
  )
  expect(test).toMatch(/^ {2}workflow_call:$/m)
  for (const os of ['ubuntu', 'macos', 'windows']) expect(test).toMatch(new RegExp(`os: \\[.*\\b${os}-`))
  expect(release).toMatch(/^ {2}test:\n {4}uses: \.\/\.github\/workflows\/test\.yml$/m)
  expect(release).toMatch(/^ {2}draft:\n {4}needs: \[test, npm, desktop\]$/m)
  // Its name ends with the system and the processor; on Windows with .exe.
  expect(release).toMatch(/if: runner\.os != 'macOS'\n +run: npm run package:single\n/)
  expect(release).toContain('release/tartaglia-*-linux-*\n')
})

test('nothing is packaged if a picture of the documentation is stale', () => {
  const [, release = ''] = workflows.find(([name]) => name === 'release.yml')!
  const jobs = new Map(release.split(/^ {2}(?=[\w-]+:$)/m).map((job) => [job.split(':', 1)[0]!, job]))
  expect(jobs.get('pictures')).toMatch(/^ +- run: npm run pictures -- --check$/m)
  // The new ones can be had from the run that fails, though they lie in a folder that is hidden.
  const kept = jobs.get('pictures')?.split('- name: The pictures as they are now\n')[1] ?? ''
  for (const line of ['if: failure()', 'path: .cache/pictures-check/*.png', 'include-hidden-files: true'])
    expect(kept).toContain(`${line}\n`)
  expect(readFileSync(join(root, 'scripts', 'pictures.mjs'), 'utf8')).toContain(`'.cache', 'pictures-check'`)
  for (const name of ['npm', 'desktop']) {
    expect(jobs.get(name)).toMatch(/^ +- run: npm run package\b/m)
    expect(jobs.get(name)).toMatch(/^ {4}needs: pictures$/m)
  }
})

test('a release has the artifacts of its packages alone: a run that is tried again keeps the pictures of a job that failed', () => {
  const [, release = ''] = workflows.find(([name]) => name === 'release.yml')!
  const [before = '', draft = ''] = release.split(/^ {2}draft:$/m)
  const pattern = /actions\/download-artifact@.*\n +with:\n(?: +(?!pattern)\S.*\n)* +pattern: '\{(.*)\}'\n/.exec(
    draft,
  )?.[1]
  const taken = (pattern ?? '*').split(',')
  const uploaded = [...before.matchAll(/actions\/upload-artifact@.*\n +with:\n +name: (.*)\n/g)].map(
    ([, name]) => name!,
  )
  expect(
    uploaded.filter((name) =>
      taken.some((glob) => (glob.endsWith('*') ? name.startsWith(glob.slice(0, -1)) : name === glob)),
    ),
  ).toEqual(['npm', 'desktop-${{ matrix.os }}'])
  expect(uploaded).toContain('pictures')
})

test('a release is a draft, with sums and provenance of all that it has', () => {
  const [, release = ''] = workflows.find(([name]) => name === 'release.yml')!
  const steps = ['node scripts/checksums.mjs release', 'subject-path: release/*', 'gh release create "$TAG" --draft']
  expect(steps.map((step) => release.indexOf(step))).toEqual(
    [...steps.map((step) => release.indexOf(step))].sort((a, b) => a - b),
  )
  for (const step of steps) expect(release).toContain(step)
  const withSecrets = release.split('\n').filter((line) => line.includes('secrets.'))
  expect(withSecrets.length).toBeGreaterThan(0)
  for (const line of withSecrets) expect(line).toContain("runner.os != 'Linux' &&")
  expect(release).not.toContain('npm publish')
  // Each kind of file that electron-builder.yml makes is kept.
  const builder = readFileSync(join(root, 'electron-builder.yml'), 'utf8')
  const ends = { AppImage: 'AppImage', deb: 'deb', 'tar.gz': 'tar.gz', nsis: 'exe', dmg: 'dmg', zip: 'zip' }
  for (const [target, end] of Object.entries(ends)) {
    expect(builder).toContain(`    - ${target}\n`)
    expect(release).toContain(`release/*.${end}\n`)
  }
})
