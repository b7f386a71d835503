import { js, python, ts, type Mistake } from './mistake.ts'

const py = python('cops')
const robber = { seat: 0 } as const
const cop = { seat: 1 } as const
const me = 'world.players.find(({ bot }) => bot === name)'
const playing = ({ robber = `${me}.loc`, cop = `({ loc: ${me}.loc, ptype: ${me}.ptype })`, before = '' }): string => `
const robber = ({ name }) => ({
  move: ${before}(world) => {
    return ${robber}
  },
})
const cop = ({ name }) => ({
  move: ${before}(winner, world) => {
    return ${cop}
  },
})
module.exports = { name: 'Fox', robber, cop }`
const driving = (loc: string): string => `
from cops import play_cops
class Robber:
    def __init__(self, game): self.name = game["name"]
    def move(self, world, offers=None):
        return ${loc}
class Cop(Robber): pass
play_cops("Fox", "cop-foot", Robber, Cop)`

export const copsMistakes: readonly Mistake[] = [
  js('an exception of the robber', playing({ robber: 'world.nodes[0].loc' }), ['crash', 'line 3', "'0'"], robber),
  js('an exception of a cop', playing({ cop: 'winner.plan.loc' }), ['crash', 'line 8', 'TypeError'], cop),
  js('a robber that moves by a number', playing({ robber: '5' }), ['crash', 'robber', 'number', '{ loc }'], robber),
  js('a cop that moves by a name', playing({ cop: `${me}.loc` }), ['crash', 'cop', 'string', '{ loc, ptype }'], cop),
  js(
    'a robber without a move',
    `\nmodule.exports = { robber: () => ({}), cop: () => ({}) }`,
    ['crash', 'robber', 'move'],
    robber,
  ),
  js('a cop without a type', playing({ cop: `({ loc: ${me}.loc })` }), ['invalid', 'ptype', 'missing'], cop),
  js('a corner that is not a text', playing({ robber: '{ loc: 0 / 0 }' }), ['invalid', 'loc'], robber),
  js(
    'a type that does not exist',
    playing({ cop: `({ loc: ${me}.loc, ptype: 'cop-bike' })` }),
    ['invalid', 'ptype', '"cop-bike"', '"cop-foot"'],
    cop,
  ),
  js('a corner that does not exist', playing({ robber: `'nowhere'` }), ['removed', 'nowhere'], robber),
  js('a promise', playing({ before: 'async ' }), ['invalid', 'promise', '"async"'], cop),
  js('no robber', `\nmodule.exports = { cop: () => ({ move: () => 1 }) }`, ['crash', 'robber(game)'], robber),
  js('nothing exported', `\nconst robber = () => ({})`, ['crash', 'module.exports', 'robber(game)', 'cop(game)'], cop),
  ts(
    'an exception of a cop',
    `
interface Game { name: string, banks?: string[] }
const cop = (game: Game) => ({ home: game.banks![0], move: () => 1 })
const robber = cop
module.exports = { robber, cop }`,
    ['crash', 'agent.ts', 'line 2', "'0'"],
    cop,
  ),
  py(
    'an exception of the robber',
    driving('world["nodes"]'),
    ['crash', 'agent.py', 'line 5', "KeyError: 'nodes'"],
    robber,
  ),
  py('no return of the robber', driving('None'), ['crash', 'cops.py', 'TypeError', 'robber', 'corner', 'None'], robber),
  py(
    'a cop that moves by a name',
    driving('"somewhere"'),
    ['crash', 'cops.py', 'TypeError', 'cop', "'ptype'", "'somewhere'"],
    cop,
  ),
  py('a printed line', `\nprint("Fox is ready")\n${driving('"x"')}`, ['protocol', 'Fox is ready', 'sys.stderr'], cop),
  py('an end at once', `\nimport cops\n`, ['crash', 'exit code 0', 'main loop'], cop),
  py('silence', `\nimport sys\nfor line in sys.stdin: pass\n`, ['stall', 'reg: Fox robber', 'flushed'], {
    ...robber,
    slow: true,
    orKind: 'timeout',
  }),
]
