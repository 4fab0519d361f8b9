import type { Sql } from '#platform/server/database/db.ts'
import { fail, Failure } from '#platform/shared/errors.ts'
import { formatUsd, type Nano } from '#platform/shared/money.ts'
import { walletErrors } from '../errors.ts'
import type { AccountName, Leg, AccountOwner, PostingResult } from './accounts.ts'

/** Runs a ledger function and turns its refusals (class MX, migration 0002) into the feature's errors. */
export async function callLedger<R extends object>(
  sql: Sql,
  text: string,
  { values, name }: { readonly values: readonly unknown[]; readonly name: string },
): Promise<R[]> {
  try {
    return await sql.query<R>(text, values, `wallet.${name}`)
  } catch (error) {
    throw toLedgerFailure(error) ?? error
  }
}

function parseErrorData(name: string, detail = ''): Record<string, string> | undefined {
  if (name === 'HOLD_CLOSED') return { status: detail }
  return name === 'DEBT_FIRST' ? { owed: formatUsd(BigInt(detail)) } : undefined
}

function toLedgerFailure(error: unknown): Failure | undefined {
  const { code, message, detail, constraint } = error as { code?: string; message?: string; detail?: string; constraint?: string }
  if (code === 'MX001' && message && message in walletErrors) return new Failure(message, parseErrorData(message, detail))
  // The two constraints behind the functions' own checks; reached only if a function has a gap.
  if (code === '23514' && (constraint === 'wallet_accounts_available' || constraint === 'wallet_accounts_purchased')) return new Failure('INSUFFICIENT_FUNDS')
  return undefined
}

/** A function that returns a row always returns one. */
export function requireRow<R>(rows: readonly R[]): R {
  return rows[0] ?? fail('INTERNAL')
}

export async function insertAccount(sql: Sql, owner: AccountOwner, { kind, currency }: { readonly kind: string; readonly currency: string }): Promise<bigint> {
  return requireRow(await callLedger<{ id: bigint }>(sql, 'select wallet_open_account($1,$2,$3) as id', { values: [owner, kind, currency], name: 'open' })).id
}

export async function insertPosting(sql: Sql, kind: string, { ref, legs }: { readonly ref: string; readonly legs: readonly Leg[] }): Promise<PostingResult> {
  const rows = legs.map((leg) => ({
    debit_owner: leg.from.owner,
    debit_kind: leg.from.kind,
    credit_owner: leg.to.owner,
    credit_kind: leg.to.kind,
    amount: String(leg.amount),
    currency: leg.currency ?? 'USD',
    owe: leg.owe || undefined,
    undoes: leg.undoes?.toString(),
    lot_kind: leg.lot?.kind,
    order_ref: leg.lot?.orderRef,
    expires_at: leg.lot?.expiresAt,
    take_kind: leg.take?.kind,
    take_order_ref: leg.take?.orderRef,
  }))
  const row = requireRow(
    await callLedger<{ transactionId: bigint; replayed: boolean }>(sql, 'select * from wallet_post($1,$2,$3)', {
      values: [kind, ref, JSON.stringify(rows)],
      name: 'post',
    }),
  )
  return { transactionId: row.transactionId, replayed: row.replayed }
}

export interface HoldRow {
  readonly status: 'pending' | 'posted' | 'voided' | 'expired' | 'refused'
  readonly amount: Nano
  readonly replayed: boolean
}

export async function insertHold(
  sql: Sql,
  id: string,
  {
    account,
    amount,
    ttlSeconds,
    purpose,
    options,
  }: {
    readonly account: AccountName
    readonly amount: Nano
    readonly ttlSeconds: number
    readonly purpose: string
    readonly options: { currency: string; onlyPurchased: boolean; atLeast: Nano | undefined }
  },
): Promise<HoldRow> {
  return requireRow(
    await callLedger<HoldRow>(sql, 'select * from wallet_hold($1,$2,$3,make_interval(secs => $4),$5,$6,$7,$8,$9)', {
      values: [id, account.owner, amount, ttlSeconds, purpose, options.currency, account.kind, options.onlyPurchased, options.atLeast ?? null],
      name: 'hold',
    }),
  )
}

export interface CaptureRow {
  transactionId: bigint
  fromHold: Nano
  fromAvailable: Nano
  debt: Nano
  replayed: boolean
}

