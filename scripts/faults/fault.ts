export const FEATURES = ['wallet', 'payments', 'gateway', 'account', 'risk', 'notices', 'support', 'site', 'platform'] as const
export type Feature = (typeof FEATURES)[number]

/** A mistake that somebody could make: it type-checks and loads, and somebody pays for it. */
export interface Fault {
  readonly id: string
  readonly feature: Feature
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly put: string
  /** What a customer or the house would suffer. */
  readonly harm: string
  /** One to three test files, the cheapest that ought to notice. */
  readonly tests: readonly string[]
}
