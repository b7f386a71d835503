import { expect, test } from 'vitest'
import { runTests } from '../../../main/services/agents/kit-tests.ts'

test('tests of a kit that were stopped before they began are ended', async () => {
  const running = {
    env: process.env,
    signal: AbortSignal.abort(),
    onPrinted: () => undefined,
    onError: () => undefined,
  }
  const command = `"${process.execPath}" -e "setTimeout(() => {}, 60000)"`
  await expect(runTests(import.meta.dirname, command, running)).rejects.toMatchObject({ code: 'stopped' })
})
