import { expect, test } from 'vitest'
import { isFilled, windowsCommand, windowsEnvironment } from '../../../main/players/isolation/windows-programs.ts'

test('a program of Windows gets the search path of Tartaglia behind declared folders, and what Windows needs', () => {
  const declared = { path: ['D:\\jdk\\bin'], environment: { JAVA_HOME: 'D:\\jdk' } }
  const own = { Path: 'C:\\Windows;C:\\Python', SYSTEMROOT: 'C:\\Windows', TARTAGLIA_SECRET: 'x', TEMP: 'C:\\T' }
  expect(windowsEnvironment(declared, own)).toEqual({
    ...{ PATH: 'D:\\jdk\\bin;C:\\Windows;C:\\Python', SystemRoot: 'C:\\Windows', TEMP: 'C:\\T' },
    ...{ JAVA_HOME: 'D:\\jdk', PYTHONUNBUFFERED: '1', PYTHONUTF8: '1' },
  })
  expect(windowsEnvironment({ path: [], environment: {} }, {})['PATH']).toBe('')
})

test.each([
  [['C:\\P\\python.exe'], ['C:\\P\\python.exe', '-u', 'a.py']],
  [['C:\\Windows\\py.exe'], ['C:\\Windows\\py.exe', '-3', '-u', 'a.py']],
  [
    ['C:\\Windows\\py.exe', 'C:\\P\\python.exe', 'C:\\P\\python3.exe'],
    ['C:\\P\\python3.exe', '-u', 'a.py'],
  ],
  [[], ['python3', '-u', 'a.py']],
])('python3 on a Windows that has %j', (files: readonly string[], command) => {
  const found = windowsCommand(['python3', '-u', 'a.py'], 'C:\\Windows;;C:\\P', (file) => files.includes(file))
  expect(found).toEqual(command)
})

test('other commands stay as they are', () => {
  const command = ['./agent', 'python3']
  expect(windowsCommand(command, 'C:\\P', () => true)).toEqual(command)
})

test('a file that cannot be looked at is not a program', () => {
  expect(isFilled(process.execPath)).toBe(true)
  expect(isFilled(`${process.execPath}-missing`)).toBe(false)
  // As for a name in WindowsApps, stat fails otherwise than for a missing file.
  expect(isFilled('a'.repeat(5_000))).toBe(false)
})
