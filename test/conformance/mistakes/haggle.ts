import { js, python, ts, type Mistake } from './mistake.ts'

const py = python('haggle')
const first = { seat: 0 } as const
const second = { seat: 1 } as const
const answering = (answer: string, before = ''): string => `
class Agent {
  constructor(me, counts) { this.counts = counts }
  ${before}offer(o) {
    return ${answer}
  }
}
module.exports = Agent`
const offering = (demand: string): string => `
from haggle import play_haggle
class Agent:
    def __init__(self, me, counts, values, max_rounds): self.counts = counts
    def offer(self, offered):
        return ${demand}
play_haggle(Agent)`

export const haggleMistakes: readonly Mistake[] = [
  js('an exception in its offer', answering('o.counts.map((n) => n)'), ['crash', 'line 4', "'counts'"], first),
  js('text', answering(`'everything'`), ['removed', 'text', 'list of 3'], first),
  js(
    'a fraction',
    answering('this.counts.map((n) => n / 2 + 0.3)'),
    ['removed', '[0]', 'fraction', 'whole number'],
    first,
  ),
  js('too few elements', answering('[1]'), ['removed', 'list of 1', 3], first),
  js('more than there is', answering('this.counts.map(() => 99)'), ['removed', '[0]', 99], first),
  js(
    'a value that is not a number',
    answering('this.counts.map((n) => n * undefined)'),
    ['removed', '[0]', 'NaN', 'log()'],
    first,
  ),
  js('text in its list', answering('this.counts.map(String)'), ['removed', '[0]', 'text', 'whole number'], first),
  js('a promise', answering('this.counts', 'async '), ['invalid', 'promise', '"async"'], first),
  js(
    'a promise in its list',
    answering('this.counts.map(async (n) => n)'),
    ['removed', '[0]', 'promise', '"async"'],
    first,
  ),
  js('an acceptance of nothing', answering('undefined'), ['removed', 'first turn'], first),
  js('a misspelt method', `\nmodule.exports = class {\n  ofer() { return [] }\n}`, ['crash', 'offer(o)'], first),
  ts(
    'an exception in a constructor',
    `
export default class Agent {
  constructor(me: number, counts: number[][]) {
    counts[7]!.push(me)
  }
  offer(): undefined { return undefined }
}`,
    ['crash', 'agent.ts', 'line 3', "'push'"],
    second,
  ),
  py('an exception in its offer', offering('offered["x"]'), ['crash', 'agent.py', 'line 5', 'TypeError'], first),
  py(
    'a value that is not a number',
    offering('[float("nan") for _ in self.counts]'),
    ['protocol', 'NaN', 'log'],
    first,
  ),
  py('a printed line', offering('print("hm") or self.counts'), ['protocol', 'hm', 'sys.stderr'], first),
  py('a dictionary', offering('{"share": self.counts}'), ['removed', 'an object', 'list of 3'], first),
  py('an end at once', `\nimport haggle\n`, ['crash', 'exit code 0', 'main loop'], second),
]
