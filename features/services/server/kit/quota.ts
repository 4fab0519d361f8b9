import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { selectQuotaUsed, returnQuotaUse, takeQuotaUse } from './data-quota.ts'
import { requireServiceSpec } from './registry.ts'

export interface QuotaStatus {
  readonly allowed: number
  readonly used: number
  readonly left: number
}

/** Free uses of a service per user: allowed, used and remaining; zeros if there are none. */
export async function readQuotaStatus(deps: Deps, sql: Sql, { userId, service }: { readonly userId: string; readonly service: string }): Promise<QuotaStatus> {
  const quota = await requireServiceSpec(service).quota?.(deps, sql, userId)
  if (!quota) return { allowed: 0, used: 0, left: 0 }
  const used = await selectQuotaUsed(sql, userId, { service, period: quota.period })
  return { allowed: quota.allowed, used, left: Math.max(0, quota.allowed - used) }
}

/** Takes a free use, if one is left. The database counts, so concurrent calls never take the last one twice. */
export async function takeFreeUse(deps: Deps, tx: Tx, { userId, service }: { readonly userId: string; readonly service: string }): Promise<string | undefined> {
  const quota = await requireServiceSpec(service).quota?.(deps, tx, userId)
  if (!quota || quota.allowed <= 0) return undefined
  return (await takeQuotaUse(tx, userId, { service, period: quota.period, allowed: quota.allowed })) ? quota.period : undefined
}

export async function returnFreeUse(tx: Tx, userId: string, { service, period }: { readonly service: string; readonly period: string }): Promise<void> {
  await returnQuotaUse(tx, userId, { service, period })
}
