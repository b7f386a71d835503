import { js, python, ts, type Mistake } from './mistake.ts'

const py = python('specker')
const relation = '{ relations: [22] }'

/** Mistakes in agents of the Specker Challenge Game; those of loading and of the dialogue are the same in every game. */
export const speckerMistakes: readonly Mistake[] = [
  js(
    'an exception in its turn',
    `
module.exports = class {
  turn(view) {
    return view.market.offers.map(() => null)
  }
}`,
    ['crash', 'line 3', 'TypeError', "'offers'"],
  ),
  js(
    'an exception two calls down',
    `
const worth = (offer) => offer.price.toFixed()
const best = (view) => worth(view.store[99])
module.exports = class {
  turn(view) {
    return [{ type: 'accept', challenge: best(view) }]
  }
}`,
    ['crash', 'line 1', 'line 2', 'line 5', "'price'"],
  ),
  js(
    'an exception in its constructor',
    `
module.exports = class {
  constructor(start) {
    this.most = start.limits.maxVars
  }
  turn() { return [] }
}`,
    ['crash', 'line 3', "'maxVars'"],
  ),
  js('an exception while loading', `\nconst a = 1\nthrow new Error('no mood')\n`, ['crash', 'line 2', 'no mood']),
  js('an undeclared name', `\nmodule.exports = class {\n  turn() { return ofers }\n}`, ['crash', 'line 2', 'ofers']),
  js('a syntax error', `\nmodule.exports = class {\n  turn() {\n    return [1, 2\n  }\n}`, [
    'crash',
    'line 4',
    'SyntaxError',
  ]),
  js('a class that is not exported', `\nclass Agent { turn() { return [] } }`, [
    'crash',
    'module.exports',
    'turn(view)',
    'nothing is exported',
  ]),
  js('an object in place of a class', `\nclass Agent { turn() { return [] } }\nmodule.exports = new Agent()`, [
    'crash',
    'module.exports',
    'class',
  ]),
  js('an export under a name', `\nclass Agent { turn() { return [] } }\nmodule.exports = { Agent }`, [
    'crash',
    'module.exports',
    'Agent',
  ]),
  js('an arrow function', `\nmodule.exports = (view) => []`, ['crash', 'module.exports', 'arrow function']),
  js('a misspelt method', `\nmodule.exports = class {\n  trun() { return [] }\n}`, ['crash', 'turn(view)']),
  js('a module of Node', `\nconst fs = require('fs')\nmodule.exports = class { turn() { return [] } }`, [
    'crash',
    'line 1',
    'require',
    '.zip',
  ]),
  js('a timer', `\nmodule.exports = class {\n  turn() { setTimeout(() => 1, 5); return [] }\n}`, [
    'crash',
    'line 2',
    'setTimeout',
  ]),
  js('no return', `\nmodule.exports = class { turn() { [] } }`, ['invalid', 'undefined', '"return"']),
  js('an asynchronous turn', `\nmodule.exports = class { async turn() { return [] } }`, [
    'invalid',
    'promise',
    '"async"',
  ]),
  js('text for an answer', `\nmodule.exports = class { turn() { return 'pass' } }`, ['invalid', '"pass"', 'object']),
  js('a number for an answer', `\nmodule.exports = class { turn() { return 7 } }`, ['invalid', 7, 'object']),
  js('an action of no type', `\nmodule.exports = class { turn() { return [{ type: 'sell' }] } }`, [
    'invalid',
    'actions.0.type',
    '"sell"',
    'offer',
  ]),
  js(
    'a misspelt field',
    `\nmodule.exports = class { turn() { return [{ type: 'offer', predikate: ${relation}, price: 1 }] } }`,
    ['invalid', 'actions.0', '"predikate"', 'actions.0.predicate'],
  ),
  js(
    'a price that is not a number',
    `\nmodule.exports = class { turn() { return [{ type: 'offer', predicate: ${relation}, price: 0 / 0 }] } }`,
    ['invalid', 'actions.0.price', 'null', 'NaN'],
  ),
  js(
    'a price with a fraction',
    `\nmodule.exports = class { turn() { return [{ type: 'offer', predicate: ${relation}, price: 0.5 }] } }`,
    ['invalid', 'actions.0.price', 'whole number', 0.5],
  ),
  js(
    'a price in energy',
    `\nmodule.exports = class { turn() { return [{ type: 'offer', predicate: ${relation}, price: 2e9 }] } }`,
    ['invalid', 'actions.0.price', 2_000_000_000, 1_000_000_000],
  ),
  js('a circle', `\nmodule.exports = class { turn() { const a = []; a.push(a); return a } }`, ['invalid', 'JSON']),
  js(
    'a number too large for JSON',
    `\nmodule.exports = class { turn() { return [{ type: 'accept', challenge: 3n }] } }`,
    ['invalid', 'JSON', 'BigInt'],
  ),
  js(
    'a challenge that is not for sale',
    `\nmodule.exports = class { turn() { return [{ type: 'accept', challenge: 999 }] } }`,
    ['removed', 999],
  ),
  js('no offer although it must', `\nmodule.exports = class { turn() { return [] } }`, ['removed', 1]),
  js('a loop while loading', `\nwhile (true);`, ['timeout', 'loading', '2000 ms'], { slow: true }),
  js('a loop in its turn', `\nmodule.exports = class { turn() { for (;;); } }`, ['timeout', '1000 ms'], { slow: true }),
  ts(
    'an exception in its turn',
    `
interface View { market?: { offers: number[] } }

export default class Agent {
  turn(view: View): number[] {
    return view.market!.offers
  }
}`,
    ['crash', 'agent.ts', 'line 5', "'offers'"],
  ),
  ts('no default export', `\nexport class Agent { turn(): number[] { return [] } }`, [
    'crash',
    'module.exports',
    'Agent',
  ]),
  py(
    'an exception in its turn',
    `
from specker import play_specker

class Agent:
    def __init__(self, start):
        pass
    def turn(self, view):
        return view["market"]

play_specker(Agent)`,
    ['crash', 'agent.py', 'line 7', "KeyError: 'market'"],
  ),
  py('a syntax error', `\nfrom specker import play_specker\n\ndef turn(view)\n    return []\n`, [
    'crash',
    'agent.py',
    'line 3',
    'SyntaxError',
  ]),
  py('a module that is not there', `\nimport numpyx\n`, [
    'crash',
    'agent.py',
    'line 1',
    'ModuleNotFoundError',
    "'numpyx'",
  ]),
  py('a misspelt class', `\nfrom specker import play_specker\nclass Agent: pass\nplay_specker(Agnet)\n`, [
    'crash',
    'agent.py',
    'line 3',
    'NameError',
    "'Agnet'",
  ]),
  py(
    'a class without a turn',
    `\nfrom specker import play_specker\nclass Agent:\n    def __init__(self, start): pass\nplay_specker(Agent)\n`,
    ['crash', 'specker.py', 'AttributeError', "'turn'"],
  ),
  py('an end at once', `\nfrom specker import play_specker\nclass Agent: pass\n`, [
    'crash',
    'exit code 0',
    'main loop',
  ]),
  py('an end with a code', `\nimport sys\nsys.exit(3)\n`, ['crash', 'exit code 3']),
  py('a file that is not there', '', ['crash', 'bot.py', 'No such file'], {
    agentJson: { command: ['python3', 'bot.py'] },
  }),
  py('a command that is not there', '', ['crash', 'pyhton', '"python3"'], {
    agentJson: { command: ['pyhton', 'agent.py'] },
  }),
  py(
    'a printed line',
    `
from specker import Player, play_specker
class Agent(Player):
    def turn(self, view):
        print("thinking about it")
        return []
play_specker(Agent)`,
    ['protocol', 'thinking about it', 'sys.stderr'],
  ),
  py(
    'a dictionary that is printed as Python writes it',
    `
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print({"ready": True, "question": message["question"]}, flush=True)`,
    ['protocol', "{'ready': True", 'json.dumps'],
  ),
  py(
    'a message in several lines',
    `
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    print(json.dumps({"ready": True, "question": message["question"]}, indent=2), flush=True)`,
    ['protocol', 'one line'],
  ),
  py(
    'text for a list of actions',
    `
from specker import play_specker
class Agent:
    def __init__(self, start): pass
    def turn(self, view): return "pass"
play_specker(Agent)`,
    ['invalid', 'actions', 'list', '"pass"'],
  ),
  py(
    'a set, which JSON does not have',
    `
from specker import play_specker
class Agent:
    def __init__(self, start): pass
    def turn(self, view): return {1, 2}
play_specker(Agent)`,
    ['crash', 'tartaglia.py', 'TypeError', 'set'],
  ),
  py('silence', `\nimport sys\nfor line in sys.stdin: pass\n`, ['stall', 'flush=True'], { slow: true }),
  py('a loop while loading', `\nwhile True: pass\n`, ['timeout', '2000 ms'], { slow: true }),
]
