import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { shanghaiTime } from '#platform/shared/time.ts'
import { usd } from '#platform/shared/money.ts'
import { lockActive } from '#features/account/server/door.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import { figuresOf } from '../../../figures.ts'
import type { Figures } from '../../../figures.ts'
import { ORDER_TYPE } from '../../../words.ts'
import { insertOrder } from '../../data.ts'
import { pauseNow } from '../../offer/recharge-pause.ts'
import { orderMinutes } from '../../settings.ts'
import { newOrderNo } from '../../orders/create-order.ts'
import { maintenanceNow } from '../../offer/maintain.ts'
import { agreementOf } from '../../plans/data-agreements.ts'
import { insertCharge, liveCharge } from '../../plans/data-charges.ts'
import { lockPlan, planOf, reserve, restUntilNext } from '../../plans/data-plans.ts'
import type { Period, PlanRow } from '../../plans/data-plans.ts'
import { tellAuto, tellPlan } from '../../plans/news.ts'
import { autoOpen, autoPerDay } from '../settings.ts'
import { allTerms, leadMinutesOf, termsOf } from '../terms.ts'
import type { Terms } from '../terms.ts'

/**
 * Plans one charge for a user whose balance is below the threshold. One transaction freezes the figures, counts the ceilings and
 * mails the owner, so a concurrent caller finds the charge. Returns false where nothing is to be charged.
 */
export async function announceCharge(deps: Deps, userId: string): Promise<boolean> {
  const plan = await planOf(deps.db, userId)
  const agreement = plan?.agreement_no ? await agreementOf(deps.db, plan.agreement_no) : undefined
  if (plan?.state !== 'active' || agreement?.state !== 'active' || !(await mayCharge(deps))) return false
  const terms = termsOf(await allTerms(deps), agreement.channel_type, agreement.transaction_type)
  if (!terms) return false
  const rules = {
    mostCharges: await deps.settings.get(autoPerDay),
    leadMinutes: await leadMinutesOf(deps, terms.agreed),
    minutes: await deps.settings.get(orderMinutes),
  }
  return transact(deps.db, SYSTEM, async (tx) => {
    const locked = await lockPlan(tx, userId)
    if (!(await isDue(tx, locked, agreement.agreement_no))) return false
    const figures = figuresOf(usd(locked.amount_nano!), terms, terms.rate)
    const full = await reserveBoth(tx, locked, figures, rules.mostCharges)
    if (full) {
      await restUntilNext(tx, userId, full)
      await tellPlan(tx, userId, 'auto.ceiling', { period: full, dayMost: usd(locked.day_most_nano!), monthMost: usd(locked.month_most_nano!) })
      return false
    }
    await announce(deps, tx, { plan: locked, terms, figures, ...rules })
    crashPoint('payments.auto-announce-commit')
    return true
  })
}

/** Nothing is charged while operators keep recharging closed, nor over a holiday of the channels. */
export async function mayCharge(deps: Deps): Promise<boolean> {
  if (!(await deps.settings.get(autoOpen))) return false
  if ((await pauseNow(deps))?.isNow) return false
  const { closed, isMaintain } = await maintenanceNow(deps, 'zh')
  return !(isMaintain && closed.includes('recharge'))
}

async function isDue(tx: Tx, plan: PlanRow, agreementNo: string): Promise<boolean> {
  if (plan.state !== 'active' || plan.agreement_no !== agreementNo || plan.cool) return false
  if ((await liveCharge(tx, plan.user_id)) || !(await lockActive(tx, plan.user_id))) return false
  return (await balanceOf(tx, plan.user_id)).posted < plan.threshold_nano!
}

/** The ceiling that is reached, with nothing counted; undefined when both took it. */
async function reserveBoth(tx: Tx, plan: PlanRow, { total }: Figures, mostCharges: number): Promise<Period | undefined> {
  const full = await tx
    .savepoint(async () => {
      if (!(await reserve(tx, plan.user_id, 'day', total, plan.day_most_nano!, mostCharges))) throw new Full('day')
      // A month has its sum alone.
      if (!(await reserve(tx, plan.user_id, 'month', total, plan.month_most_nano!, mostCharges * 31))) throw new Full('month')
      return undefined
    })
    .catch((error: unknown) => {
      if (error instanceof Full) return error.period
      throw error
    })
  return full
}

class Full extends Error {
  readonly period: Period
  constructor(period: Period) {
    super(`the ceiling of the ${period} is reached`)
    this.period = period
  }
}

interface Planned {
  readonly plan: PlanRow
  readonly terms: Terms
  readonly figures: Figures
  readonly leadMinutes: number
  readonly minutes: number
}

async function announce(deps: Deps, tx: Tx, { plan, terms, figures, leadMinutes, minutes }: Planned): Promise<void> {
  const { feePercent, rate, currency, channel, agreed } = terms
  const order = await insertOrder(tx, {
    orderNo: newOrderNo(deps.clock.now()),
    userId: plan.user_id,
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
  const charge = await insertCharge(tx, order, plan.agreement_no!, leadMinutes)
  if (!charge) throw new Error(`a charge of ${plan.user_id} is under way already`)
  await tellAuto(tx, order, 'auto.announced', { threshold: usd(plan.threshold_nano!), at: shanghaiTime(charge.charge_at) })
}
