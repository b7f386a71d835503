// Opens the classroom in the best way that this machine allows; one line says which and why.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { openAppWindow } from './app-window.mjs'
import { chooseWindow, withoutElectron } from './choose-window.mjs'
import { findBrowser, findElectron, findOpener, hasDisplay, whyNoWindow } from './find-windows.mjs'
import { begun, launch } from './launch.mjs'
import { prepare } from './prepare.mjs'
import { sampleTermFolder } from './sample-term-folder.mjs'
import { note, ownEnvironment, Plain, root } from './setup.mjs'

const { env, platform } = process
/** True once somebody has asked for the end; a child that is asked twice ends without tidying up. */
let stopping = false

/** The options that `openClassroom` takes. */
export const openingOptions = ['--data', '--port', '--sample-term']

/**
 * `args`: `--data FOLDER`, `--port NUMBER`, and `--sample-term`: a class in the middle of a term, to explore. Resolves to the exit code when the
 * classroom is closed. Throws Plain.
 */
export async function openClassroom(args) {
  const { data, port, sampleTerm } = options(args)
  const node = await prepare()
  if (sampleTerm && !existsSync(join(data, 'class.json'))) {
    const code = await launch(['class', 'sample-term', '--data', data])
    if (code !== 0) return code
  }
  const serveArgs = [
    'serve',
    ...(data === undefined ? [] : ['--data', data]),
    ...(port === undefined ? [] : ['--port', port]),
  ]
  const browser = () => findBrowser(platform, env)
  const opener = () => findOpener(platform, env)
  let choice = await chooseWindow({
    display: hasDisplay(platform, env),
    root: platform !== 'win32' && process.getuid() === 0,
    electron: findElectron,
    browser,
    opener,
  })
  console.log(choice.line)
  if (choice.mode === 'desktop') {
    const { code, why } = await runDesktop(choice.path, data)
    if (why === null) return code
    choice = withoutElectron({ why: `Electron is here, but ${why}`, browser, opener })
    console.log(choice.line)
  }
  if (choice.mode === 'terminal') return launch([...serveArgs, '--sample'])
  if (choice.mode === 'serve') return launch(serveArgs)
  return begun(node, await serveWith(node, serveArgs, choice))
}

function options(args) {
  const known = { data: { type: 'string' }, port: { type: 'string' }, 'sample-term': { type: 'boolean' } }
  const { 'sample-term': sampleTerm = false, ...values } = parsed(args, known)
  const data = values.data ?? (sampleTerm ? sampleTermFolder(env, platform) : undefined)
  return { ...values, sampleTerm, ...(data === undefined ? {} : { data: resolve(data) }) }
}

function parsed(args, known) {
  try {
    return parseArgs({ args, options: known }).values
  } catch (error) {
    const [problem] = error.message.split('.', 1)
    throw new Plain(`${problem}. The classroom opens with --data FOLDER, --port NUMBER and --sample-term.`)
  }
}

/** Resolves to the exit code, and to why the window did not come up; null: it did. */
function runDesktop(electron, data) {
  const own = ownEnvironment(data === undefined ? {} : { TARTAGLIA_DATA: data })
  // With these another program, or no window at all, would be started.
  delete own.ELECTRON_OVERRIDE_DIST_PATH
  delete own.ELECTRON_RUN_AS_NODE
  const child = spawn(electron, [root], { env: own, stdio: ['ignore', 'inherit', 'pipe'] })
  passSignals(child)
  let stderr = ''
  createInterface({ input: child.stderr }).on('line', (line) => {
    stderr = `${stderr}${line}\n`.slice(-20_000)
    // Chromium's own log is for its developers.
    if (env.TARTAGLIA_DEBUG === '1' || !/^\[\d+:[\d/:.]*(?:INFO|WARNING|ERROR|FATAL):/.test(line)) note(line)
  })
  return new Promise((done) => {
    child.on('error', (error) => done({ code: 3, why: whyNoWindow({ error, stderr }) }))
    child.on('close', (code, signal) => {
      done({ code: code ?? 128 + constants.signals[signal], why: code === 0 ? null : whyNoWindow({ stderr }) })
    })
  })
}

/** Serves the classroom in a process of its own and shows it; ends when the window is closed. Resolves to the exit code. */
function serveWith(node, serveArgs, choice) {
  const stdio = ['ignore', 'pipe', 'inherit', 'ipc']
  const child = spawn(node, [join(root, 'dist', 'cli.js'), ...serveArgs, '--json'], { stdio, env: ownEnvironment() })
  passSignals(child)
  const manual = (address) =>
    console.log(
      `The classroom is open at ${address}\nThe address lets one browser of this machine in, once; "npx tartaglia address" prints another. Ctrl-C stops it.`,
    )
  let window = null
  createInterface({ input: child.stdout }).once('line', (line) => {
    const { address, data } = JSON.parse(line)
    if (address === undefined) return // the sentence is on stderr already
    if (choice.mode === 'browser') {
      openInBrowser(choice.open, address)
      return manual(address)
    }
    window = openAppWindow(choice.path, address, data)
    window.closed.then(({ error, stderr, elsewhere }) => {
      const why = whyNoWindow({ error, stderr })
      if (stopping) return undefined
      if (why === null && !elsewhere) return child.kill('SIGTERM')
      if (why !== null) console.log(`${choice.name} shows no window: ${why}.`)
      return manual(address)
    })
    console.log('Close the window to stop the classroom.')
  })
  return new Promise((done, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      window?.close()
      done(code ?? 128 + constants.signals[signal])
    })
  })
}

/** The address is printed as well, so that a browser that does not come costs nothing. */
function openInBrowser([command, ...args], address) {
  spawn(command, [...args, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}

/** A signal that ends us ends the child; a terminal has sent its Ctrl-C to both already. */
function passSignals(child) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      stopping = true
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
}
