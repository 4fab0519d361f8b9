import type { Sql } from '#platform/server/database/db.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { pick } from '#platform/shared/pick.ts'
import { selectUserAgreements, selectConsents } from '../plans/data-agreements.ts'
import { selectUserCharges, selectLiveCharge } from '../plans/data-charges.ts'
import { selectAutoPlan } from '../plans/data-plans.ts'

const MAX_CHARGES = 10_000

/** The order of a charge in progress at the channel, whose money has not been credited yet. */
export async function selectChargingOrder(sql: Sql, userId: string): Promise<{ orderNo: string } | undefined> {
  const live = await selectLiveCharge(sql, userId)
  if (live?.state !== 'charging') return undefined
  return (await selectUserCharges(sql, userId, 1))[0]
}

/** Auto recharge in the data export: agreed terms, stored method and charges. The channel's identifiers stay sealed. */
export async function exportAutoRecharge(sql: Sql, userId: string): Promise<unknown> {
  const plan = await selectAutoPlan(sql, userId)
  if (!plan) return null
  const consents = await selectConsents(sql, userId)
  const agreements = await selectUserAgreements(sql, userId)
  const charges = await selectUserCharges(sql, userId, MAX_CHARGES)
  return {
    state: plan.state,
    consents: consents.map((row) => ({
      at: row.at,
      version: row.version,
      agreementNo: row.agreementNo,
      threshold: formatUsd(row.thresholdNano),
      amount: formatUsd(row.amountNano),
      dayMost: formatUsd(row.dayMostNano),
      monthMost: formatUsd(row.monthMostNano),
    })),
    agreements: agreements.map((row) => ({
      ...pick(row, 'agreementNo', 'channelType', 'transactionType', 'label', 'state', 'createdAt', 'signedAt', 'endedAt', 'endedBy'),
    })),
    charges: charges.map((row) => ({ orderNo: row.orderNo, state: row.state, refusal: row.refusal, total: formatUsd(row.totalNano), at: row.chargeAt })),
  }
}
