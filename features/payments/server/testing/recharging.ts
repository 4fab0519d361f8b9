import { beforeEach } from 'vitest'
import { createId } from '#platform/shared/ids.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { transact } from '#platform/server/database/transact.ts'
import type { Feature } from '#platform/server/feature.ts'
import { waitPastMidnight } from '#platform/testing/patience.ts'
import { makeRowsDue } from '#platform/testing/db.ts'
import { postTransaction, systemAccount, userAccount } from '#features/wallet/server/door.ts'
import type { AutoView } from '../../contract-auto.ts'
import { CONSENT_VERSION } from '../../words-out.ts'
import { autoLeadMinutes } from '../auto/settings.ts'
import { sendCharges } from '../auto/verbs/send-charge.ts'
import { watchBalances } from '../auto/verbs/watch-balances.ts'
import { workAgreements } from '../auto/verbs/work-agreements.ts'
import { createPayingApp } from './paying.ts'

export const PLAN_INPUT = { threshold: '5', amount: '10', dayMost: '35', monthMost: '200', channelType: 25, transactionType: 5 }
export type PlanInput = Partial<typeof PLAN_INPUT>
const SYSTEM = { kind: 'system', id: 'test' } as const

/** The payments feature with the sandbox company, users with auto recharge, and manually run jobs. */
export async function createRechargingApp(more: readonly Feature[] = []) {
  // A plan has daily limits.
  beforeEach(() => waitPastMidnight())
  const app = await createPayingApp(more)
  const { db, call, deps } = app
  await app.set(autoLeadMinutes, 0)

  const start = (userId: string, wish: PlanInput = {}) =>
    call('POST', '/v1/pay/autoRecharge/start', { ...PLAN_INPUT, ...wish, agreed: true, consentVersion: CONSENT_VERSION }, { token: userId })
  const press = async (payUrl: string, action: string) => {
    const reply = await fetch(payUrl, { method: 'POST', body: new URLSearchParams({ action }), redirect: 'manual' })
    if (reply.status !== 303) throw new Error(`the consent page answered ${reply.status}`)
  }
  const verb = async (userId: string, name: 'check' | 'stop' | 'resume'): Promise<AutoView> => {
    const { data, code, msg } = await call('POST', `/v1/pay/autoRecharge/${name}`, {}, { token: userId })
    if (code !== 200) throw new Error(msg)
    return data
  }
  const view = async (userId: string): Promise<AutoView> => (await call('GET', '/v1/pay/autoRecharge', {}, { token: userId })).data
  return {
    ...app,
    start,
    press,
    verb,
    view,
    /** Creates a user who has signed on the sandbox's page; returns the page too. */
    signed: async (wish: PlanInput = {}, userId = createId('user')) => {
      const { data, code, msg } = await start(userId, wish)
      if (code !== 200) throw new Error(msg)
      await press(data.payUrl, 'agreeSilently')
      await verb(userId, 'check')
      return { userId, agreementNo: data.agreementNo as string, payUrl: data.payUrl as string }
    },
    /** Runs the worker's jobs once. */
    work: async () => {
      await watchBalances(deps)
      await sendCharges(deps)
      await workAgreements(deps)
    },
    /** Makes every scheduled row due, for the worker and for the sandbox. */
    hasten: async () => {
      await db.owner.query(`update payments_auto_charges set next_try_at = now(), charge_at = least(charge_at, now()) where next_try_at is not null`)
      await makeRowsDue(db.owner, 'payments_agreements', { column: 'next_check_at' })
      await app.dueNow()
    },
    /** Ends the cool-down after a refusal. */
    rested: (userId: string) => db.owner.query(`update payments_auto_plans set cool_until = '-infinity' where user_id = $1`, [userId]),
    spend: (userId: string, amount: string) =>
      transact(db, SYSTEM, async (tx) => {
        await postTransaction(tx, {
          kind: 'test.spent',
          ref: createId('spent'),
          legs: [{ from: userAccount(userId), to: systemAccount('revenue'), amount: parseUsd(amount) }],
        })
      }),
    charges: (userId: string) =>
      db.query<{ state: string; refusal: string | null; orderState: string; orderNo: string }>(
        `select c.state, c.refusal, o.state as order_state, o.order_no from payments_auto_charges c join payments_orders o on o.id = c.order_id
        where c.user_id = $1 order by c.order_id`,
        [userId],
      ),
    /** Payments that the sandbox company took from a user. */
    taken: async (userId: string) =>
      db.query<{ minor: bigint }>(
        `select p.minor from payments_sandbox_payments p join payments_sandbox_trades t on t.token = p.token
        join payments_orders o on t.trade_no like o.order_no || '-%' where o.user_id = $1 order by p.paid_at`,
        [userId],
      ),
    events: async (userId: string) =>
      (await db.query<{ event: string }>(`select event from outbox where payload->>'userId' = $1 order by id`, [userId])).map(({ event }) => event),
  }
}
