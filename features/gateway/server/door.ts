/** The gateway's verbs for the back office. */
export { affectedCalls } from './desk/data-affected.ts'
export type { AffectedCall, AffectedFilter } from './desk/data-affected.ts'
