import type { Sql } from '#platform/server/database/db.ts'
import { first } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import type { WithdrawalState } from '../../words-out.ts'
import type { PaymentsWithdrawalStepsRow } from '../tables.ts'

/** A payout account, masked for its owner and operators. */
export interface MaskedAccount {
  readonly alipay: string
  readonly name: string
  readonly identityNumber: string
}

export interface WithdrawalRow {
  readonly id: bigint
  readonly withdrawalNo: string
  readonly userId: string
  readonly amountNano: bigint
  /** The wallet or reward source that it debits. */
  readonly source: 'balance' | 'reward'
  readonly rate: string
  readonly payMinor: bigint
  readonly state: WithdrawalState
  readonly sealed: Buffer | null
  readonly shown: MaskedAccount
  readonly payoutVendor: string | null
  readonly payoutTxn: string | null
  /** The ledger's transaction that moved the money of the transfer to in_transit; null until it leaves. */
  readonly sentTx: bigint | null
  /** Amount of the transfer, in dollars and in fen. */
  readonly sentNano: bigint | null
  readonly sentMinor: bigint | null
  /** Amount refunded over channels, or in progress there. */
  readonly channelNano: bigint
  /** Amount that paid a debt or a charged-back payment instead of leaving; set once the withdrawal begins to leave or ends. */
  readonly takenNano: bigint
  readonly reason: string
  readonly createdAt: Date
  readonly payAfter: Date | null
  readonly dispatchedAt: Date | null
  /** Start time of the last call that may have sent its transfer. */
  readonly calledAt: Date | null
  readonly finishedAt: Date | null
  readonly checks: number
  /** Start, operator, end (null: until released) and reason of the hold. */
  readonly heldAt: Date | null
  readonly heldBy: string | null
  readonly heldUntil: Date | null
  readonly heldWhy: string
  /** Time of the database's clock. */
  readonly now: Date
}
export interface WithdrawalStep extends Pick<PaymentsWithdrawalStepsRow, 'at' | 'actor' | 'reason'> {
  readonly state: WithdrawalState
}

const OPEN_SQL = `state in ('requested','approving','approved','in_transit')`

/** Errors: WITHDRAW_OPEN if another withdrawal is in progress. */
export async function insertWithdrawal(
  tx: Tx,
  row: {
    withdrawalNo: string
    userId: string
    amount: bigint
    rate: string
    payMinor: bigint
    state: 'requested' | 'approving'
    sealed: Buffer | null
    shown: MaskedAccount
    payAfter: Date | null
    patienceDays: number
    source: WithdrawalRow['source']
  },
): Promise<WithdrawalRow> {
  const rows = await tx.query<WithdrawalRow>(
    `insert into payments_withdrawals (withdrawal_no, user_id, amount_nano, rate, pay_minor, state, sealed, shown, pay_after, source, next_check_at)
    values ($1,$2,$3,$4,$5,$6,$7,$8,$9,$11, case when $6 = 'approving' then now() + make_interval(days => $10) else greatest(now(), coalesce($9::timestamptz, now())) end)
    on conflict (user_id) where ${OPEN_SQL} do nothing returning *, now() as now`,
    [
      row.withdrawalNo,
      row.userId,
      row.amount,
      row.rate,
      row.payMinor,
      row.state,
      row.sealed,
      JSON.stringify(row.shown),
      row.payAfter,
      row.patienceDays,
      row.source,
    ],
  )
  const made = rows[0] ?? fail('WITHDRAW_OPEN')
  await insertStep(tx, made.id, { state: 'requested', reason: '' })
  if (row.state === 'approving') await insertStep(tx, made.id, { state: 'approving', reason: '' })
  return made
}

async function insertStep(tx: Tx, id: bigint, { state, reason }: { readonly state: WithdrawalState; readonly reason: string }): Promise<void> {
  await tx.query('insert into payments_withdrawal_steps (withdrawal_id, state, actor, reason) values ($1,$2,$3,$4)', [
    id,
    state,
    `${tx.actor.kind}:${tx.actor.id}`,
    reason,
  ])
}

/**
 * Moves a withdrawal along one edge from one of the given states; undefined if it is in none of them, or on hold and about to be paid or
 * approved.
 */
export async function moveWithdrawal(
  tx: Tx,
  withdrawalNo: string,
  {
    from,
    to,
    more = {},
  }: {
    readonly from: readonly WithdrawalState[]
    readonly to: WithdrawalState
    readonly more?: { reason?: string; vendor?: string; txn?: string; decidedBy?: string; seconds?: number }
  },
): Promise<WithdrawalRow | undefined> {
  const over = ['paid', 'failed', 'returned', 'rejected', 'cancelled'].includes(to)
  const row = first(
    await tx.query<WithdrawalRow>(
      `update payments_withdrawals set state = $3, reason = coalesce($4, reason), payout_vendor = coalesce($5, payout_vendor), payout_txn = coalesce($6, payout_txn),
      decided_by = coalesce($7, decided_by), dispatched_at = case when $3 = 'in_transit' then clock_timestamp() else dispatched_at end,
      finished_at = case when $8 then clock_timestamp() end, sealed = case when $8 then null else sealed end, held_at = null, held_by = null, held_until = null, held_why = '',
      next_check_at = case when $9::float8 is not null then greatest(clock_timestamp() + make_interval(secs => $9), coalesce(pay_after, clock_timestamp())) when $8 then null else next_check_at end, checks = 0
      where withdrawal_no = $1 and state = any($2) and ($3 not in ('approved','in_transit') or held_at is null or held_until <= clock_timestamp())
      returning *, clock_timestamp() as now`,
      [withdrawalNo, from, to, more.reason ?? null, more.vendor ?? null, more.txn ?? null, more.decidedBy ?? null, over, more.seconds ?? null],
    ),
  )
  if (row) await insertStep(tx, row.id, { state: to, reason: more.reason ?? '' })
  return row
}

