export * from './messages.ts'
export { printSkeleton } from './messages.ts'
export { readMessage, readSkeleton, type Reading } from './read.ts'
