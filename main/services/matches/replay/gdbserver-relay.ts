/**
 * A script for Node, `node -e RELAY PORT PROGRAM ARGUMENTS…`, that runs a program under gdbserver for a debugger on 127.0.0.1:PORT.
 * gdbserver by itself listens on all interfaces, whatever address it is given, and everybody who reaches it runs any program as this
 * person. So it listens nowhere: it speaks over its standard streams, which the script passes on to the first debugger that connects.
 *
 * The program has the streams that the script was given: gdbserver starts it by a shell that reads its one line from descriptor 5. The
 * line is in a file, since versions of gdbserver differ in how they quote the words of a wrapper.
 */
export const GDBSERVER_RELAY = `
const { mkdtempSync, openSync, rmSync, writeFileSync } = require('node:fs')
const { tmpdir } = require('node:os')
const { join } = require('node:path')
const [port, ...program] = process.argv.slice(1)
const fail = ({ message }) => {
  console.error(message)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'tartaglia-debug-'))
writeFileSync(join(folder, 'run'), 'exec "$@" <&3 >&4 3<&- 4>&- 5<&-')
const run = openSync(join(folder, 'run'), 'r')
rmSync(folder, { recursive: true })
const server = require('node:net').createServer((peer) => {
  server.close()
  const words = ['--once', '--wrapper', 'sh', '/dev/fd/5', '--', 'stdio', ...program]
  const stdio = ['pipe', 'pipe', 'inherit', 0, 1, run]
  const child = require('node:child_process').spawn('gdbserver', words, { stdio })
  child.stdin.on('error', () => undefined)
  peer.on('error', () => undefined)
  peer.pipe(child.stdin)
  child.stdout.pipe(peer)
  child.on('error', fail)
  child.on('exit', (code) => process.exit(code ?? 1))
})
server.on('error', fail)
server.listen(Number(port), '127.0.0.1')
`
