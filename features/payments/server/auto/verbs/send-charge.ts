import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { formatUsd } from '#platform/shared/money.ts'
import { lockActive } from '#features/account/server/door.ts'
import { readBalance } from '#features/wallet/server/door.ts'
import { formatOrderSubject } from '../../../texts-titles.ts'
import { PAYABLE } from '../../../words.ts'
import { lockOrder, moveOrder, scheduleCheckWithin, scheduleCheck } from '../../data.ts'
import type { OrderRow } from '../../data.ts'
import { finishAttempt, insertAttempt, markDispatched } from '../../trades/data-attempts.ts'
import { createChannelTools } from '../../vendors/index.ts'
import { formatAgreedTradeNo } from '../../vendors/agreements.ts'
import type { Agreements, Channel, ChargeOutcome } from '../../vendors/port.ts'
import { applyAnswers, readMoneyRules } from '../../paying/check-order.ts'
import { queryChannels } from '../../trades/query-channels.ts'
import { lockAgreement } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { beginCharge, lockCharge, takeDueCharges } from '../../plans/data-charges.ts'
import type { ChargeRow } from '../../plans/data-charges.ts'
import { lockPlan } from '../../plans/data-plans.ts'
import type { AutoPlanRow } from '../../plans/data-plans.ts'
import { unsealSecret } from '../seal.ts'
import { findAgreementChannel } from '../terms.ts'
import { isChargingAllowed } from './announce-charge.ts'
import { skipCharge, refuseCharge } from '../../plans/settle-charge.ts'

const BATCH_SIZE = 8
const RECHECK_SECONDS = 4

/** Sends due charges and follows up on those in progress. */
export async function sendCharges(deps: Deps): Promise<void> {
  for (;;) {
    const due = await takeDueCharges(deps.db, BATCH_SIZE)
    await Promise.all(
      due.map((id) => sendCharge(deps, id).catch((error: unknown) => deps.log.error({ err: error, id: id.toString() }, 'an automatic charge failed'))),
    )
    if (due.length < BATCH_SIZE) return
  }
}

/**
 * Advances one charge as far as possible. The attempt is committed as dispatched before the call is sent. If the response is lost, the
 * channel is queried, and the charge is resent under the same number only if the channel certainly does not have it.
 */
export async function sendCharge(deps: Deps, orderId: bigint): Promise<void> {
  const begun = await startCharge(deps, orderId, false)
  if (begun) return callChannel(deps, begun)
  const { trade, status } = await queryAndApply(deps, orderId)
  if (!trade || status !== 'not_found') return
  const again = await startCharge(deps, orderId, true)
  if (again) await callChannel(deps, again)
}

interface StartedCharge {
  readonly order: OrderRow
  readonly attemptId: bigint
  readonly tradeNo: string
  readonly agreement: AgreementRow & { readonly sealed: Buffer }
  readonly channel: Channel
  readonly agreements: Agreements
}

/**
 * Checks the charge again in the transaction that sends it: the plan may be stopped, the user frozen, the balance topped up, or the feature
 * off.
 */
async function startCharge(deps: Deps, orderId: bigint, again: boolean): Promise<StartedCharge | undefined> {
  const isOpen = await isChargingAllowed(deps)
  return transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const charge = await lockCharge(tx, orderId)
    if (!charge || !PAYABLE.includes(order.state) || charge.state !== (again ? 'charging' : 'announced')) return undefined
    if (order.expiresAt <= order.now || (!again && charge.chargeAt > order.now)) return undefined
    const plan = await lockPlan(tx, charge.userId)
    const agreement = await lockAgreement(tx, charge.agreementNo)
    const at = findAgreementChannel(deps, order.channelType)
    if (!isOpen || !at || !hasSecret(agreement) || !(await isStillAllowed(tx, plan, { charge, again }))) {
      // A charge that may have reached the channel is not cancelled here; it ends with its order.
      if (!again) await cancelUnsent(tx, order, charge)
      return undefined
    }
    const method = { channelType: order.channelType, transactionType: order.transactionType, tradeFrom: order.tradeFrom }
    const tradeNo = formatAgreedTradeNo(order.orderNo, order.channelType, order.transactionType)
    const attemptId = await insertAttempt(tx, orderId, { method, tradeNo })
    await markDispatched(tx, attemptId)
    const moved = order.state === 'created' ? await moveOrder(tx, order, { to: 'paying', reason: 'charged under an agreement' }) : order
    await beginCharge(tx, orderId)
    await scheduleCheck(tx, orderId, new Date(order.now.getTime() + RECHECK_SECONDS * 5000))
    await tx.audit('auto.charging', `order:${order.orderNo}`, { tradeNo, agreementNo: charge.agreementNo, again })
    crashPoint('payments.auto-begin-commit')
    return { order: moved, attemptId, tradeNo, agreement, ...at }
  })
}

