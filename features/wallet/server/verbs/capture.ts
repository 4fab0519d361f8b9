import { crashPoint } from '#platform/server/crash.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { isAmount } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'
import { systemAccount } from '../accounts.ts'
import type { AccountKind, AccountName, PostedKind } from '../accounts.ts'
import { insertCapture, insertCaptures } from '../data.ts'
import type { CaptureManyRow } from '../data.ts'

export interface Capture {
  readonly holdId: string
  readonly amount: Nano
  readonly kind: PostedKind
  readonly ref: string
  /** Receiving account; defaults to revenue. */
  readonly to?: AccountName
  /** Releases the rest and closes the hold; false if more captures follow. */
  readonly close?: boolean
  /** Reason for capturing more than the hold has left, e.g. a card cleared above its authorisation. */
  readonly overReason?: string
}

/** Sources of a capture in nano-dollars: `fromHold + fromAvailable + debt` is its amount. */
export interface CaptureResult {
  readonly transactionId: bigint
  readonly fromHold: Nano
  readonly fromAvailable: Nano
  readonly debt: Nano
  readonly replayed: boolean
}

/**
 * Turns a hold, or a part of it, into a charge, once for (kind, ref). Over-clearing takes what is available and then makes
 * debt (money.md I5).
 * Errors: HOLD_UNKNOWN, HOLD_CLOSED, HOLD_EXCEEDED (more than left, no reason), LEDGER_REF_REUSED, BAD_AMOUNT.
 */
export async function captureHold(tx: Tx, wanted: Capture): Promise<CaptureResult> {
  if (!isAmount(wanted.amount)) fail('BAD_AMOUNT')
  const to = wanted.to ?? systemAccount('revenue')
  crashPoint('wallet.before-capture')
  const row = await insertCapture(tx, wanted.holdId, {
    amount: wanted.amount,
    kind: wanted.kind,
    ref: wanted.ref,
    options: {
      toKind: to.kind,
      toOwner: to.owner,
      close: wanted.close ?? true,
      overReason: wanted.overReason,
    },
  })
  crashPoint('wallet.after-capture')
  return { transactionId: row.transactionId, fromHold: row.fromHold, fromAvailable: row.fromAvailable, debt: row.debt, replayed: row.replayed }
}

export interface LeaseCharge {
  readonly holdId: string
  readonly amount: Nano
  readonly ref: string
}

/**
 * Charges many calls to their leases in one round trip (`wallet_capture_many`): one transfer per account, each call once for (kind, ref).
 * If a lease is closed or too small, the rest comes from the available balance, then becomes debt: a call that was served is always
 * charged. Never fails for one row because of another; read each row's `outcome`.
 */
export async function captureHolds(
  sql: Sql,
  kind: PostedKind,
  { charges, to = 'revenue' }: { readonly charges: readonly LeaseCharge[]; readonly to?: AccountKind },
): Promise<CaptureManyRow[]> {
  return insertCaptures(
    sql,
    charges.map((row) => row.holdId),
    { amounts: charges.map((row) => row.amount), refs: charges.map((row) => row.ref), kind, toKind: to },
  )
}
