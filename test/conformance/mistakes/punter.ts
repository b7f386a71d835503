import { js, python, ts, type Mistake } from './mistake.ts'

const py = python('punter')
const moving = (answer: string, before = ''): string => `
module.exports = class {
  setup(map, { punter }) { this.map = map; this.punter = punter }
  ${before}move(moves) {
    return ${answer}
  }
}`
const claiming = (move: string): string => `
from punter import play_punter
class Agent:
    def __init__(self, map, settings): self.map = map
    def move(self, moves):
        return ${move}
play_punter(Agent)`

export const punterMistakes: readonly Mistake[] = [
  js('an exception in its move', moving('this.map.mine.length'), ['crash', 'line 4', "'length'"]),
  js('text', moving(`'pass'`), ['invalid', '"pass"', 'object']),
  js('a promise', moving('{ pass: {} }', 'async '), ['invalid', 'promise', '"async"']),
  js('no return', moving('undefined'), ['invalid', 'undefined', '"return"']),
  js('a misspelt move', moving('{ clam: { punter: 0, source: 0, target: 1 } }'), ['invalid', '"clam"', 'claim']),
  js('sites as text', moving(`{ claim: { punter: this.punter, source: '0', target: '1' } }`), [
    'invalid',
    'claim.source',
    'whole number',
    '"0"',
  ]),
  js('a site that is not a number', moving('{ claim: { punter: this.punter, source: 0 / 0, target: 1 } }'), [
    'invalid',
    'claim.source',
    'NaN',
  ]),
  js('a missing end', moving('{ claim: { punter: this.punter, source: 0 } }'), ['invalid', 'claim.target', 'missing']),
  js('a river that does not exist', moving('{ claim: { punter: this.punter, source: 0, target: 999 } }'), [
    'fine',
    999,
    'pass',
  ]),
  js('no setup', `\nmodule.exports = class {\n  move() { return { pass: {} } }\n}`, ['crash', 'setup(map, settings)']),
  js(
    'a setup that throws',
    `\nmodule.exports = class {\n  setup(map) { this.first = map.rivers[999].source }\n  move() { return { pass: {} } }\n}`,
    ['crash', 'line 2', "'source'"],
  ),
  ts(
    'an exception in its move',
    `
type Move = { pass: { punter: number } }
export default class Agent {
  map: { mines: number[] } | null = null
  setup(): void {}
  move(): Move {
    return { pass: { punter: this.map!.mines[0]! } }
  }
}`,
    ['crash', 'agent.ts', 'line 6', "'mines'"],
  ),
  py('an exception in its move', claiming('self.map["mine"]'), ['crash', 'agent.py', 'line 5', "KeyError: 'mine'"]),
  py('no return', claiming('None'), ['crash', 'TypeError', 'None']),
  py('a printed line', claiming('print("hm") or {"pass": {}}'), ['protocol', 'hm', 'sys.stderr']),
]
