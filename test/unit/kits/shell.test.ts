import { expect, test } from 'vitest'
import { kitTest } from '../../../main/services/agents/kit-code/emitters.ts'
import { inShell } from '../../../main/services/agents/kit-tests.ts'

test('the tests of kits start their program in the shell of Windows, too', () => {
  const command = kitTest('cpp')
  expect(inShell(command, 'win32')).toBe(command.replace('&& ./agent', String.raw`&& .\agent`))
  expect(inShell(command, 'linux')).toBe(command)
  expect(inShell(kitTest('python'), 'win32')).toBe('python agent_test.py')
  expect(inShell(kitTest('python'), 'linux')).toBe('python3 agent_test.py')
  expect(inShell('node ../x.js ./y', 'win32')).toBe('node ../x.js ./y')
})
