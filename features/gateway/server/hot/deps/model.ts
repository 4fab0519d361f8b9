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
  /** Headers of every answer: that it is deprecated, or that it answers for another. Name, value, ... */
  readonly notice?: readonly string[]
  /** The retired model whose calls this one answers: the caller named that one. */
  readonly answersFor?: string
  readonly prices: ModelPrices
  /** Routes of the model, best first. Never empty for an active model. */
  readonly routes: readonly Route[]
}

export interface Route {
  readonly upstream: UpstreamServer
  /** The model's name at that upstream. */
  readonly upstreamModel: string
  /** Lower goes first, and lists are in this order; routes of one rank share by weight. 0 and 1 where absent. */
  readonly rank?: number
  readonly weight?: number
  /** Subset of the model's dialects that it serves; defaults to all. */
  readonly dialects?: ReadonlySet<Dialect>
  /** Milliseconds to wait for the head, and between the bytes of the body, where they are not the usual ones. */
  readonly firstByteMs?: number
  readonly betweenMs?: number
}
