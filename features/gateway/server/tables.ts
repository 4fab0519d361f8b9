/** Rows of the tables, as the driver returns them. Generated from the migrated schema by `npm run db:types`; do not edit. */

export interface GatewayAlertSettingsRow {
  readonly userId: string
  readonly lowBalance: bigint | null
  readonly lowTold: boolean
  readonly webhookUrl: string | null
  readonly webhookSecret: Buffer | null
  readonly updatedAt: Date
}

export interface GatewayBookDaysRow {
  readonly day: Date
  readonly charged: bigint
  readonly posted: bigint
  readonly received: bigint
  readonly paidBack: bigint
  readonly sums: bigint
  readonly captured: bigint
  readonly unread: readonly string[]
  readonly alarms: readonly string[]
  readonly comparedAt: Date
}

export interface GatewayBooksRow {
  readonly day: Date
  readonly vendor: string
  readonly model: string
  readonly ourCalls: bigint
  readonly ourInput: bigint
  readonly ourCached: bigint
  readonly ourOutput: bigint
  readonly ourCharge: bigint
  readonly estimatedCalls: bigint
  readonly theirCalls: bigint | null
  readonly theirInput: bigint | null
  readonly theirCached: bigint | null
  readonly theirOutput: bigint | null
  readonly theirCost: bigint | null
  readonly revision: number
  readonly firstAt: Date
  readonly changedAt: Date
}

export interface GatewayBudgetAlertsRow {
  readonly keyId: string
  readonly period: 'day' | 'month'
  readonly starts: Date
  readonly threshold: number
  readonly toldAt: Date
}

export interface GatewayBudgetRefusalsRow {
  readonly keyId: string
  readonly period: 'day' | 'month'
  readonly starts: Date
}

export interface GatewayCallsRow {
  readonly callId: string
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly keyId: string
  readonly userId: string
  readonly model: string
  readonly upstream: string
  readonly priceVersion: bigint
  readonly held: bigint
  readonly node: string
  readonly startedAt: Date
  readonly askedModel: string
}

export interface GatewayCorrectionsRow {
  readonly accountId: bigint
  readonly callId: string
  readonly no: number
  readonly at: Date
  readonly startedAt: Date
  readonly leaseId: bigint
  readonly cause: 'node' | 'vendor' | 'operator'
  readonly by: string
  readonly amountBefore: bigint
  readonly amountAfter: bigint
  readonly before: unknown
  readonly xact: string
}

export interface GatewayDeadLettersRow {
  readonly id: bigint
  readonly at: Date
  readonly callId: string
  readonly kind: string
  readonly reason: string
  readonly payload: unknown
  readonly resolvedAt: Date | null
}

export interface GatewayFailedTriesRow {
  readonly callId: string
  readonly accountId: bigint
  readonly no: number
  readonly upstream: string
  readonly status: number
  readonly cause: 'refused' | 'timeout' | 'connection'
  readonly fromMs: number
  readonly ms: number
  readonly at: Date
}

export interface GatewayForwardsRow {
  readonly userId: string
  readonly keyId: string
  readonly madeAt: Date
}

export interface GatewayKeyMinutesRow {
  readonly keyId: string
  readonly second: bigint
  readonly requests: readonly number[]
  readonly tokens: readonly string[]
}

export interface GatewayKeySecretsRow {
  readonly secretHash: Buffer
  readonly keyId: string
  readonly kind: 'old' | 'test'
  readonly last4: string
  readonly madeAt: Date
  readonly endsAt: Date
  readonly calls: bigint
  readonly lastUsedAt: Date | null
}

export interface GatewayKeysRow {
  readonly keyId: string
  readonly userId: string
  readonly accountId: bigint
  readonly name: string
  readonly secretHash: Buffer
  readonly last4: string
  readonly requestHash: Buffer | null
  readonly onDisconnect: 'abort' | 'drain'
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
  readonly deletedAt: Date | null
  readonly expiresAt: Date | null
  readonly models: readonly string[] | null
  readonly networks: readonly string[] | null
  readonly requestsMinute: number | null
  readonly tokensMinute: bigint | null
  readonly callsAtOnce: number | null
  readonly dayBudget: bigint | null
  readonly monthBudget: bigint | null
  readonly disabledAt: Date | null
  readonly lastModel: string | null
  readonly lastFrom: string | null
  readonly pausedAt: Date | null
  readonly pausedReason: string | null
  readonly pausedBy: string | null
}

