import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { toShanghaiTime } from '#platform/shared/time.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { lockActive } from '#features/account/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { computePriceFigures } from '../../../figures.ts'
import type { PriceFigures } from '../../../figures.ts'
import { ORDER_TYPE } from '../../../words.ts'
import { insertOrder } from '../../data.ts'
import { readRechargePause } from '../../offer/quote.ts'
import { orderMinutes } from '../../settings.ts'
import { generateOrderNo } from '../../orders/create-order.ts'
import { readMaintenance } from '../../offer/maintain.ts'
import { selectAgreement } from '../../plans/data-agreements.ts'
import { insertCharge, selectLiveCharge } from '../../plans/data-charges.ts'
import { lockPlan, selectAutoPlan, reserveChargeSum, pauseUntilNextPeriod } from '../../plans/data-plans.ts'
import type { Period, AutoPlanRow } from '../../plans/data-plans.ts'
import { emitChargeEvent, emitPlanEvent } from '../../plans/emit-auto-event.ts'
import { autoOpen, autoPerDay } from '../settings.ts'
import { listMethodTerms, readLeadMinutes, findMethodTerms } from '../terms.ts'
import type { StoredMethodTerms } from '../terms.ts'
import { DEFAULT_LANG } from '#platform/shared/languages.ts'

/**
 * Plans one charge for a user whose balance is below the threshold. One transaction freezes the figures, counts the ceilings and mails the
 * owner, so a concurrent caller finds the charge. Returns false if no charge is due.
 */
export async function announceCharge(deps: Deps, userId: string): Promise<boolean> {
  const plan = await selectAutoPlan(deps.db, userId)
  const agreement = plan?.agreementNo ? await selectAgreement(deps.db, plan.agreementNo) : undefined
  if (plan?.state !== 'active' || agreement?.state !== 'active' || !(await isChargingAllowed(deps))) return false
  const terms = findMethodTerms(await listMethodTerms(deps), agreement.channelType, agreement.transactionType)
  if (!terms) return false
  const rules = {
    mostCharges: await deps.settings.get(autoPerDay),
    leadMinutes: await readLeadMinutes(deps, terms.agreed),
    minutes: await deps.settings.get(orderMinutes),
  }
  return transact(deps.db, SYSTEM, async (tx) => {
    const locked = await lockPlan(tx, userId)
    if (!(await isDue(tx, locked, agreement.agreementNo))) return false
    const figures = computePriceFigures(formatUsd(locked.amountNano!), terms, { rate: terms.rate })
    const full = await reserveDayAndMonth(tx, locked, { figures, mostCharges: rules.mostCharges })
    if (full) {
      await pauseUntilNextPeriod(tx, userId, full)
      await emitPlanEvent(tx, userId, {
        event: 'auto.ceiling',
        facts: {
          period: full,
          dayMost: formatUsd(locked.dayMostNano!),
          monthMost: formatUsd(locked.monthMostNano!),
        },
      })
      return false
    }
    await announce(deps, tx, { plan: locked, terms, figures, ...rules })
    crashPoint('payments.auto-announce-commit')
    return true
  })
}

/** Do not charge while operators have closed recharging, nor during a channel holiday. */
export async function isChargingAllowed(deps: Deps): Promise<boolean> {
  if (!(await deps.settings.get(autoOpen))) return false
  if ((await readRechargePause(deps))?.isNow) return false
  const { closed, isMaintain } = await readMaintenance(deps, DEFAULT_LANG)
  return !(isMaintain && closed.includes('recharge'))
}

async function isDue(tx: Tx, plan: AutoPlanRow, agreementNo: string): Promise<boolean> {
  if (plan.state !== 'active' || plan.agreementNo !== agreementNo || plan.cool) return false
  if ((await selectLiveCharge(tx, plan.userId)) || !(await lockActive(tx, plan.userId))) return false
  return (await readBalance(tx, plan.userId)).posted < plan.thresholdNano!
}

/** Returns the ceiling that the charge would exceed, without counting anything; undefined if it fits both. */
async function reserveDayAndMonth(
  tx: Tx,
  plan: AutoPlanRow,
  { figures: { total }, mostCharges }: { readonly figures: PriceFigures; readonly mostCharges: number },
): Promise<Period | undefined> {
  const full = await tx
    .savepoint(async () => {
      if (!(await reserveChargeSum(tx, plan.userId, { period: 'day', total, most: plan.dayMostNano!, mostCharges }))) throw new CeilingReached('day')
      // The number of charges is limited per day only.
      if (!(await reserveChargeSum(tx, plan.userId, { period: 'month', total, most: plan.monthMostNano!, mostCharges: mostCharges * 31 })))
        throw new CeilingReached('month')
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof CeilingReached) return error.period
      throw error
    })
  return full
}

class CeilingReached extends Error {
  readonly period: Period
  constructor(period: Period) {
    super(`the ceiling of the ${period} is reached`)
    this.period = period
  }
}

interface PlannedCharge {
  readonly plan: AutoPlanRow
  readonly terms: StoredMethodTerms
  readonly figures: PriceFigures
  readonly leadMinutes: number
  readonly minutes: number
}

async function announce(deps: Deps, tx: Tx, { plan, terms, figures, leadMinutes, minutes }: PlannedCharge): Promise<void> {
  const { feePercent, rate, currency, channel, agreed } = terms
  const order = await insertOrder(tx, {
    orderNo: generateOrderNo(deps.clock.now()),
    userId: plan.userId,
    orderType: ORDER_TYPE.OPENAI_API,
    ...figures,
    feePercent,
    rate,
    currency,
    channelType: channel.manifest.id,
    transactionType: agreed.transactionType,
    tradeFrom: 'QRCODE',
    minutes: leadMinutes + minutes,
    wishes: {},
    source: 'auto',
  })
  const charge = await insertCharge(tx, order, { agreementNo: plan.agreementNo!, leadMinutes })
  if (!charge) throw new Error(`a charge of ${plan.userId} is under way already`)
  await emitChargeEvent(tx, order, { event: 'auto.announced', more: { threshold: formatUsd(plan.thresholdNano!), at: toShanghaiTime(charge.chargeAt) } })
}