export async function insertCapture(
  sql: Sql,
  holdId: string,
  {
    amount,
    kind,
    ref,
    options,
  }: {
    readonly amount: Nano
    readonly kind: string
    readonly ref: string
    readonly options: { toKind: string; toOwner: AccountOwner; close: boolean; overReason: string | undefined }
  },
): Promise<CaptureRow> {
  return requireRow(
    await callLedger<CaptureRow>(sql, 'select * from wallet_capture($1,$2,$3,$4,$5,$6,$7,$8)', {
      values: [holdId, amount, kind, ref, options.toKind, options.toOwner, options.close, options.overReason ?? null],
      name: 'capture',
    }),
  )
}

export async function updateHoldVoid(sql: Sql, holdId: string): Promise<'voided' | 'posted'> {
  return requireRow(await callLedger<{ status: 'voided' | 'posted' }>(sql, 'select wallet_void($1) as status', { values: [holdId], name: 'void' })).status
}

export async function updateHoldEnd(sql: Sql, holdId: string, ttlSeconds: number): Promise<Date> {
  return requireRow(
    await callLedger<{ at: Date }>(sql, 'select wallet_extend($1, make_interval(secs => $2)) as at', { values: [holdId, ttlSeconds], name: 'extend' }),
  ).at
}

export interface ResizedRow {
  changed: Nano
  amount: Nano
  uncaptured: Nano
}

export async function updateHoldSize(
  sql: Sql,
  holdId: string,
  { delta, ttlSeconds, atLeast }: { readonly delta: Nano; readonly ttlSeconds: number | undefined; readonly atLeast: Nano | undefined },
): Promise<ResizedRow> {
  return requireRow(
    await callLedger<ResizedRow>(sql, 'select * from wallet_resize($1,$2,make_interval(secs => $3),$4)', {
      values: [holdId, delta, ttlSeconds ?? null, atLeast ?? null],
      name: 'resize',
    }),
  )
}

export interface CaptureManyRow {
  ref: string
  holdId: string
  outcome: 'captured' | 'replayed' | 'ref_reused' | 'hold_unknown' | 'bad_amount'
  captured: Nano
  fromAvailable: Nano
  debt: Nano
  transactionId: bigint | null
}

export async function insertCaptures(
  sql: Sql,
  holds: readonly string[],
  { amounts, refs, kind, toKind }: { readonly amounts: readonly Nano[]; readonly refs: readonly string[]; readonly kind: string; readonly toKind: string },
): Promise<CaptureManyRow[]> {
  return callLedger<CaptureManyRow>(sql, 'select * from wallet_capture_many($1::text[],$2::bigint[],$3::text[],$4,$5)', {
    values: [holds, amounts, refs, kind, toKind],
    name: 'captures',
  })
}

export async function expireDueHolds(sql: Sql, limit: number): Promise<number> {
  return requireRow(await callLedger<{ n: number }>(sql, 'select wallet_expire($1) as n', { values: [limit], name: 'expire' })).n
}

export async function expireDueLots(sql: Sql, limit: number): Promise<number> {
  return requireRow(await callLedger<{ n: number }>(sql, 'select wallet_expire_lots($1) as n', { values: [limit], name: 'expire-lots' })).n
}

/** For tests: the balance of every reward account, by user. */
export async function selectRewardAccounts(sql: Sql): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql.query<{ owner: string; posted: bigint }>(`select owner, posted from wallet_accounts where kind = 'reward'`)
  return new Map(rows.map(({ owner, posted }) => [owner.replace(/^user:/, ''), posted]))
}

export async function selectOwed(sql: Sql, owner: AccountOwner, currency = 'USD'): Promise<Nano> {
  return requireRow(await sql.query<{ owed: Nano }>('select wallet_owed($1, $2) as owed', [owner, currency], 'wallet.owed')).owed
}

export async function settleOwed(sql: Sql, owner: AccountOwner, currency = 'USD'): Promise<Nano> {
  return requireRow(await callLedger<{ owed: Nano }>(sql, 'select wallet_settle($1, $2) as owed', { values: [owner, currency], name: 'settle' })).owed
}

export interface UnpaidRow {
  readonly accountId: bigint
  readonly payer: string
  readonly currency: string
  /** Part of the debt that the credit beside it can pay. */
  readonly payable: Nano
}

export async function selectUnpaid(sql: Sql, limit: number): Promise<UnpaidRow[]> {
  return sql.query<UnpaidRow>('select * from wallet_unpaid($1)', [limit], 'wallet.unpaid')
}
