import { expect, test } from 'vitest'
import { readBuildLog } from '../../../main/services/packages/build-log.ts'

test.each([
  [
    'javac',
    "Bot.java:3: error: ';' expected\n    int x = 1\n             ^\n1 error\n",
    "Bot.java, line 3: ';' expected",
  ],
  [
    'g++',
    "src/bot.cpp: In function 'int main()':\nsrc/bot.cpp:4:12: error: 'y' was not declared in this scope\n    4 | return y;\n      |        ^\n",
    "src/bot.cpp, line 4, column 12: 'y' was not declared in this scope",
  ],
  [
    'a missing header',
    'bot.c:1:10: fatal error: gone.h: No such file or directory\n',
    'bot.c, line 1, column 10: gone.h: No such file or directory',
  ],
  ['tsc', "bot.ts(7,3): error TS1005: ';' expected.\n", "bot.ts, line 7, column 3: ';' expected"],
  ['go', '# bot\n./bot.go:5:2: undefined: x\n', './bot.go, line 5, column 2: undefined: x'],
  [
    'rustc',
    'error[E0425]: cannot find value `y` in this scope\n --> src/main.rs:2:5\n  |\n2 |     y\n',
    'src/main.rs, line 2, column 5: cannot find value `y` in this scope',
  ],
  [
    'ghc, whose text is in the next line',
    'Bot.hs:3:8: error:\n    Variable not in scope: y :: Int\n  |\n',
    'Bot.hs, line 3, column 8: Variable not in scope: y :: Int',
  ],
  [
    'Python',
    'Traceback (most recent call last):\n  File "setup.py", line 9, in <module>\n    make()\n  File "make.py", line 2, in make\n    return x\nNameError: name \'x\' is not defined\n',
    "make.py, line 2: NameError: name 'x' is not defined",
  ],
  [
    "Python's library, which was given something wrong",
    'Traceback (most recent call last):\n  File "agent.py", line 9, in <module>\n    json.dumps({1})\n  File "/usr/lib/python3.11/json/__init__.py", line 231, in dumps\n    return _default_encoder.encode(obj)\nTypeError: Object of type set is not JSON serializable\n',
    'agent.py, line 9: TypeError: Object of type set is not JSON serializable',
  ],
  [
    'an exception of the agent itself',
    'Traceback (most recent call last):\n  File "agent.py", line 4, in <module>\n    raise NoMove("none")\n__main__.NoMove: none\nbye\n',
    'agent.py, line 4: __main__.NoMove: none',
  ],
  [
    "Python's parser",
    '  File "bot.py", line 3\n    if x\n        ^\nSyntaxError: expected \':\'\n',
    "bot.py, line 3: SyntaxError: expected ':'",
  ],
  [
    'a compiler after a note of Python',
    '  File "gen.py", line 3\na.c:9:1: error: mistaken\n',
    'a.c, line 9, column 1: mistaken',
  ],
  [
    'the GNU linker, which comes after the compiler',
    "/usr/bin/ld: /tmp/ccq.o: in function `main':\nmain.c:(.text+0x5): undefined reference to `helper'\ncollect2: error: ld returned 1 exit status\n",
    "main.c: undefined reference to `helper'",
  ],
  ['lld', 'ld.lld: error: undefined symbol: helper\n>>> referenced by main.c\n', 'undefined symbol: helper'],
  [
    'a warning first',
    "a.c:1:2: warning: unused\na.c:9:1: error: expected '}'\nb.c:1:1: error: later\n",
    "a.c, line 9, column 1: expected '}'",
  ],
])('the first error of %s', (_, log, firstError) => {
  expect(readBuildLog(log)).toEqual({ firstError, remedy: null })
})

test.each([
  [
    'pip',
    'WARNING: Retrying ... NewConnectionError(...)\nERROR: pip: No matching distribution found for numpy\n',
    'pip download',
  ],
  [
    'pip of a system that manages its own packages',
    'error: externally-managed-environment\n\n× This environment is externally managed\nhint: pip install --break-system-packages\n',
    '--target .',
  ],
  ['npm', 'npm error code EAI_AGAIN\nnpm error network request failed\n', 'node_modules'],
  ['go', 'go: downloading x\nbot.go: go: x: dial tcp: lookup proxy.golang.org: no such host\n', 'go mod vendor'],
  ['cargo', 'error: failed to get `rand`\n  Could not resolve host: index.crates.io\n', 'cargo vendor'],
  ['curl', 'curl: (6) Could not resolve host: example.org\n', 'no network'],
])('the remedy for %s without a network', (_, log, remedy) => {
  expect(readBuildLog(log).remedy).toContain(remedy)
})

test.each([
  ['build: 1: rustc: not found\n', 'rustc is not'],
  ['Compiling\nrun.sh: line 3: cargo: command not found\n', 'cargo is not'],
  ['make: g++-13: No such file or directory\nmake: *** [Makefile:2: all] Error 127\n', 'g++-13 is not'],
])('a tool that is not there is named with the programs that a build has: %j', (log, said) => {
  expect(readBuildLog(log).remedy).toContain(said)
})

test('a full folder is explained by the limits of boxes where there is a box, and a full file everywhere', () => {
  const folder = "cp: error writing 'x': No space left on device\n"
  expect([readBuildLog(folder, true).remedy, readBuildLog(folder).remedy]).toEqual([
    expect.stringContaining('512 MB'),
    null,
  ])
  for (const file of ['File size limit exceeded\n', 'cc1: error: a.s: File too large\n'])
    for (const boxed of [true, false]) expect(readBuildLog(file, boxed).remedy).toMatch(/^each file .* 16 MB$/)
})

test.each([
  ['nothing', ''],
  ['a module that is not found', 'Error: main.x: module y: not found here\n'],
  ['other words', 'cannot do this: see line 3\nmake: *** [all] Error 2\n'],
  ['a place without an error', 'bot.c:3:4: note: here\n'],
])('%s has no first error', (_, log) => {
  expect(readBuildLog(log)).toEqual({ firstError: null, remedy: null })
})

test('a hostile log of 64 kB is read at once', () => {
  const begin = process.cpuUsage()
  for (const piece of ['a', ':', 'error', 'File "', ' ', 'npm error ', 'go: ', '(1', 'failed to get ', '1: ', 'make: '])
    readBuildLog(piece.repeat(65_536 / piece.length))
  const { user, system } = process.cpuUsage(begin)
  expect((user + system) / 1e6).toBeLessThan(1)
})
