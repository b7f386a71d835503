import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { runCli } from '../../../main/cli/program.ts'
import { showAddress } from '../../../main/cli/verbs/serve.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const home = temporaryFolder('serve')

test('requests for an address are heard before the classroom opens, and no more after it has failed to', async () => {
  const data = join(home, 'no-folder')
  writeFileSync(data, '')
  const stop = vi.fn()
  const onAddressRequest = vi.fn((callback: () => void) => {
    // Nothing is open yet.
    callback()
    return { byEnter: false, stop }
  })
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() }
  const others = { env: {}, onInterrupt: () => () => undefined, exit: () => undefined }
  expect(await runCli(['serve', '--data', data], { ...streams, ...others, onAddressRequest })).not.toBe(0)
  expect([onAddressRequest, stop].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})

test('with --json the first address alone is on stdout', () => {
  const [output, note] = [vi.fn(), vi.fn()]
  const terminal = { json: true, output, note, print: () => undefined, paint: (_: string, text: string) => text }
  showAddress(terminal, 'a', 'data', 'first')
  showAddress(terminal, 'b', 'data', 'another')
  expect(output.mock.calls).toEqual([['serve', { address: 'a', data: 'data' }]])
  expect(note.mock.calls).toEqual([[expect.stringContaining(' b')]])
})