export interface GatewayLeasesRow {
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly node: string
  readonly drawnAt: Date
  readonly lookedAt: Date | null
}

export interface GatewayMadeIdsRow {
  readonly id: string
  readonly accountId: bigint
  readonly madeAt: Date
}

export interface GatewayModelNoticesRow {
  readonly modelId: string
  readonly userId: string
  readonly toldAt: Date
}

export interface GatewayModelsRow {
  readonly modelId: string
  readonly vendor: string
  readonly name: string
  readonly kind: 'chat' | 'embedding' | 'realtime' | 'image' | 'speech' | 'transcription' | 'moderation' | 'rerank'
  readonly dialects: readonly string[]
  readonly capabilities: readonly string[]
  readonly contextTokens: number | null
  readonly maxOutputTokens: number | null
  readonly releasedOn: Date | null
  readonly deprecatedOn: Date | null
  readonly retiresOn: Date | null
  readonly successor: string | null
  readonly aliases: readonly string[]
  readonly position: number
  readonly shown: boolean
}

export interface GatewayNodesRow {
  readonly node: string
  readonly startedAt: Date
  readonly beatAt: Date
  readonly deadAt: Date | null
}

export interface GatewayPriceDropsRow {
  readonly version: bigint
  readonly at: Date
  readonly byOperator: string
}

export interface GatewayPriceNoticesRow {
  readonly source: string
  readonly userId: string
  readonly toldAt: Date
  readonly takenBackAt: Date | null
}

export interface GatewayPriceTermsRow {
  readonly id: bigint
  readonly userId: string
  readonly modelId: string | null
  readonly validFrom: Date
  readonly millionths: number
  readonly title: string
  readonly rises: boolean
  readonly madeBy: string
  readonly madeAt: Date
  readonly droppedAt: Date | null
  readonly droppedBy: string | null
}

export interface GatewayPricesRow {
  readonly version: bigint
  readonly modelId: string
  readonly validFrom: Date
  readonly classes: readonly string[]
  readonly longAbove: number | null
  readonly longClasses: readonly string[] | null
  readonly source: string
  readonly createdAt: Date
  readonly factors: readonly string[] | null
  readonly ofVersion: bigint | null
  readonly millionths: number | null
}

export interface GatewayReadOnRow {
  readonly accountId: bigint
  readonly callId: string
  readonly estimated: bigint
  readonly billed: bigint
  readonly notedAt: Date
}

export interface GatewayRefusedRow {
  readonly accountId: bigint
  readonly at: Date
  readonly id: string
  readonly keyId: string
  readonly cause: string
  readonly status: number
  readonly surface: 'openai' | 'anthropic' | 'gemini'
  readonly path: string
  readonly model: string
  readonly asked: string
  readonly message: string
  readonly field: string | null
  readonly totalMs: number
}

export interface GatewayRefusedHoursRow {
  readonly accountId: bigint
  readonly hour: Date
  readonly keyId: string
  readonly model: string
  readonly calls: bigint
  readonly kept: bigint
}

export interface GatewayRoutesRow {
  readonly modelId: string
  readonly upstreamId: string
  readonly upstreamModel: string
  readonly priority: number
  readonly weight: number
  readonly costBp: number
  readonly dialects: readonly string[] | null
  readonly firstByteMs: number | null
  readonly betweenMs: number | null
}

export interface GatewaySweptRow {
  readonly accountId: bigint
  readonly callId: string
  readonly startedAt: Date
  readonly leaseId: bigint
  readonly node: string
  readonly basis: 'vendor' | 'none' | 'hold'
  readonly amount: bigint
  readonly sweptAt: Date
  readonly askedAt: Date
  readonly resolvedBy: 'node' | 'vendor' | 'operator' | null
  readonly resolvedAt: Date | null
}

