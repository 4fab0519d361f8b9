import { first } from '#platform/server/database/db.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { RefuseCause } from '../../../words-out.ts'
import type { PaymentsInvoiceRequestsRow } from '../../tables.ts'
import type { InvoiceRecipient } from '../facts.ts'

export interface InvoiceRequestRow extends Omit<PaymentsInvoiceRequestsRow, 'details' | 'cause'> {
  readonly details: InvoiceRecipient
  readonly cause: '' | RefuseCause
}

export interface NewInvoiceRequest {
  readonly requestNo: string
  readonly userId: string
  readonly month: string
  readonly lang: Lang
  readonly to: InvoiceRecipient
  readonly note: string
  readonly agreedFee: string
}

/** Undefined if a request for the month is already waiting. */
export async function insertInvoiceRequest(
  tx: Tx,
  { requestNo, userId, month, lang, to, note, agreedFee }: NewInvoiceRequest,
): Promise<InvoiceRequestRow | undefined> {
  return first(
    await tx.query<InvoiceRequestRow>(
      `insert into payments_invoice_requests (request_no, user_id, month, lang, details, note, agreed_fee) values ($1,$2,$3,$4,$5,$6,$7)
      on conflict (user_id, month) where state = 'open' do nothing returning *`,
      [requestNo, userId, month, lang, JSON.stringify(to), note, agreedFee],
    ),
  )
}

export type InvoiceRequestEnd =
  | { readonly state: 'issued'; readonly paperNo: string }
  | { readonly state: 'refused'; readonly cause: RefuseCause; readonly answer: string }
  | { readonly state: 'withdrawn' }

/** Undefined if the request is already closed. */
export async function endInvoiceRequest(
  tx: Tx,
  requestNo: string,
  { end, userId }: { readonly end: InvoiceRequestEnd; readonly userId?: string },
): Promise<InvoiceRequestRow | undefined> {
  const paperNo = end.state === 'issued' ? end.paperNo : null
  const [cause, answer] = end.state === 'refused' ? [end.cause, end.answer] : ['', '']
  return first(
    await tx.query<InvoiceRequestRow>(
      `update payments_invoice_requests set state = $2, paper_no = $3, cause = $4, answer = $5, ended_at = clock_timestamp()
      where request_no = $1 and state = 'open' and ($6::text is null or user_id = $6) returning *`,
      [requestNo, end.state, paperNo, cause, answer, userId ?? null],
    ),
  )
}

export async function selectInvoiceRequest(sql: Sql, requestNo: string): Promise<InvoiceRequestRow | undefined> {
  return first(await sql.query<InvoiceRequestRow>('select * from payments_invoice_requests where request_no = $1', [requestNo]))
}

/** A customer's requests, newest first. */
export function selectUserInvoiceRequests(sql: Sql, userId: string, limit: number): Promise<InvoiceRequestRow[]> {
  return sql.query<InvoiceRequestRow>('select * from payments_invoice_requests where user_id = $1 order by id desc limit $2', [userId, limit])
}

export interface InvoiceRequestFilter {
  readonly state: 'open' | 'ended' | undefined
  readonly find: string | undefined
  readonly after: string | undefined
  readonly limit: number
}
/** Lists requests: open ones oldest first, closed ones newest first. */
export function listInvoiceRequests(sql: Sql, { state, find, after, limit }: InvoiceRequestFilter): Promise<InvoiceRequestRow[]> {
  const [beyond, order] = state === 'open' ? ['>', 'asc'] : ['<', 'desc']
  return sql.query<InvoiceRequestRow>(
    `select * from payments_invoice_requests where ($1::text is null or (state = 'open') = ($1 = 'open')) and ($2::text is null or request_no = upper($2) or user_id = $2 or paper_no = upper($2))
      and ($3::bigint is null or id ${beyond} $3) order by id ${order} limit $4`,
    [state ?? null, find ?? null, after ?? null, limit],
  )
}
