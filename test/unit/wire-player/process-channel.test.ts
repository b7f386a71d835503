import { describe, expect, test } from 'vitest'
import type { ChannelEnd } from '../../../main/players/channels/channel.ts'
import { processChannel } from '../../../main/players/channels/process-channel.ts'

/** Runs a program text in Node; `said` grows, `ended` resolves when the channel reports its end. */
function run(program: string, ...more: string[]) {
  const channel = processChannel({ file: process.execPath, args: ['-e', program, ...more] }, { boxed: false })
  let said = ''
  let printed = ''
  let heard: () => void = () => undefined
  const ended = new Promise<ChannelEnd>((resolve) => {
    channel.start({
      data(chunk) {
        said += Buffer.from(chunk).toString()
        heard()
      },
      printed: (text) => void (printed += text),
      end: resolve,
    })
  })
  const until = async (part: string): Promise<string> => {
    while (!said.includes(part)) await new Promise<void>((resolve) => void (heard = resolve))
    return said
  }
  return { channel, ended, until, printed: () => printed }
}

/** Runs a program text in Node for a host that takes 3 ms for each slice of its output. */
async function heardSlowly(program: string): Promise<{ text: string; said: string }> {
  const channel = processChannel({ file: process.execPath, args: ['-e', program] }, { boxed: false })
  let said = ''
  const { text } = await new Promise<ChannelEnd>((end) => {
    channel.start({
      data(chunk) {
        said += Buffer.from(chunk).toString()
        const until = performance.now() + 3
        while (performance.now() < until);
      },
      printed: () => undefined,
      end,
    })
  })
  return { text, said }
}

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** Waits for a condition, not for a time. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

const staysAlive = 'setInterval(() => {}, 1000);'

describe('a process as a channel', () => {
  test('carries bytes both ways, and none of our environment', async () => {
    process.env['TARTAGLIA_SECRET'] = 'secret'
    const { channel, until } = run(
      'process.stdout.write(JSON.stringify(process.env)); process.stdin.pipe(process.stdout)',
    )
    channel.write(Buffer.from('héllo'))
    const said = await until('héllo')
    expect(said).not.toContain('secret')
    channel.close()
    channel.close()
    channel.write(Buffer.from('nobody is there'))
  })

  test('reports an exit in words, and all that it printed', async () => {
    const { ended, printed } = run('process.stderr.write("x".repeat(200000) + "the end", () => process.exit(3))')
    const { text } = await ended
    expect(text).toBe('ended by itself with exit code 3.')
    expect(printed()).toHaveLength(200_007)
    expect(printed().endsWith('xthe end')).toBe(true)
  })

  test('reports all of the output before the end', async () => {
    const { ended, until } = run('process.stdout.write("y".repeat(500000) + "!", () => process.exit(0))')
    await ended
    expect((await until('!')).length).toBe(500_001)
  })

  test('loses nothing of an answer whose reading takes the host longer than the process lives', async () => {
    // Reading takes 3 ms a kilobyte, so the process has exited long before the second chunk is read.
    const { text, said } = await heardSlowly('process.stdout.write("y".repeat(140_000) + "!")')
    expect(text).toBe('ended by itself with exit code 0.')
    expect(said).toHaveLength(140_001)
  })

  test.skipIf(process.platform === 'win32')(
    'ends although a process that left its group keeps the pipe open',
    async () => {
      const left = 'require("child_process").spawn("sleep", ["600"], { stdio: ["ignore", 1, 2], detached: true })'
      const { text, said } = await heardSlowly(`process.stdout.write(${left}.pid + ";"); process.exit(0)`)
      process.kill(Number.parseInt(said), 'SIGKILL')
      expect(text).toBe('ended by itself with exit code 0.')
    },
  )

  test('reports a command that cannot be run', async () => {
    const channel = processChannel({ file: '/nowhere/agent', args: [] }, { boxed: false })
    const { text } = await new Promise<ChannelEnd>((end) => {
      channel.start({ data: () => undefined, printed: () => undefined, end })
    })
    expect(text).toMatch(/^cannot be run: .*ENOENT/)
  })

  test('one that closes its output and stays alive has ended, and is ended', async () => {
    const { ended, until } = run(
      `process.stdout.write(process.pid + ";", () => require("fs").closeSync(1)); ${staysAlive}`,
    )
    const pid = Number.parseInt(await until(';'))
    expect((await ended).text).toBe('closed its output, so that it can answer no more.')
    await eventually(() => !alive(pid))
  })

  test.skipIf(process.platform === 'win32')('close ends its children too', async () => {
    const child = `process.stdout.write(process.pid + ";"); ${staysAlive}`
    const { channel, until } = run(
      `require("child_process").spawn(process.execPath, ["-e", process.argv[1]], { stdio: "inherit" }); ${staysAlive}`,
      child,
    )
    const pid = Number.parseInt(await until(';'))
    expect(alive(pid)).toBe(true)
    channel.close()
    await eventually(() => !alive(pid))
  })
})
