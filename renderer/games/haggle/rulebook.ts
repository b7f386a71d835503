export { default as rulebook } from '../../../docs/games/haggle-rules.md'
