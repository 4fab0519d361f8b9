import type { Blocker, Deps, PersonalData } from '#platform/server/feature.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { findUpgradeDraft, listOpenUpgradeOrders, listUpgradeOrders } from './data.ts'
import { formatUpgradePlanName, upgradeServerTexts } from './texts.ts'

const ROWS = 10_000

/** Open orders have a hold on a card, so they must be left or completed before the account closes. */
async function blockersOf({ db }: Deps, userId: string, lang: Lang): Promise<readonly Blocker[]> {
  return (await listOpenUpgradeOrders(db, userId)).map(({ plan }) => ({
    code: 'upgrade',
    text: fill(upgradeServerTexts[lang].close_task, { plan: formatUpgradePlanName(lang, plan) }),
    path: '/gpt-upgrade',
  }))
}

/** The draft and orders for the data export; their history is exported by services. */
async function exportOf({ db }: Deps, userId: string): Promise<unknown> {
  const draft = await findUpgradeDraft(db, userId)
  const orders = [...(draft ? [draft] : []), ...(await listUpgradeOrders(db, userId, { limit: ROWS }))]
  if (!orders.length) return undefined
  return orders.map((order) => ({
    ...{ id: order.id, plan: order.plan, seats: order.seats, account: order.account, link: order.link, card: order.last4 },
    ...{ createdAt: order.createdAt, queuedAt: order.queuedAt, task: order.taskId, cardShownAt: order.shownAt },
  }))
}

export const upgradePersonal: PersonalData = { blockersOf, exportOf }
