import type { Magic } from './magic-inputs.ts'
import type { ChannelTools } from '../port.ts'
import type { Lang } from '#platform/shared/languages.ts'

/** The sandbox's own book. It shares only the database with the application. */
export interface Trade {
  readonly token: string
  readonly tradeNo: string
  readonly minor: bigint
  readonly currency: string
  readonly subject: string
  readonly magic: Magic
  readonly method: number
  readonly form: 'qr' | 'redirect' | 'form'
  readonly lang: Lang
  readonly notifyUrl: string
  readonly returnUrl: string
  readonly state: 'open' | 'paid' | 'declined' | 'closed'
  readonly scanned: boolean
  readonly expiresAt: Date
  readonly createdAt: Date
  readonly payDueAt: Date | null
  readonly hideQueries: number
  /** Why a charge under an agreement was declined. */
  readonly refusal: 'declined' | 'authentication' | 'ended' | null
}
export interface Payment {
  readonly txn: string
  readonly minor: bigint
  readonly currency: string
  readonly paidAt: Date
  readonly payer: string | null
}
export interface DueNotice {
  readonly id: bigint
  readonly body: string
  readonly badSignature: boolean
  readonly tries: number
  readonly notifyUrl: string
}
type Query = ChannelTools['query']

export async function insertTrade(query: Query, trade: Omit<Trade, 'state' | 'scanned' | 'payDueAt' | 'refusal'>): Promise<boolean> {
  const rows = await query(
    `insert into payments_sandbox_trades (token, trade_no, minor, currency, subject, magic, method, form, lang, notify_url, return_url, expires_at, created_at, hide_queries)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14) on conflict (trade_no) do nothing returning 1 as new`,
    [
      trade.token,
      trade.tradeNo,
      trade.minor,
      trade.currency,
      trade.subject,
      trade.magic,
      trade.method,
      trade.form,
      trade.lang,
      trade.notifyUrl,
      trade.returnUrl,
      trade.expiresAt,
      trade.createdAt,
      trade.hideQueries,
    ],
  )
  return rows.length === 1
}

export async function tradeByNo(query: Query, tradeNo: string): Promise<Trade | undefined> {
  return (await query<Trade>('select * from payments_sandbox_trades where trade_no = $1', [tradeNo]))[0]
}

export async function tradeByToken(query: Query, token: string): Promise<Trade | undefined> {
  return (await query<Trade>('select * from payments_sandbox_trades where token = $1', [token]))[0]
}

export async function paymentsOf(query: Query, token: string): Promise<Payment[]> {
  return query<Payment>('select txn, minor, currency, paid_at, payer from payments_sandbox_payments where token = $1 order by paid_at, txn', [token])
}

/** One query fewer to pretend not to know the trade; true while pretending. */
export async function hideOnce(query: Query, token: string): Promise<boolean> {
  return (
    (await query('update payments_sandbox_trades set hide_queries = hide_queries - 1 where token = $1 and hide_queries > 0 returning 1 as hidden', [token]))
      .length > 0
  )
}

export async function markScanned(query: Query, token: string): Promise<boolean> {
  return (
    (await query(`update payments_sandbox_trades set scanned = true where token = $1 and not scanned and state = 'open' returning 1 as first`, [token]))
      .length > 0
  )
}

/** A declined trade can be tried again by its payer. */
export async function reopen(query: Query, token: string): Promise<void> {
  await query(`update payments_sandbox_trades set state = 'open' where token = $1 and state = 'declined'`, [token])
}

export async function decline(query: Query, token: string, refusal: Trade['refusal'] = null): Promise<boolean> {
  return (
    (
      await query(`update payments_sandbox_trades set state = 'declined', refusal = $2 where token = $1 and state = 'open' returning 1 as done`, [
        token,
        refusal,
      ])
    ).length > 0
  )
}

export async function payLater(query: Query, token: string, at: Date): Promise<void> {
  await query(`update payments_sandbox_trades set pay_due_at = $2 where token = $1 and state = 'open'`, [token, at])
}

/** Takes the money once for an open trade: state and payments in one statement. */
export async function takePayments(query: Query, token: string, payments: readonly Payment[]): Promise<boolean> {
  const rows = await query(
    `with taken as (update payments_sandbox_trades set state = 'paid', pay_due_at = null where token = $1 and state not in ('paid','closed') returning token)
    insert into payments_sandbox_payments (txn, token, minor, currency, paid_at, payer)
    select p.txn, taken.token, p.minor, p.currency, p."paidAt", p.payer
      from taken, jsonb_to_recordset($2::jsonb) as p(txn text, minor bigint, currency text, "paidAt" timestamptz, payer text) returning 1 as done`,
    [token, JSON.stringify(payments.map((payment) => ({ ...payment, minor: payment.minor.toString() })))],
  )
  return rows.length > 0
}

/** One look for all that has a time of its own: at most moments nothing is due. */
export async function isAnythingDue(query: Query, now: Date): Promise<boolean> {
  const due = await query(
    `select where exists (select from payments_sandbox_trades where pay_due_at <= $1)
      or exists (select from payments_sandbox_refunds where turns_at <= $1)
      or exists (select from payments_sandbox_disputes where turns_at <= $1)
      or exists (select from payments_sandbox_notices where done_at is null and due_at <= $1)
      or exists (select from payments_sandbox_agreement_notices where done_at is null and due_at <= $1)`,
    [now],
  )
  return due.length > 0
}

export async function dueTrades(query: Query, now: Date): Promise<Trade[]> {
  return query<Trade>('select * from payments_sandbox_trades where pay_due_at <= $1 and state = $2 limit 20', [now, 'open'])
}

export async function queueNotice(query: Query, notice: { noticeId: string; token: string; body: string; badSignature: boolean; dueAt: Date }): Promise<void> {
  await query('insert into payments_sandbox_notices (notice_id, token, body, bad_signature, due_at) values ($1,$2,$3,$4,$5)', [
    notice.noticeId,
    notice.token,
    notice.body,
    notice.badSignature,
    notice.dueAt,
  ])
}

/** Takes due notices and pushes each to its next try, so that a crash in between only repeats one. */
export async function takeDueNotices(query: Query, now: Date, scheduleSeconds: readonly number[]): Promise<DueNotice[]> {
  return query<DueNotice>(
    `with due as (select id from payments_sandbox_notices where done_at is null and due_at <= $1 and tries < $3 order by due_at limit 20 for update skip locked)
    update payments_sandbox_notices n set tries = n.tries + 1, due_at = $1::timestamptz + make_interval(secs => ($2::int[])[n.tries + 1])
    from due, payments_sandbox_trades t where n.id = due.id and t.token = n.token returning n.id, n.body, n.bad_signature, n.tries, t.notify_url`,
    [now, scheduleSeconds, scheduleSeconds.length],
  )
}

export async function noticeDone(query: Query, id: bigint, now: Date): Promise<void> {
  await query('update payments_sandbox_notices set done_at = $2 where id = $1', [id, now])
}

export async function latestTrades(query: Query): Promise<Trade[]> {
  return query<Trade>('select * from payments_sandbox_trades order by created_at desc limit 20')
}
