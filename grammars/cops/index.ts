export * from './messages.ts'
export { printSkeleton } from './print.ts'
export { readMessage, readSkeleton, type Reading } from './read.ts'
