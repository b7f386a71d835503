import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
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

/** Answers of a class to calls after the hand-in; a call without one finds the class closed. */
type Later = Readonly<Record<string, object>>

/**
 * Hands in at a class that answers with this signature, or as an earlier version did with none. Returns the files in the folder of
 * receipts, the verdict, and the calls that the class was asked.
 */
async function handedIn(signature: string | undefined, later: Later = {}) {
  const folder = temporaryFolder('receipt')
  const calls: unknown[] = []
  const { b, h } = receipt
  const accepted = { attempt: 1, agent: 'rosso', receipt: b, head: h, signature, note: null, time: '' }
  const answers: Later = { 'handIn.submit': accepted, ...later }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const said = (value: unknown): void => void response.end(JSON.stringify({ ok: true, value }))
    if (request.url !== '/call') return said({ file: 'f' })
    const { name, input } = JSON.parse(body) as { readonly name: string; readonly input: unknown }
    calls.push([name, input])
    if (answers[name] === undefined) return void request.socket.destroy()
    said(answers[name])
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
  return { files, file: submitted.receipt.file, state: submitted.trial.state, calls }
}

const kept = [['receipt-7.json', receiptLine(receipt)]]
const asked = ['receipts.get', { n: 7 }]

test('the receipt is kept even if the class is closed right after it has accepted the file', async () => {
  const { files, file, state, calls } = await handedIn(receipt.s)
  expect(files).toEqual(kept)
  expect([file === null, state]).toEqual([false, 'unknown'])
  expect(calls).not.toContainEqual(asked)
})

test('an answer with a malformed signature is not kept as a receipt', async () => {
  expect(await handedIn('none')).toMatchObject({ files: [], file: null })
})

test('the receipt of a class of an earlier version, whose answer has no signature, is asked for', async () => {
  const { files, calls } = await handedIn(undefined, { 'receipts.get': { content: receiptLine(receipt) } })
  expect(calls).toContainEqual(asked)
  expect(files).toEqual(kept)
})

test('a hand-in is accepted without a receipt if such a class does not give it, or gives another file', async () => {
  for (const later of [{}, { 'receipts.get': { content: 'another file\n' } }])
    expect(await handedIn(undefined, later)).toMatchObject({ files: [], file: null, state: 'unknown' })
})
