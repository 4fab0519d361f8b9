import type { Dialect, Trait } from '../hot/deps.ts'
import type { ShownVendor } from '../../contract-vendors.ts'
import type { UsageReport } from './report-port.ts'

export type { ShownVendor }
export type Traits = readonly Trait[]

/**
 * Names that frameworks still use by default, of models retired before we started, by their present-day model. `answered`: that
 * model answers and the answer says so, as for any retired one; it takes the same settings, is the vendor's own successor or in its
 * line, and costs no more. `named`: the refusal names it, because its answer would not do: vectors and scores of two models cannot
 * be compared.
 */
export interface OldModelNames {
  readonly answered?: Readonly<Record<string, readonly string[]>>
  readonly named?: Readonly<Record<string, readonly string[]>>
}

/** Result of looking up a call by our call id, at the sandbox or a vendor. */
export interface LookedUpCall {
  readonly known: boolean
  readonly finished: boolean
  readonly usage: Readonly<Record<string, unknown>> | undefined
  /** Dialect of the usage, if the vendor reports it. */
  readonly dialect?: Dialect | undefined
}

/** A model vendor as data and pure functions. The relay depends on dialects, never on vendors. */
export interface ModelVendor {
  readonly id: string
  /** Company name, for operators; page texts are in its shown.ts. */
  readonly label: string
  /** Label of the vendor that a sandbox vendor mocks. */
  readonly standsFor?: string
  readonly dialects: readonly Dialect[]
  /** Default base URL; anything compatible works through another one. */
  readonly baseUrl: string
  /** Names of the environment variables for key and base URL. */
  readonly env: { readonly key: string; readonly baseUrl: string }
  /** Credential headers for this vendor, lower-case name, value, ... */
  readonly authHeaders: (key: string) => readonly string[]
  /** True if the vendor bills the whole answer even after we disconnect; others stop at an abort. */
  readonly billsAfterAbort: boolean
  /** True if its tokens are counted by its own or a similar tokenizer; otherwise by a bound that holds for any. */
  readonly hasPublicTokenizer?: boolean
  readonly oldNames?: OldModelNames
  /** Differences of a model from others of its dialect; absent if there are none. */
  readonly traits?: (model: string) => Traits
  /** Header in which the vendor accepts our call id, for `lookup`. Only the sandbox has one: real vendors receive no unknown headers. */
  readonly callIdHeader?: string
  /** Present if the vendor can report a call's outcome; the sweeper uses it after a crash. */
  readonly lookup?: (baseUrl: string, key: string, callId: string) => Promise<LookedUpCall>
  /** Present if the vendor reports its bills; the daily comparison of books reads them. */
  readonly report?: UsageReport
}
