import type { Sql } from '#platform/server/database/db.ts'
import { usd } from '#platform/shared/money.ts'
import { agreementsOf, consentsOf } from '../plans/data-agreements.ts'
import { chargesOf, liveCharge } from '../plans/data-charges.ts'
import { planOf } from '../plans/data-plans.ts'

const CHARGES = 10_000

/** The order of a charge that is at the channel: its money has not arrived where it belongs. */
export async function chargingOrder(sql: Sql, userId: string): Promise<{ order_no: string } | undefined> {
  const live = await liveCharge(sql, userId)
  if (live?.state !== 'charging') return undefined
  return (await chargesOf(sql, userId, 1))[0]
}

/** Auto recharge in the data export: what was agreed to, where it is stored, what was charged. The channel's own names stay sealed. */
export async function autoExportOf(sql: Sql, userId: string): Promise<unknown> {
  const plan = await planOf(sql, userId)
  if (!plan) return null
  const consents = await consentsOf(sql, userId)
  const agreements = await agreementsOf(sql, userId)
  const charges = await chargesOf(sql, userId, CHARGES)
  return {
    state: plan.state,
    consents: consents.map((row) => ({
      at: row.at,
      version: row.version,
      agreementNo: row.agreement_no,
      threshold: usd(row.threshold_nano),
      amount: usd(row.amount_nano),
      dayMost: usd(row.day_most_nano),
      monthMost: usd(row.month_most_nano),
    })),
    agreements: agreements.map((row) => ({
      agreementNo: row.agreement_no,
      channelType: row.channel_type,
      transactionType: row.transaction_type,
      label: row.label,
      state: row.state,
      createdAt: row.created_at,
      signedAt: row.signed_at,
      endedAt: row.ended_at,
      endedBy: row.ended_by,
    })),
    charges: charges.map((row) => ({ orderNo: row.order_no, state: row.state, refusal: row.refusal, total: usd(row.total_nano), at: row.charge_at })),
  }
}
