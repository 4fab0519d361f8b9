import { planRetry } from '#platform/shared/suppliers/supplier-retry.ts'
import type { RetryPlan } from '#platform/shared/suppliers/supplier-retry.ts'
import { retryableError, unknownError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { countEvent } from '../metrics.ts'
import type { Row } from '../database/db.ts'
import type { QuerySql } from './data-faults.ts'

/** The subject of a pending supplier call: `withdrawal:W…`, `refund:R…`, `service:srv_…`. Operators find the call by it. */
export interface SupplierCallSubject {
  readonly subject: string
  readonly port: string
  readonly supplier: string
  readonly operation: string
  /** The supplier's own final time, after which its answer no longer changes. */
  readonly finalAt?: Date
}

interface WaitRow extends Row {
  readonly tries: number
  readonly since: Date
  readonly now: Date
  readonly workAt: Date | null
}

/**
 * Records that a call had no clear response, and returns when to call or query again. The only place where retries end and queries become a
 * work item. An `unknown` stays `unknown` however often a later query fails: only an answer, or `clearWait`, ends it.
 */
export async function recordWait(sql: QuerySql, call: SupplierCallSubject, error: SupplierError): Promise<RetryPlan> {
  if (error.kind === 'rejected') throw new Error(`${call.subject} was rejected: that is an end, and nothing to wait for`)
  const rows = await sql.query<WaitRow & { kind: 'retryable' | 'unknown' }>(
    `insert into supplier_waits as w (subject, port, supplier, operation, kind, reason, detail, final_at) values ($1,$2,$3,$4,$5,$6,$7,$8)
      on conflict (subject) do update set tries = w.tries + 1, operation = excluded.operation, reason = excluded.reason, detail = excluded.detail,
        kind = case when 'unknown' in (w.kind, excluded.kind) then 'unknown' else 'retryable' end, final_at = coalesce(excluded.final_at, w.final_at)
      returning kind, tries, since, work_at, clock_timestamp() as now`,
    [call.subject, call.port, call.supplier, call.operation, error.kind, error.reason, error.detail, call.finalAt ?? null],
  )
  const { kind, tries, since, now, workAt } = rows[0]!
  const plan = planRetry({ kind, tries, since, now, retryAfterSeconds: error.retryAfterSeconds, finalAt: call.finalAt })
  if (plan.needsOperator && workAt === null) {
    await sql.query('update supplier_waits set work_at = clock_timestamp() where subject = $1 and work_at is null', [call.subject])
    countEvent('suppliers.unknown_too_long')
  }
  return plan
}

/**
 * Records that a query about a call had no response. It does not make a certain outcome uncertain: a call that never happened stays so
 * until the final time. After that, the call is not given up without an answer but becomes a work item for operators.
 */
export async function recordFailedQuery(sql: QuerySql, call: SupplierCallSubject, { reason, detail, retryAfterSeconds }: SupplierError): Promise<RetryPlan> {
  const [wait] = await sql.query<Row & { kind: 'retryable' | 'unknown' }>('select kind from supplier_waits where subject = $1', [call.subject])
  const plan = wait?.kind === 'retryable' ? await recordWait(sql, call, retryableError(reason, detail, { retryAfterSeconds })) : undefined
  return plan && !plan.isOver ? plan : recordWait(sql, call, unknownError(reason, detail))
}

/** Removes a wait: the call has an answer, or nothing waits for one any more. */
export async function clearWait(sql: QuerySql, subject: string): Promise<void> {
  await sql.query('delete from supplier_waits where subject = $1', [subject])
}
