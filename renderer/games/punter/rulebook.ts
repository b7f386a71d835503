export { default as rulebook } from '../../../docs/games/punter-rules.md'