export interface GatewayTakesRow {
  readonly callId: string
  readonly keyId: string
  readonly node: string
  readonly takenAt: Date
  readonly day: Date
  readonly held: bigint
  readonly tokens: bigint
  readonly second: bigint
}

export interface GatewayTestCallsRow {
  readonly testId: string
  readonly upstreamId: string
  readonly modelId: string
  readonly upstreamModel: string
  readonly dialect: string
  readonly costBp: number
  readonly state: 'waiting' | 'calling' | 'done' | 'failed' | 'unknown'
  readonly askedBy: string
  readonly askedAt: Date
  readonly calledAt: Date | null
  readonly endedAt: Date | null
  readonly status: number | null
  readonly latencyMs: number | null
  readonly answer: string
  readonly inputTokens: bigint | null
  readonly cachedTokens: bigint | null
  readonly outputTokens: bigint | null
  readonly cost: bigint | null
  readonly mostInput: bigint | null
  readonly mostOutput: bigint | null
  readonly held: bigint | null
}

export interface GatewayUnpostedRow {
  readonly id: bigint
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly model: string | null
  readonly keyId: string | null
  readonly calls: bigint | null
  readonly tokens: bigint | null
  readonly amount: bigint
  readonly hour: Date | null
  readonly failed: bigint | null
  readonly largest: bigint | null
}

export interface GatewayUnsummedRow {
  readonly accountId: bigint
  readonly hour: Date
  readonly model: string
  readonly keyId: string
  readonly calls: bigint
  readonly tokens: bigint
  readonly amount: bigint
  readonly failed: bigint
  readonly largest: bigint
}

export interface GatewayUpstreamKeysRow {
  readonly keyId: string
  readonly upstreamId: string
  readonly sealed: Buffer | null
  readonly last4: string
  readonly addedBy: string
  readonly addedAt: Date
  readonly retiredBy: string | null
  readonly retiredAt: Date | null
}

export interface GatewayUpstreamsRow {
  readonly upstreamId: string
  readonly vendor: string
  readonly baseUrl: string
  readonly credentialEnv: string
  readonly billsAfterAbort: boolean | null
  readonly concurrent: number | null
  readonly perMinute: number | null
  readonly queueLength: number
  readonly queueMs: number
  readonly firstByteMs: number | null
  readonly betweenMs: number | null
  readonly state: 'active' | 'draining' | 'off'
  readonly createdAt: Date
}

export interface GatewayUsageRow {
  readonly callId: string
  readonly startedAt: Date
  readonly settledAt: Date
  readonly leaseId: bigint
  readonly accountId: bigint
  readonly userId: string
  readonly keyId: string
  readonly model: string
  readonly upstream: string
  readonly priceVersion: bigint
  readonly dialect: string
  readonly stream: boolean
  readonly status: number
  readonly outcome: string
  readonly provenance: string
  readonly amount: bigint
  readonly inputTokens: bigint
  readonly cachedTokens: bigint
  readonly outputTokens: bigint
  readonly reasoningTokens: bigint
  readonly lines: readonly string[]
  readonly requestId: string
  readonly upstreamRequestId: string
  readonly firstByteMs: number
  readonly totalMs: number
  readonly askedModel: string
}

export interface GatewayUsageChecksRow {
  readonly day: Date
  readonly checkedAt: Date
  readonly calls: bigint
  readonly amount: bigint
  readonly faults: number
}

export interface GatewayUsageDaysRow {
  readonly accountId: bigint
  readonly day: Date
  readonly model: string
  readonly keyId: string
  readonly calls: bigint
  readonly tokens: bigint
  readonly amount: bigint
  readonly failed: bigint
  readonly largest: bigint
}

export interface GatewayUsageHoursRow {
  readonly accountId: bigint
  readonly hour: Date
  readonly model: string
  readonly keyId: string
  readonly calls: bigint
  readonly tokens: bigint
  readonly amount: bigint
  readonly failed: bigint
  readonly largest: bigint
}

export interface GatewayWebhooksRow {
  readonly id: string
  readonly userId: string
  readonly event: string
  readonly body: string
  readonly state: 'waiting' | 'sent' | 'failed'
  readonly attempts: number
  readonly problem: string | null
  readonly createdAt: Date
  readonly endedAt: Date | null
}
