export { default as rulebook } from '../../../docs/games/cops-rules.md'
