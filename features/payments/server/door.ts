/** Payments' verbs for other features. */
export { rateNow } from './rate-now.ts'