/** Records the transfer as sent, with its figures, because a number must never be resent with others. */
export async function markTransferSent(tx: Tx, id: bigint, sent: { transactionId: bigint; amount: bigint; minor: bigint }): Promise<WithdrawalRow> {
  const rows = await tx.query<WithdrawalRow>(
    'update payments_withdrawals set sent_tx = $2, sent_nano = $3, sent_minor = $4 where id = $1 returning *, clock_timestamp() as now',
    [id, sent.transactionId, sent.amount, sent.minor],
  )
  return rows[0]!
}

/** Records the start of a call that may send the transfer; commit it before the call. The withdrawal must be locked. */
export async function markPayoutCall(tx: Tx, id: bigint): Promise<void> {
  await tx.query('update payments_withdrawals set called_at = clock_timestamp() where id = $1', [id])
}

/** The withdrawal must be locked. */
export async function setTakenAmount(tx: Tx, id: bigint, taken: bigint): Promise<void> {
  await tx.query('update payments_withdrawals set taken_nano = $2 where id = $1', [id, taken])
}

export async function scheduleWithdrawal(sql: Sql, id: bigint, seconds: number | null): Promise<void> {
  await sql.query(
    `update payments_withdrawals set next_check_at = case when $2::float8 is null then null else clock_timestamp() + make_interval(secs => $2) end
      where id = $1 and ($2::float8 is null or finished_at is null or state = 'paid')`,
    [id, seconds],
  )
}

/** Claims due withdrawals and reschedules each by a minute, so that a crashed process only delays it. */
export async function takeDueWithdrawals(sql: Sql, limit: number): Promise<string[]> {
  const rows = await sql.query<{ withdrawalNo: string }>(
    `with due as (select id from payments_withdrawals where next_check_at <= now() order by next_check_at limit $1 for update skip locked)
    update payments_withdrawals w set next_check_at = now() + interval '60 seconds', checks = w.checks + 1 from due where w.id = due.id returning w.withdrawal_no`,
    [limit],
  )
  return rows.map((row) => row.withdrawalNo)
}

/** Schedules an immediate query about a transfer that was sent; undefined if none was sent or it did not arrive. */
export async function schedulePayoutQuery(tx: Tx, withdrawalNo: string): Promise<WithdrawalRow | undefined> {
  return first(
    await tx.query<WithdrawalRow>(
      `update payments_withdrawals set next_check_at = clock_timestamp() where withdrawal_no = $1 and state in ('in_transit','paid') and sent_tx is not null
      returning *, clock_timestamp() as now`,
      [withdrawalNo],
    ),
  )
}

/** Selects by number; restricted to one user unless the caller is the system or an operator. */
export async function selectWithdrawalByNo(sql: Sql, withdrawalNo: string, userId?: string): Promise<WithdrawalRow | undefined> {
  return first(
    await sql.query<WithdrawalRow>('select *, now() as now from payments_withdrawals where withdrawal_no = $1 and ($2::text is null or user_id = $2)', [
      withdrawalNo,
      userId ?? null,
    ]),
  )
}

export async function selectOpenWithdrawal(sql: Sql, userId: string): Promise<WithdrawalRow | undefined> {
  return first(await sql.query<WithdrawalRow>(`select *, now() as now from payments_withdrawals where user_id = $1 and ${OPEN_SQL}`, [userId]))
}

/** Newest first. */
export async function selectUserWithdrawals(
  sql: Sql,
  userId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<WithdrawalRow[]> {
  return sql.query<WithdrawalRow>(
    'select *, now() as now from payments_withdrawals where user_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3',
    [userId, before ?? null, limit],
  )
}

export async function selectWithdrawalsByIds(sql: Sql, ids: readonly bigint[]): Promise<WithdrawalRow[]> {
  return ids.length ? sql.query<WithdrawalRow>('select *, now() as now from payments_withdrawals where id = any($1)', [ids]) : []
}

/** Oldest first, for the operators' list. */
export async function selectWithdrawalsInStates(sql: Sql, states: readonly WithdrawalState[], limit: number): Promise<WithdrawalRow[]> {
  return sql.query<WithdrawalRow>('select *, now() as now from payments_withdrawals where state = any($1) order by id limit $2', [states, limit])
}

/** Steps shown to the customer, who sees that the withdrawal is on hold but not when or why. */
export async function selectWithdrawalSteps(sql: Sql, id: bigint): Promise<WithdrawalStep[]> {
  return sql.query<WithdrawalStep>(
    `select at, state, actor, reason from payments_withdrawal_steps where withdrawal_id = $1 and state not in ('held','released') order by id`,
    [id],
  )
}
