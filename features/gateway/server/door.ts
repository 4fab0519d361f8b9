/** Queries about calls for other features: the back office and cards. */
export { affectedCalls } from './desk/data-affected.ts'
export type { AffectedCall, AffectedFilter } from './desk/data-affected.ts'
export { firstCalls } from './desk/data-first-calls.ts'
export type { FirstCalls } from './desk/data-first-calls.ts'
