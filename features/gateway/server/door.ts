/** Queries about calls and keys for other features: the back office and cards. */
export { selectAffectedCalls } from './desk/data-affected.ts'
export type { AffectedCall, AffectedFilter } from './desk/data-affected.ts'
export { selectFirstCalls } from './desk/data-first-calls.ts'
export type { FirstCalls } from './desk/data-first-calls.ts'
export { selectCustomerKeys } from './keys/data.ts'
