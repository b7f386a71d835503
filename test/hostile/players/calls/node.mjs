// Uses what agents in Node commonly use, then prints a line for each line it reads.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import process from 'node:process'
import readline from 'node:readline'
import { isMainThread, Worker } from 'node:worker_threads'

if (isMainThread) {
  const folder = fs.mkdtempSync('/tmp/calls-')
  const at = (name) => `${folder}/${name}`
  fs.writeFileSync(at('a'), 'x')
  fs.appendFileSync(at('a'), 'y')
  fs.renameSync(at('a'), at('b'))
  fs.symlinkSync('b', at('c'))
  fs.linkSync(at('b'), at('d'))
  fs.chmodSync(at('b'), 0o600)
  fs.utimesSync(at('b'), 1, 1)
  fs.copyFileSync(at('b'), at('e'))
  fs.truncateSync(at('b'), 1)
  const file = await fs.promises.open(at('b'), 'r+')
  await file.write('z')
  await file.sync()
  await file.close()
  fs.cpSync(folder, `${folder}-2`, { recursive: true })
  fs.rmSync(`${folder}-2`, { recursive: true })
  os.cpus()
  process.resourceUsage()
  execFileSync('/bin/sh', ['-c', 'echo hi | cat'])
  await once(spawn('/bin/true', { detached: true }), 'close')
  await once(new Worker(new URL(import.meta.url)), 'exit')
  const server = net.createServer((socket) => socket.end('x')).listen(at('socket'))
  await once(server, 'listening')
  await once(net.connect(at('socket')).resume(), 'close')
  server.close()
  fs.rmSync(folder, { recursive: true })
  for await (const line of readline.createInterface({ input: process.stdin })) console.log(line)
}
