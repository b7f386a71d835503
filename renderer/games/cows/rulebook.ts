export { default as rulebook } from '../../../docs/games/cows-rules.md'
