import { asSupplierError } from '#platform/shared/suppliers/supplier-error.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { chargeTask, releaseTask, holdForTask, selectTakenByTask, taskHoldOf } from '#features/cards/server/door.ts'
import { callSupplier, selectSupplierCalls } from '#features/services/server/door.ts'
import type { TaskRecheck, DeskSpec, TaskTransition, TaskCardFacts, ServiceSpec, Task } from '#features/services/server/door.ts'
import { parseUsd, addNano } from '#platform/shared/money.ts'
import { findUpgradePlan, upgradePlans } from '../plans.ts'
import { UPGRADE_CAUSES } from '../words.ts'
import { endOrder, queueOrder, findUpgradeOrder, findUpgradeOrderByTask } from './data.ts'
import type { UpgradeOrder } from './data.ts'
import { supplierChoice, upgradeLimits, upgradeServices } from './settings.ts'
import { formatUpgradePlanName, upgradeServerTexts } from './texts.ts'
import { findUpgradeSupplier } from './vendors/index.ts'
import type { UpgradeProgress, UpgradeSupplier } from './vendors/port.ts'
import { RECORD_LANG } from '#platform/shared/languages.ts'

export const UPGRADE = 'upgrade'
const UPGRADE_DESK = 'desk'
/** Timeout of a supplier; then the order is cancelled there and goes to the desk. */
const SUPPLIER_MS = 30 * 60_000
const POLL_SECONDS = 2

/** Input of `begin` besides the order; part of the task's facts, which desk and member can see. */
interface CardHoldInput {
  readonly cardId: string
  readonly amount: string
  readonly fee: string
}
export const buildUpgradeFacts = (order: UpgradeOrder, last4: string, { cardId, amount, fee }: CardHoldInput): Readonly<Record<string, string>> => ({
  ...{ order: order.id, service: order.service, plan: order.plan, account: order.account, link: order.link },
  ...(findUpgradePlan(order.plan)?.team ? { seats: String(order.seats) } : {}),
  ...{ card: last4, cardId, amount, fee },
})

/** Takes a place among the card's accounts and holds the total on the card, in the transaction that starts the task. */
async function holdCard(deps: Deps, tx: Tx, task: Task): Promise<void> {
  const facts = task.facts as Record<'order' | 'card' | 'cardId' | 'amount' | 'fee', string>
  const order = (await findUpgradeOrder(tx, facts.order, task.userId)) ?? fail('UPGRADE_UNKNOWN')
  const { merchants } = (await deps.settings.get(upgradeServices))[order.service] ?? fail('SERVICE_UNKNOWN')
  const { accounts: most, days } = await deps.settings.get(upgradeLimits)
  const [amount, fee] = [parseUsd(facts.amount), parseUsd(facts.fee)]
  const name = formatUpgradePlanName(RECORD_LANG, order.plan)
  if (!(await holdForTask(tx, { id: task.id, cardId: facts.cardId, name, amount: addNano(amount, fee), merchants })))
    fail('UPGRADE_CARD', { problem: 'short', missing: '0' })
  if (!(await queueOrder(tx, order, { taskId: task.id, cardId: facts.cardId, last4: facts.card, amount, fee, most, days })))
    fail('UPGRADE_CARD_FULL', { most, days })
}

/** Records the outcome in the transaction that ends the task: captures a supplier's delivery from the hold, and releases the rest. */
async function settleOrder(deps: Deps, tx: Tx, task: Task): Promise<void> {
  const now = deps.clock.now()
  const isDone = task.phase === 'done'
  const order = await endOrder(tx, task.id, { outcome: isDone ? 'done' : 'failed', cause: task.cause })
  if (order && isDone && task.supplier !== UPGRADE_DESK) await chargeTask(deps, tx, { id: task.id, amount: order.amount!, at: now })
  else await releaseTask(tx, task.id, now)
  crashPoint('upgrade.ended-before-commit')
}

