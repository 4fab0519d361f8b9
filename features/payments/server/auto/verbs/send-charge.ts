import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { outcomeOf } from '#platform/shared/supplier-error.ts'
import { usd } from '#platform/shared/money.ts'
import { lockActive } from '#features/account/server/door.ts'
import { balanceOf } from '#features/wallet/server/door.ts'
import { orderSubject } from '../../../texts-titles.ts'
import { PAYABLE } from '../../../words.ts'
import { lockOrder, moveOrder, nudge, scheduleCheck } from '../../data.ts'
import type { OrderRow } from '../../data.ts'
import { finishAttempt, insertAttempt, markDispatched } from '../../trades/data-attempts.ts'
import { toolsFor } from '../../vendors/index.ts'
import { agreedTradeNo } from '../../vendors/agreements.ts'
import type { Agreements, Channel, Charged } from '../../vendors/port.ts'
import { applyAnswers, moneyRules } from '../../paying/check-order.ts'
import { askChannels } from '../../trades/ask-channels.ts'
import { lockAgreement } from '../../plans/data-agreements.ts'
import type { AgreementRow } from '../../plans/data-agreements.ts'
import { beginCharge, lockCharge, takeDueCharges } from '../../plans/data-charges.ts'
import type { ChargeRow } from '../../plans/data-charges.ts'
import { lockPlan } from '../../plans/data-plans.ts'
import type { PlanRow } from '../../plans/data-plans.ts'
import { unsealSecret } from '../seal.ts'
import { agreementsAt } from '../terms.ts'
import { mayCharge } from './announce-charge.ts'
import { dropCharge, refuseCharge } from '../../plans/settle-charge.ts'

const AT_ONCE = 8
const SOON_SECONDS = 4

/** Sends charges whose time has come, and looks after those under way. */
export async function sendCharges(deps: Deps): Promise<void> {
  for (;;) {
    const due = await takeDueCharges(deps.db, AT_ONCE)
    await Promise.all(
      due.map((id) => sendCharge(deps, id).catch((error: unknown) => deps.log.error({ err: error, id: id.toString() }, 'an automatic charge failed'))),
    )
    if (due.length < AT_ONCE) return
  }
}

/**
 * One charge, as far as it gets. The attempt is committed as dispatched before the call leaves; one whose answer was lost is
 * asked about, and sent again under its own number only where the channel surely has nothing of it.
 */
export async function sendCharge(deps: Deps, orderId: bigint): Promise<void> {
  const begun = await begin(deps, orderId, false)
  if (begun) return call(deps, begun)
  const { trade, status } = await settle(deps, orderId)
  if (!trade || status !== 'not_found') return
  const again = await begin(deps, orderId, true)
  if (again) await call(deps, again)
}

interface Begun {
  readonly order: OrderRow
  readonly attemptId: bigint
  readonly tradeNo: string
  readonly agreement: AgreementRow & { readonly sealed: Buffer }
  readonly channel: Channel
  readonly agreements: Agreements
}

/** Judges the charge once more, in the transaction that lets it leave: stopped, frozen, topped up by hand, switched off. */
async function begin(deps: Deps, orderId: bigint, again: boolean): Promise<Begun | undefined> {
  const isOpen = await mayCharge(deps)
  return transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const charge = await lockCharge(tx, orderId)
    if (!charge || !PAYABLE.includes(order.state) || charge.state !== (again ? 'charging' : 'announced')) return undefined
    if (order.expires_at <= order.now || (!again && charge.charge_at > order.now)) return undefined
    const plan = await lockPlan(tx, charge.user_id)
    const agreement = await lockAgreement(tx, charge.agreement_no)
    const at = agreementsAt(deps, order.channel_type)
    if (!isOpen || !at || !hasSecret(agreement) || !(await mayLeave(tx, plan, charge, again))) {
      // One that may be at the channel already is not given up here: its order's end is its end.
      if (!again) await drop(tx, order, charge)
      return undefined
    }
    const method = { channelType: order.channel_type, transactionType: order.transaction_type, tradeFrom: order.trade_from }
    const tradeNo = agreedTradeNo(order.order_no, order.channel_type, order.transaction_type)
    const attemptId = await insertAttempt(tx, orderId, method, tradeNo)
    await markDispatched(tx, attemptId)
    const moved = order.state === 'created' ? await moveOrder(tx, order, 'paying', 'charged under an agreement') : order
    await beginCharge(tx, orderId)
    await scheduleCheck(tx, orderId, new Date(order.now.getTime() + SOON_SECONDS * 5000))
    await tx.audit('auto.charging', `order:${order.order_no}`, { tradeNo, agreementNo: charge.agreement_no, again })
    crashPoint('payments.auto-begin-commit')
    return { order: moved, attemptId, tradeNo, agreement, ...at }
  })
}

