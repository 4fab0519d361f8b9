import type { ModelPrices } from './prices.ts'
import type { Dialect, ModelKind, Trait, VendorId } from './names.ts'
import type { UpstreamServer } from './upstream.ts'

export interface GatewayModel {
  readonly id: string
  readonly vendor: VendorId
  readonly displayName: string
  readonly kind: ModelKind
  readonly dialects: ReadonlySet<Dialect>
  readonly capabilities: readonly string[]
  readonly traits?: ReadonlySet<Trait>
  readonly contextTokens: number | undefined
  readonly maxOutputTokens: number | undefined
  /** Unix seconds. */
  readonly createdAt: number
  readonly lifecycle: 'active' | 'deprecated' | 'retired'
  readonly deprecatedAt: number | undefined
  readonly retiresAt: number | undefined
  readonly successor: string | undefined
  /** Headers of every answer: deprecation, or replacement of another model. Names and values alternating. */
  readonly notice?: readonly string[]
  /** The retired model, named by the caller, whose calls this one answers. */
  readonly answersFor?: string
  readonly prices: ModelPrices
  /** Routes of the model, best first. Never empty for an active model. */
  readonly routes: readonly Route[]
}

export interface Route {
  readonly upstream: UpstreamServer
  /** The model's name at that upstream. */
  readonly upstreamModel: string
  /** Lower ranks first, in list order; routes of one rank share by weight. Defaults to 0 and 1. */
  readonly rank?: number
  readonly weight?: number
  /** Subset of the model's dialects that it serves; defaults to all. */
  readonly dialects?: ReadonlySet<Dialect>
  /** Milliseconds to wait for the head, and between the bytes of the body, if different from the defaults. */
  readonly firstByteMs?: number
  readonly betweenMs?: number
}
