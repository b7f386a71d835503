/** An agent whose turn is `offer`, with `more` around it. */
export const agent = (offer: string, more = ''): string =>
  `${more}\nmodule.exports = class { constructor(me, counts, values) { this.counts = counts; this.values = values }
  offer(offered) { ${offer} } }`

const leave = 'const give = this.counts.map((n) => n >> 1);'
/** Scripts that play by the rules, whatever the seed. */
export const honest: Readonly<Record<string, string>> = {
  half: agent(`${leave} return offered?.some((n) => n > 0) ? undefined : give`),
  greedy: agent(
    'return offered === undefined ? this.counts : offered.every((n, i) => n >= this.counts[i] / 2) ? undefined : this.counts',
  ),
  dice: agent(
    'return Math.random() < 0.3 && offered ? undefined : this.counts.map((n) => Math.floor(Math.random() * (n + 1)))',
  ),
}

/**
 * Their actions, and the fault of each in every match in which it is asked; null: none, what it tried came to
 * nothing, or spoils its own offers alone and the rules end the session.
 */
export const villains: Readonly<Record<string, readonly [source: string, fault: string | null]>> = {
  spins: [agent('for (;;);'), 'timeout'],
  'spins in microtasks': [
    agent('(function again() { Promise.resolve().then(again) })(); return this.counts'),
    'timeout',
  ],
  explodes: [agent('return /^(a+)+$/.test("a".repeat(60) + "b") ? 1 : 2'), 'timeout'],
  hoards: [agent('const all = []; for (;;) all.push(new Uint8Array(1e6).fill(1))'), 'memory'],
  'grows webassembly': [
    agent(
      'for (;;) hoard.push(new WebAssembly.Memory({ initial: 256 }).buffer), new Uint8Array(hoard.at(-1)).fill(1)',
      'const hoard = []',
    ),
    'memory',
  ],
  floods: [agent('for (let n = 0; n < 1e5; n++) console.log("\\x1b[2J<script>".repeat(10)); return this.counts'), null],
  'returns too much': [agent('return "x".repeat(4e6)'), 'protocol'],
  'walks out by import': [
    agent(
      'return out ? [out("return process")().exit(0)] : this.counts',
      'let out; import("x").catch((e) => { try { e.constructor.constructor("return process")(); out = e.constructor.constructor } catch {} })',
    ),
    null,
  ],
  'walks out by stack': [
    agent(
      'new Error().stack; return this.counts',
      'Error.prepareStackTrace = (e, sites) => { for (const s of sites) try { s.getThis().process.exit(0) } catch {} try { sites[0].getFunction().constructor("return process")().exit(0) } catch {} }',
    ),
    null,
  ],
  'tricks with proxies': [
    agent(
      'return new Proxy([], { get: (t, k, r) => { try { r.constructor.constructor("return process")().exit(0) } catch {} return t[k] }, ownKeys: () => { throw 1 } })',
    ),
    null,
  ],
  'changes the language': [
    agent(
      'return this.counts',
      'JSON.stringify = () => "evil"; Array.prototype.map = () => { throw 1 }; Object.prototype.toJSON = () => "evil"; Promise.prototype.then = () => { for (;;); }',
    ),
    null,
  ],
  'lives on': [
    agent(
      'return this.counts',
      'const r = new FinalizationRegistry(() => { for (;;); }); for (let n = 0; n < 1e4; n++) r.register({}, n); Promise.resolve().then(function again() { return new Promise(() => {}).then(again) })',
    ),
    'crash',
  ],
  'waits for ever': [
    agent('Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); return this.counts'),
    // Agents have no such wait: it throws.
    'crash',
  ],
  'does not load': ['for (;;);', 'timeout'],
}