const hasSecret = (agreement: AgreementRow): agreement is Begun['agreement'] => agreement.state === 'active' && agreement.sealed !== null

async function mayLeave(tx: Tx, plan: PlanRow, charge: ChargeRow, again: boolean): Promise<boolean> {
  if (plan.state !== 'active' || plan.agreement_no !== charge.agreement_no || !(await lockActive(tx, plan.user_id))) return false
  return again || (await balanceOf(tx, plan.user_id)).posted < plan.threshold_nano!
}

async function drop(tx: Tx, order: OrderRow, charge: ChargeRow): Promise<void> {
  const moved = await moveOrder(tx, order, 'cancelled', 'no longer wanted')
  await scheduleCheck(tx, order.id, null)
  await dropCharge(tx, moved, charge)
}

/** An announced charge that its owner, or the end of the account, does not want any more. One under way is left alone. */
export async function dropAnnounced(deps: Deps, orderId: bigint): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, orderId)
    const charge = await lockCharge(tx, orderId)
    if (charge?.state !== 'announced' || order.state !== 'created') return
    await lockPlan(tx, charge.user_id)
    await tx.audit('auto.dropped', `order:${order.order_no}`)
    await drop(tx, order, charge)
  })
}

type Outcome = Charged | { readonly kind: 'lost'; readonly reason: string }

async function call(deps: Deps, begun: Begun): Promise<void> {
  crashPoint('payments.auto-before-call')
  const outcome = await charge(deps, begun)
  crashPoint('payments.auto-after-call')
  await record(deps, begun, outcome)
  // The channel's query is the truth about what it took.
  if (outcome.kind === 'taken') await settle(deps, begun.order.id)
}

async function charge(deps: Deps, { order, agreement, tradeNo, channel, agreements }: Begun): Promise<Outcome> {
  const tools = toolsFor(deps)
  try {
    return await agreements.charge(tools, {
      tradeNo,
      agreement: {
        agreementNo: agreement.agreement_no,
        transactionType: agreement.transaction_type,
        secret: unsealSecret(deps.secretKeys, agreement.agreement_no, agreement.sealed),
      },
      payMinor: order.pay_minor,
      currency: order.currency,
      orderAmount: usd(order.amount_nano),
      subject: orderSubject(deps.config.BRAND_NAME, order.order_type, usd(order.amount_nano)),
      notifyUrl: `${tools.publicUrl()}/notify/${channel.manifest.name}`,
      expiresAt: order.expires_at,
    })
  } catch (error) {
    const { kind, message } = outcomeOf(error)
    deps.log.warn({ err: error, orderNo: order.order_no }, 'a channel took no automatic charge, or did not say so')
    return kind === 'rejected' ? { kind: 'refused', refusal: 'declined', reason: message } : { kind: 'lost', reason: message }
  }
}

async function record(deps: Deps, { order: { id }, attemptId }: Begun, outcome: Outcome): Promise<void> {
  await transact(deps.db, SYSTEM, async (tx) => {
    const order = await lockOrder(tx, id)
    if (outcome.kind === 'taken') {
      const opened = { kind: 'opened', form: 'redirect', payUrl: '', payHtml: '', expiresAt: order.expires_at } as const
      await finishAttempt(tx, attemptId, { state: 'succeeded', opened: outcome.channelRef ? { ...opened, channelRef: outcome.channelRef } : opened })
    } else await finishAttempt(tx, attemptId, { state: outcome.kind === 'refused' ? 'failed' : 'unknown', reason: outcome.reason })
    if (outcome.kind === 'refused') {
      const charge = await lockCharge(tx, id)
      const isOpen = PAYABLE.includes(order.state) && charge?.state === 'charging'
      if (charge && isOpen) await refuseCharge(tx, order, charge, await lockPlan(tx, charge.user_id), outcome.refusal)
    }
    if (outcome.kind === 'lost') {
      if (order.state === 'paying') await moveOrder(tx, order, 'unknown', 'the channel did not answer')
      await nudge(tx, id, SOON_SECONDS)
    }
    await tx.audit(`auto.charge_${outcome.kind}`, `order:${order.order_no}`)
    crashPoint('payments.auto-record-commit')
  })
}

/** Asks the channel and applies what it says; nothing to ask about before a call has left. */
async function settle(deps: Deps, orderId: bigint): Promise<{ trade: boolean; status?: string }> {
  const answers = await askChannels(deps, orderId)
  const [latest] = answers
  if (!latest) return { trade: false }
  const rules = await moneyRules(deps)
  await transact(deps.db, SYSTEM, (tx) => applyAnswers(tx, orderId, answers, rules))
  return { trade: true, ...(latest.fact ? { status: latest.fact.status } : {}) }
}
