import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { generateKey, signingKey } from '../../../main/histories/keys.ts'
import { receiptLine, signReceipt } from '../../../main/histories/receipts.ts'
import { keepSignIn } from '../../../main/services/remote-class/kept-sign-ins.ts'
import { submitAgent } from '../../../main/services/remote-class/submit-agent.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const content = 'module.exports = class {}\n'
const at = '2026-10-12T09:30:00.000Z'
const key = signingKey(generateKey())!
const receipt = signReceipt(
  {
    ...{ k: 'receipt', n: 7, class: key.fingerprint, team: 'Red', agent: 'rosso', version: 1 },
    ...{ sha256: hash('sha256', content), received: at, at, contest: null, time: 'on-time', previous: '' },
  },
  key,
)

/** Hands in at a class that is closed as soon as it has answered. Returns the files in the folder of receipts, and the verdict. */
async function handedIn(signature: string) {
  const folder = temporaryFolder('receipt')
  let isClosed = false
  const { b, h } = receipt
  const accepted = { attempt: 1, agent: 'rosso', receipt: b, head: h, signature, note: null, time: '' }
  const server = createServer((request, response) => {
    if (isClosed) return void request.socket.destroy()
    request.resume()
    isClosed = request.url === '/call'
    response.end(JSON.stringify({ ok: true, value: isClosed ? accepted : { file: 'f' } }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const to = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const [config, receipts] = [join(folder, 'config'), temporaryFolder('receipts')]
  keepSignIn(config, to, { token: 't', name: 'Anna', certificate: null })
  const path = join(folder, 'rosso.js')
  writeFileSync(path, content)
  const none = (): undefined => undefined
  const submitted = await submitAgent({
    ...{ path, to, receipts, config, contest: null, note: '', agent: null, game: 'haggle', fingerprint: null },
    ...{ agentName: 'test', signal: new AbortController().signal },
    ...{ onCode: none, onSignedIn: none, onProgress: none, onAccepted: none },
  })
  const files = readdirSync(receipts).map((name) => [name, readFileSync(join(receipts, name), 'utf8')])
  return { files, file: submitted.receipt.file, state: submitted.trial.state }
}

test('the receipt is kept even if the class is closed right after it has accepted the file', async () => {
  const { files, file, state } = await handedIn(receipt.s)
  expect(files).toEqual([['receipt-7.json', receiptLine(receipt)]])
  expect([file === null, state]).toEqual([false, 'unknown'])
})

test('an answer without a signature is not kept as a receipt', async () => {
  expect(await handedIn('none')).toMatchObject({ files: [], file: null })
})