const hasSecret = (agreement: AgreementRow): agreement is StartedCharge['agreement'] => agreement.state === 'active' && agreement.sealed !== null

async function isStillAllowed(tx: Tx, plan: AutoPlanRow, { charge, again }: { readonly charge: ChargeRow; readonly again: boolean }): Promise<boolean> {
  if (plan.state !== 'active' || plan.agreementNo !== charge.agreementNo || !(await lockActive(tx, plan.userId))) return false
  return again || (await readBalance(tx, plan.userId)).posted < plan.thresholdNano!
}

async function cancelUnsent(tx: Tx, order: OrderRow, charge: ChargeRow): Promise<void> {
  const moved = await moveOrder(tx, order, { to: 'cancelled', reason: 'no longer wanted' })
  await scheduleCheck(tx, order.id, null)
  await skipCharge(tx, moved, charge)
}

/** Cancels an announced charge after its owner stops the plan or the account is closed. A charge in progress is left alone. */
export async function cancelAnnouncedCharge(deps: Deps, orderId: bigint): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const charge = await lockCharge(tx, orderId)
    if (charge?.state !== 'announced' || order.state !== 'created') return
    await lockPlan(tx, charge.userId)
    await tx.audit('auto.dropped', `order:${order.orderNo}`)
    await cancelUnsent(tx, order, charge)
  })
}

type Outcome = ChargeOutcome | { readonly kind: 'lost'; readonly reason: string }

async function callChannel(deps: Deps, begun: StartedCharge): Promise<void> {
  crashPoint('payments.auto-before-call')
  const outcome = await requestCharge(deps, begun)
  crashPoint('payments.auto-after-call')
  await recordOutcome(deps, begun, outcome)
  // The channel's query is authoritative for the money it took.
  if (outcome.kind === 'taken') await queryAndApply(deps, begun.order.id)
}

async function requestCharge(deps: Deps, { order, agreement, tradeNo, channel, agreements }: StartedCharge): Promise<Outcome> {
  const tools = createChannelTools(deps)
  try {
    return await agreements.charge(tools, {
      tradeNo,
      agreement: {
        agreementNo: agreement.agreementNo,
        transactionType: agreement.transactionType,
        secret: unsealSecret(deps.secretKeys, agreement.agreementNo, agreement.sealed),
      },
      payMinor: order.payMinor,
      currency: order.currency,
      orderAmount: formatUsd(order.amountNano),
      subject: formatOrderSubject(deps.config.BRAND_NAME, order.orderType, formatUsd(order.amountNano)),
      notifyUrl: `${tools.publicUrl()}/notify/${channel.manifest.name}`,
      expiresAt: order.expiresAt,
    })
  } catch (error) {
    const { kind, message } = asSupplierError(error)
    deps.log.warn({ err: error, orderNo: order.orderNo }, 'a channel took no automatic charge, or did not say so')
    return kind === 'rejected' ? { kind: 'refused', refusal: 'declined', reason: message } : { kind: 'lost', reason: message }
  }
}

async function recordOutcome(deps: Deps, { order: { id }, attemptId }: StartedCharge, outcome: Outcome): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, id)
    if (outcome.kind === 'taken') {
      const opened = { kind: 'opened', form: 'redirect', payUrl: '', payHtml: '', expiresAt: order.expiresAt } as const
      await finishAttempt(tx, attemptId, { state: 'succeeded', opened: outcome.channelRef ? { ...opened, channelRef: outcome.channelRef } : opened })
    } else await finishAttempt(tx, attemptId, { state: outcome.kind === 'refused' ? 'failed' : 'unknown', reason: outcome.reason })
    if (outcome.kind === 'refused') {
      const charge = await lockCharge(tx, id)
      const isOpen = PAYABLE.includes(order.state) && charge?.state === 'charging'
      if (charge && isOpen) await refuseCharge(tx, order, { charge, plan: await lockPlan(tx, charge.userId), refusal: outcome.refusal })
    }
    if (outcome.kind === 'lost') {
      if (order.state === 'paying') await moveOrder(tx, order, { to: 'unknown', reason: 'the channel did not answer' })
      await scheduleCheckWithin(tx, id, RECHECK_SECONDS)
    }
    await tx.audit(`auto.charge_${outcome.kind}`, `order:${order.orderNo}`)
    crashPoint('payments.auto-record-commit')
  })
}

/** Queries the channel and applies the answer; does nothing if no call has been sent. */
async function queryAndApply(deps: Deps, orderId: bigint): Promise<{ trade: boolean; status?: string }> {
  const answers = await queryChannels(deps, orderId)
  const [latest] = answers
  if (!latest) return { trade: false }
  const rules = await readMoneyRules(deps)
  await transact(deps.db, SYSTEM, (tx) => applyAnswers(tx, orderId, { answers, rules }))
  return { trade: true, ...(latest.fact ? { status: latest.fact.status } : {}) }
}
