import { expect, test } from 'vitest'
import { compiledTest } from '../../../main/services/agents/kit-code/emitters.ts'
import { inShell } from '../../../main/services/agents/kit-tests.ts'

test('the tests of compiled kits start their program in the shell of Windows, too', () => {
  const command = compiledTest('cpp')!
  expect(inShell(command, 'win32')).toBe(command.replace('&& ./agent', String.raw`&& .\agent`))
  expect(inShell(command, 'linux')).toBe(command)
  expect(inShell('node ../x.js ./y', 'win32')).toBe('node ../x.js ./y')
})
