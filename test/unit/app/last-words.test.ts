import { expect, test } from 'vitest'
import { withLastWords } from '../../../main/services/contests/command/check-agent.ts'

const exited = { kind: 'crash', text: 'The agent ended by itself with exit code 1.' } as const

test('the verdict on a program that exited has its last error, with the file and line that the student knows', () => {
  const traceback = [
    'Traceback (most recent call last):\n',
    '  File "/agent/package/agent.py", line 9, in <module>\n    main()\n',
    '  File "/agent/package/lib/plan.py", line 4, in main\n    x["y"]\n',
    "KeyError: 'y'\n",
  ]
  expect(withLastWords(exited, traceback)).toBe(`${exited.text} It last printed: lib/plan.py, line 4: KeyError: 'y'`)
  const missing = withLastWords(exited, ['prlimit: failed to execute agent.py: No such file or directory\n'])
  expect(missing).toMatch(/^Its command agent\.py cannot be run: No such file or directory\..*"python3", "agent\.py"/)
  expect(withLastWords(exited, [])).toBe(exited.text)
  const threw = { kind: 'crash', text: 'The agent threw.' } as const
  expect(withLastWords(threw, traceback)).toBe(threw.text)
})
