export { default as rulebook } from '../../../docs/games/specker-rules.md'
