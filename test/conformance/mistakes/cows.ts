import { js, python, ts, type Mistake } from './mistake.ts'

const py = python('cows')
const acting = (answer: string, before = ''): string => `
module.exports = {
  act: ${before}(body, perception, team) => {
    return ${answer}
  },
}`
const walking = (action: string): string => `
from cows import play_cows
class Team:
    def __init__(self, start): pass
    def act(self, body, perception):
        return ${action}
play_cows(Team)`

export const cowsMistakes: readonly Mistake[] = [
  js('an exception in its act', acting('perception.cows[0].x'), ['crash', 'line 3', 'TypeError']),
  js('an action that does not exist', acting(`'left'`), ['invalid', 'action', '"left"', '"west"']),
  js('a misspelt action', acting(`'nort'`), ['invalid', 'action', '"nort"', '"north"']),
  js('a number', acting('3'), ['invalid', 'action', 3]),
  js('a promise', acting(`'north'`, 'async '), ['invalid', 'promise', '"async"']),
  js('no return', acting('undefined'), ['invalid', 'action', 'missing']),
  js('a class', `\nmodule.exports = class {\n  act() { return 'skip' }\n}`, [
    'crash',
    'module.exports',
    'act(body, perception, team)',
  ]),
  js('nothing exported', `\nconst act = () => 'skip'`, ['crash', 'module.exports', 'act(body, perception, team)']),
  ts(
    'an exception in its act',
    `
interface Seen { cells: { x: number }[] }
export const act = (body: number, perception: Seen): string =>
  perception.cells[999]!.x > body ? 'east' : 'west'`,
    ['crash', 'agent.ts', 'line 3', "'x'"],
  ),
  py('an exception in its act', walking('perception["cows"]'), ['crash', 'agent.py', 'line 5', "KeyError: 'cows'"]),
  py('a misspelt action', walking('"norht"'), ['invalid', 'action', '"norht"', '"north"']),
  py('a printed line', walking('print("hm") or "skip"'), ['protocol', 'hm', 'sys.stderr']),
  py('a value that is not a number', walking('float("inf")'), ['protocol', 'Infinity', 'log']),
  py('an end at once', `\nimport cows\n`, ['crash', 'exit code 0', 'main loop']),
]
