import type { Clock } from '#platform/server/clock.ts'
import type { PageSources } from '#platform/server/feature.ts'
import type { CaptchaChallenge, CaptchaKind, RiskScene } from '../../contract.ts'
import type { RiskConfig } from '../config.ts'

export type { CaptchaChallenge, RiskScene, PageSources, RiskConfig }

export type CaptchaVerdict = 'good' | 'wrong' | 'expired' | 'used'

/** Run-time rules, read from the settings before each use. */
export interface CaptchaRules {
  /** Lifetime of a challenge in seconds. */
  readonly liveSeconds: number
  /** Average number of key derivations of a proof of work. */
  readonly effort: number
  /** Tolerance of the piece in CSS pixels, and the number of attempts. */
  readonly tolerance: number
  readonly tries: number
}

/** State of captchas between a challenge and its proof. Every method is one guarded statement. */
export interface CaptchaStore {
  /** Marks a proof as used; false if it already was. */
  spend(proof: string, until: Date): Promise<boolean>
  keepPuzzle(puzzle: { readonly id: string; readonly scene: RiskScene; readonly answer: Buffer; readonly until: Date }): Promise<void>
  /** Counts an attempt; undefined if the puzzle is unknown, expired or out of attempts. */
  tryPuzzle(id: string, now: Date, tries: number): Promise<{ readonly answer: Buffer; readonly triesLeft: number } | undefined>
  /** Marks the puzzle as solved: `proof` is valid until `until`. False if a concurrent attempt won. */
  passPuzzle(id: string, proof: string, until: Date): Promise<boolean>
  /** Consumes the proof of a solved puzzle. */
  spendPuzzle(scene: RiskScene, proof: string, now: Date): Promise<boolean>
}

export interface CaptchaDeps {
  readonly config: RiskConfig
  readonly clock: Clock
  /** The vendor's keys, derived from the installation's: the first one signs, all of them verify. */
  readonly keys: readonly Buffer[]
  readonly store: CaptchaStore
  readonly rules: CaptchaRules
}

/** `own`: the scene's chosen captcha; `way`: an alternative to it, which costs more work. */
export type CaptchaRole = 'own' | 'way'

export interface OpenCaptcha {
  challenge(scene: RiskScene, role: CaptchaRole): Promise<CaptchaChallenge>
  /**
   * Verifies a proof and spends it: of any number of concurrent calls with the same
   * proof, one is `good`. Throws `SupplierError` if the vendor gave no verdict.
   */
  verify(scene: RiskScene, proof: string, role: CaptchaRole): Promise<CaptchaVerdict>
  /** Puzzles only: makes one attempt. `proof` is set if it fits. */
  put?(id: string, x: number, trail: readonly (readonly [number, number])[]): Promise<{ readonly proof: string | undefined; readonly triesLeft: number }>
}

/** A vendor of captchas. */
export interface CaptchaVendor {
  readonly id: CaptchaKind
  /** True if the configuration has the vendor's credentials. */
  readonly offered: (config: RiskConfig) => boolean
  /** Hosts that its script contacts from the page. */
  readonly sources?: (config: RiskConfig) => PageSources
  readonly open: (deps: CaptchaDeps) => OpenCaptcha
}
