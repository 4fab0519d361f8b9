import type { Clock } from '#platform/server/clock.ts'
import type { PageSources } from '#platform/server/feature.ts'
import type { CaptchaChallenge, CaptchaKind, CaptchaScene } from '../../contract.ts'
import type { RiskConfig } from '../config.ts'

export type { CaptchaChallenge, CaptchaScene, PageSources, RiskConfig }

export type CaptchaVerdict = 'good' | 'wrong' | 'expired' | 'used'

/** Run-time rules, read from the settings before each use. */
export interface CaptchaRules {
  /** Seconds that a challenge can be solved. */
  readonly liveSeconds: number
  /** Key derivations that a proof of work takes on average. */
  readonly effort: number
  /** CSS pixels that a piece may be off, and how often it may be put. */
  readonly tolerance: number
  readonly tries: number
}

/** What a vendor remembers between a challenge and its proof. Every method is one guarded statement. */
export interface CaptchaStore {
  /** Marks a proof as used; false when it already was. */
  spend(proof: string, until: Date): Promise<boolean>
  keepPuzzle(puzzle: { readonly id: string; readonly scene: CaptchaScene; readonly answer: Buffer; readonly until: Date }): Promise<void>
  /** Counts one try; undefined when unknown, over, or tried too often. */
  tryPuzzle(id: string, now: Date, tries: number): Promise<{ readonly answer: Buffer; readonly triesLeft: number } | undefined>
  /** The puzzle is solved: from now on `proof` stands for it until `until`. False when another try was quicker. */
  passPuzzle(id: string, proof: string, until: Date): Promise<boolean>
  /** Uses up the proof of a solved puzzle. */
  spendPuzzle(scene: CaptchaScene, proof: string, now: Date): Promise<boolean>
}

export interface CaptchaDeps {
  readonly config: RiskConfig
  readonly clock: Clock
  /** Keys of this vendor's own, derived from the installation's: the first one makes, all of them prove. */
  readonly keys: readonly Buffer[]
  readonly store: CaptchaStore
  readonly rules: CaptchaRules
}

/** `own`: the scene's chosen captcha; `way`: the way around another one, which costs more. */
export type CaptchaRole = 'own' | 'way'

export interface OpenCaptcha {
  challenge(scene: CaptchaScene, role: CaptchaRole): Promise<CaptchaChallenge>
  /**
   * Checks a proof and uses it up: of any number of parallel calls with the same proof one is `good`.
   * Throws `SupplierError` where the vendor gave no verdict.
   */
  verify(scene: CaptchaScene, proof: string, role: CaptchaRole): Promise<CaptchaVerdict>
  /** Puzzles only: one try. `proof` is set when it fits. */
  put?(id: string, x: number, trail: readonly (readonly [number, number])[]): Promise<{ readonly proof: string | undefined; readonly triesLeft: number }>
}

/** A way to tell a person from a program. */
export interface CaptchaVendor {
  readonly id: CaptchaKind
  /** Whether it can work with this configuration. */
  readonly offered: (config: RiskConfig) => boolean
  /** Hosts that its script reaches from the page. */
  readonly sources?: (config: RiskConfig) => PageSources
  readonly open: (deps: CaptchaDeps) => OpenCaptcha
}
