import type { ScriptApi } from '../../contract/game/game.ts'

/**
 * A script exports `robber(game)` and `cop(game)`, and may export `name` and `starts` (`cop-foot` or `cop-car`). Each is called when the
 * map is known, with `{ name, robber, cops, nodes, edges }`, and returns an object of methods: `move` and what it wants of `inform`,
 * `plan`, `vote` and, in the second rule set, `bribe`. A method that is missing, or returns undefined, says nothing:
 * no informs, no plan, the ballot in the order of the plans, no bribe.
 */
export const script: ScriptApi = {
  methods: ['robber', 'cop'],
  nodeGlobals: true,
  adapter: `(() => {
  const { apply, getPrototypeOf } = Reflect
  const PromisePrototype = Promise.prototype
  const isPromise = (value) => typeof value === 'object' && value !== null && getPrototypeOf(value) === PromisePrototype
  const form = 'module.exports must have the functions robber(game) and cop(game); write "module.exports = { robber: () => ({ move: (world) => LOC }), cop: () => ({ move: (winner) => ({ loc: LOC, ptype: \\'cop-foot\\' }) }) }"'
  return (exported, log) => {
    if (exported === null || exported === undefined || (typeof exported.robber !== 'function' && typeof exported.cop !== 'function')) return form
    let role = 'cop'
    let agent = {}
    let name = ''
    let world = null
    let promise = null
    const call = (method, args) => {
      const own = agent[method]
      const value = typeof own === 'function' ? apply(own, agent, args) : undefined
      if (isPromise(value)) promise = value
      return value
    }
    const must = (value) => {
      if (value === undefined || value === null) throw new Error('the ' + role + ' has no method move, or it returned nothing')
      if (typeof value !== 'object' && !(role === 'robber' && typeof value === 'string'))
        throw new Error('move of the ' + role + ' returned a ' + typeof value + '; expected ' + (role === 'robber' ? 'the name of a location, or { loc }' : '{ loc, ptype }'))
      return value
    }
    const list = (value) => (value === undefined || value === null ? [] : value)
    const isDirty = () => {
      const { dirty } = world.twist
      for (let at = 0; at < dirty.length; at += 1) if (dirty[at] === name) return true
      return false
    }
    const orders = (value) => {
      const { loc, ptype, moves, market, accuse } = must(value)
      const own = moves === undefined ? [{ bot: name, loc, ptype }] : moves
      if (isDirty()) return { type: 'orders', market: null, moves: own, accuse: [] }
      return { type: 'orders', market: market === undefined ? 'straight-arrow' : market, moves: own, accuse: list(accuse) }
    }
    const robberMove = (value) => {
      const move = must(value)
      return typeof move === 'string' ? { loc: move } : move
    }
    const respond = (message) => {
      switch (message.type) {
        case 'register': {
          role = message.role
          if (typeof exported[role] !== 'function') throw new Error('module.exports has no function ' + role + '(game)')
          const bot = typeof exported.name === 'string' ? exported.name : role === 'cop' ? 'Cop' : 'Robber'
          const starts = exported.starts === undefined ? 'cop-foot' : exported.starts
          return { type: 'register', bot, ptype: role === 'cop' ? starts : 'robber' }
        }
        case 'skeleton': {
          name = message.name
          const { robber, cops, nodes, edges } = message
          agent = apply(exported[role], exported, [{ name, robber, cops, nodes, edges }])
          if (agent === null || typeof agent !== 'object') throw new Error(role + '(game) must return an object with a method move')
          return undefined
        }
        case 'world': {
          world = message
          if (message.asks === 'move') return { type: 'move', loc: robberMove(call('move', [world])).loc, ptype: 'robber' }
          return message.asks === 'inform' ? { type: 'inform', informs: list(call('inform', [world])) } : undefined
        }
        case 'informs':
          return { type: 'plan', plan: list(call('plan', [message.from, world])) }
        case 'plans': {
          const vote = call('vote', [message.from, world])
          if (vote !== undefined && vote !== null) return { type: 'vote', ballot: vote }
          const ballot = []
          for (let at = 0; at < message.from.length; at += 1) ballot[at] = message.from[at].bot
          return { type: 'vote', ballot }
        }
        case 'tally': {
          if (message.asks === 'bribe') return { type: 'bribe', asks: call('bribe', [message.winner, world]) === true }
          if (message.asks === 'orders') return orders(call('move', [message.winner, world]))
          if (message.asks !== 'move') return undefined
          const { loc, ptype } = must(call('move', [message.winner, world]))
          return { type: 'move', loc, ptype }
        }
        case 'offers': {
          const { loc, push, choose } = robberMove(call('move', [world, message.bots]))
          return {
            type: 'robber-orders',
            move: { bot: name, loc, ptype: 'robber' },
            push: push === undefined ? null : push,
            choose: choose === undefined ? null : choose,
          }
        }
        default:
          return undefined
      }
    }
    // An answer made of a promise would look like one with missing parts.
    return (message) => {
      promise = null
      const answer = respond(message)
      return promise ?? answer
    }
  }
})()`,
}
