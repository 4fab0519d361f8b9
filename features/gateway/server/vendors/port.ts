import type { Dialect, Trait } from '../hot/deps.ts'
import type { ShownVendor } from '../../contract-vendors.ts'
import type { UsageReport } from './report-port.ts'

export type { ShownVendor }
export type Traits = readonly Trait[]

/**
 * Names that frameworks still ask for by default, of models that were gone before this host began; by the model of today that each leads to.
 * `answered`: by that model, and the answer says so, as for any retired one. It takes the same settings, is the vendor's own successor or stands in its line, and costs no more.
 * `named`: where its answer would not do, as vectors and scores of two models cannot be compared, the refusal names it.
 */
export interface OldNames {
  readonly answered?: Readonly<Record<string, readonly string[]>>
  readonly named?: Readonly<Record<string, readonly string[]>>
}

/** What the sandbox or a vendor can say afterwards about a call, by our own call id. */
export interface LookedUpCall {
  readonly known: boolean
  readonly finished: boolean
  readonly usage: Readonly<Record<string, unknown>> | undefined
  /** In whose form the usage is, where the vendor can say so. */
  readonly dialect?: Dialect | undefined
}

/**
 * A model vendor as data and pure functions. The relay knows dialects, never vendors.
 */
export interface ModelVendor {
  readonly id: string
  /** The company, for operators; what pages say stands in its shown.ts. */
  readonly label: string
  /** Of a stand-in: the label of the vendor that it plays. */
  readonly standsFor?: string
  readonly dialects: readonly Dialect[]
  /** Default base URL; anything compatible works by another one. */
  readonly baseUrl: string
  /** Environment names of key and base URL. */
  readonly env: { readonly key: string; readonly baseUrl: string }
  /** Credential headers for this vendor, lower-case name, value, ... */
  readonly authHeaders: (key: string) => readonly string[]
  /** Bills the whole answer even when we leave; others stop at an abort. */
  readonly billsAfterAbort: boolean
  /** Its tokens are counted by its own tokenizer, or one near it; without, by a bound that holds for any. */
  readonly hasPublicTokenizer?: boolean
  readonly oldNames?: OldNames
  /** How a model differs from others of its dialect; none where absent. */
  readonly traits?: (model: string) => Traits
  /** Header in which the vendor accepts our call id, for `lookup`. Only the sandbox has one: real vendors get nothing unknown. */
  readonly callIdHeader?: string
  /** Present where the vendor can be asked what became of a call; the sweeper uses it after a crash. */
  readonly lookup?: (baseUrl: string, key: string, callId: string) => Promise<LookedUpCall>
  /** Present where the vendor tells what it billed; the daily comparison of books reads it. */
  readonly report?: UsageReport
}