/** Sends the order to the chosen supplier or the desk; the desk takes what the supplier does not do. */
async function placeUpgrade(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck | undefined> {
  const order = (await findUpgradeOrderByTask(deps.db, task.id)) ?? fail('UPGRADE_UNKNOWN')
  const verb = `place:${order.lent}`
  const known = (await selectSupplierCalls(deps.db, task.id)).find((call) => call.verb === verb)
  const name = known?.supplier ?? ((await isHoldSufficient(deps, task, order)) ? await deps.settings.get(supplierChoice) : UPGRADE_DESK)
  const supplier = name === UPGRADE_DESK ? undefined : findUpgradeSupplier(deps, name)
  if (!supplier) {
    if (known && known.state !== 'refused') throw new Error(`${name} is not connected`)
    return { to: 'queued', supplier: UPGRADE_DESK }
  }
  const ref = await placeWithSupplier(deps, task, { order, supplier, verb })
  if (ref === undefined) return { to: 'queued', supplier: UPGRADE_DESK }
  const progress = await supplier.look(ref)
  if (progress.state === 'working' && isSlow(task)) {
    await supplier.cancel(ref)
    // Count a result from the last moment
    const last = await supplier.look(ref)
    return last.state === 'done' ? resolveProgress(last, supplier, ref) : { to: 'queued', supplier: UPGRADE_DESK }
  }
  return resolveProgress(progress, supplier, ref)
}

const isSlow = ({ now, enteredAt: entered }: Task): boolean => now.getTime() - entered.getTime() > SUPPLIER_MS

/**
 * Checks that the hold covers the amount. We pay the supplier and charge the hold, which is short if the merchant captured during an attempt
 * at the desk.
 */
async function isHoldSufficient({ db }: Deps, task: Task, order: UpgradeOrder): Promise<boolean> {
  return ((await taskHoldOf(db, task.id))?.leftNano ?? 0n) >= order.amount!
}

/** Places the order and returns the supplier's reference; undefined if it was certainly not placed. */
async function placeWithSupplier(
  deps: Deps,
  task: Task,
  { order, supplier, verb }: { readonly order: UpgradeOrder; readonly supplier: UpgradeSupplier; readonly verb: string },
): Promise<string | undefined> {
  const { plan, seats, account, link } = order
  try {
    const { ref } = await callSupplier(deps, task, {
      supplier: supplier.name,
      verb,
      leaves: true,
      run: async (key) => {
        const { ref: made } = await supplier.place({ key, plan, seats, account, link })
        return { ref: made }
      },
      find: async (key) => {
        const known = await supplier.byKey(key)
        return known && { ref: known.ref }
      },
    })
    return ref
  } catch (error) {
    const { kind } = asSupplierError(error)
    // Certainly nothing was placed, and the desk need not wait any longer
    if (kind === 'rejected' || (kind === 'retryable' && isSlow(task))) return undefined
    throw error
  }
}

function resolveProgress(progress: UpgradeProgress, { name }: UpgradeSupplier, ref: string): TaskTransition | TaskRecheck {
  const by = { supplier: name, supplierRef: ref }
  if (progress.state === 'done') return { to: 'done', ...by, facts: { receipt: progress.receipt } }
  if (progress.state === 'failed') return { to: 'failed', cause: progress.cause, ...by }
  if (progress.state === 'expired') return { to: 'link_expired', ...by }
  if (progress.state === 'captcha') return { to: 'captcha', supplier: UPGRADE_DESK, supplierRef: ref }
  return { seconds: POLL_SECONDS }
}

/** Cancels the task's orders at its suppliers; false if a supplier is no longer configured. Idempotent. */
async function cancelAtSuppliers(deps: Deps, task: Task): Promise<boolean> {
  for (const call of await selectSupplierCalls(deps.db, task.id)) {
    if (call.state === 'refused' || !call.verb.startsWith('place:')) continue
    const supplier = findUpgradeSupplier(deps, call.supplier)
    if (!supplier) return false
    const known = (call.answer?.['ref'] as string | undefined) ?? (await findSupplierRef(supplier, call.key))
    if (known) await supplier.cancel(known)
  }
  return true
}

async function findSupplierRef(supplier: UpgradeSupplier, key: string): Promise<string | undefined> {
  return (await supplier.byKey(key))?.ref
}

/** Amount and fee on the member's card, and the part captured by the merchant. */
async function listCardCharges(sql: Sql, tasks: readonly Task[]): Promise<ReadonlyMap<string, TaskCardFacts>> {
  const ids = tasks.map(({ id }) => id)
  const taken = await selectTakenByTask(sql, ids)
  return new Map(
    tasks.map(({ id, facts }) => {
      const { card, amount, fee } = facts as Record<'card' | 'amount' | 'fee', string>
      return [id, { last4: card, amount: addNano(parseUsd(amount), parseUsd(fee)), taken: taken.get(id) ?? 0n }]
    }),
  )
}

const readWaitMinutes = async (deps: Deps) => (await deps.settings.get(upgradeLimits)).waitHours * 60
const desk: DeskSpec = { ends: ['done', 'link_expired', 'failed'], facts: ['receipt'], steps: ['open', 'reveal', 'pay', 'check'] }
const deskStep = {
  phase: 'waiting',
  to: ['done', 'link_expired', 'failed'],
  desk,
  within: readWaitMinutes,
  late: { to: 'failed', cause: 'too_late' },
  tellAfter: 30,
} as const

/** Service definition. The price is charged to the member's card, so the kit holds nothing from the balance: every task is free there. */
export const upgradeService: ServiceSpec = {
  name: UPGRADE,
  flag: ({ product }) => (product.startsWith('chatgpt-') ? 'enableChatGPT' : 'oneClickUpgrade'),
  prices: Object.fromEntries(upgradePlans.map(({ id, price }) => [id, price])),
  first: 'placed',
  states: {
    placed: {
      phase: 'waiting',
      to: ['queued', 'captcha', 'link_expired', 'done', 'failed'],
      work: placeUpgrade,
      within: readWaitMinutes,
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: 40,
    },
    queued: deskStep,
    captcha: deskStep,
    link_expired: {
      phase: 'waiting',
      to: ['placed', 'failed'],
      within: async (deps) => (await deps.settings.get(upgradeLimits)).linkHours * 60,
      late: { to: 'failed', cause: 'link_late' },
      tellAfter: 6 * 60,
    },
    done: { phase: 'done', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: Object.fromEntries(UPGRADE_CAUSES.map((cause) => [cause, { money: 'back' as const }])),
  begin: holdCard,
  ended: settleOrder,
  giveBack: cancelAtSuppliers,
  byPeople: true,
  onCard: listCardCharges,
  glance: ({ facts }) => String(facts['account'] ?? ''),
  texts: upgradeServerTexts,
  path: '/gpt-upgrade',
}
