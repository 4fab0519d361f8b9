export const FAULT_FEATURES = ['wallet', 'payments', 'gateway', 'account', 'risk', 'notices', 'support', 'site', 'platform'] as const
export type FaultFeature = (typeof FAULT_FEATURES)[number]

/** A plausible mistake that type-checks and loads, but does harm. */
export interface InjectedFault {
  readonly id: string
  readonly feature: FaultFeature
  readonly file: string
  /** Must occur exactly once in the file. */
  readonly find: string
  readonly put: string
  /** The harm to a customer or to us. */
  readonly harm: string
  /** One to three test files, the cheapest that should catch it. */
  readonly tests: readonly string[]
}
