import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** A real Redis that keeps nothing on disk. */
export interface RedisServer {
  readonly url: string
  /** Kills it, with all that it holds. */
  kill(): Promise<void>
  /** Starts it again at the same address, empty. */
  restart(): Promise<void>
  remove(): Promise<void>
}

/** `secured`: options in place of those that make it open, and its address for a port. */
export async function startRedis(secured?: {
  options(port: number, folder: string): readonly string[]
  url(port: number): string
}): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tartaglia-redis-'))
  const port = await freePort()
  let child: ChildProcess | null = null
  const begin = async (): Promise<void> => {
    const doors = secured?.options(port, folder) ?? ['--port', String(port)]
    const options = [...doors, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
    const started = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
    child = started
    await new Promise<void>((resolve, reject) => {
      let said = ''
      started.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('Ready to accept connections')) resolve()
      })
      started.on('exit', () => reject(new Error(said)))
    })
  }
  const kill = async (): Promise<void> => {
    const running = child
    if (running === null) return
    child = null
    const ended = new Promise((resolve) => running.once('close', resolve))
    running.kill('SIGKILL')
    await ended
  }
  await begin()
  return {
    url: secured?.url(port) ?? `redis://127.0.0.1:${port}`,
    kill,
    restart: begin,
    async remove() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
