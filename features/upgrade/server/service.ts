import { outcomeOf } from '#platform/shared/supplier-error.ts'
import { crashPoint } from '#platform/server/crash.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { Sql } from '#platform/server/database/db.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { chargeTask, freeTask, keepForTask, takenFor, taskHoldOf } from '#features/cards/server/door.ts'
import { askSupplier, callsOf } from '#features/services/server/door.ts'
import type { Again, DeskSpec, Learned, OnCard, ServiceSpec, Task } from '#features/services/server/door.ts'
import { parseUsd, plus } from '#platform/shared/money.ts'
import { planOf, plans } from '../plans.ts'
import { UPGRADE_CAUSES } from '../words.ts'
import { endOrder, enterQueue, orderById, orderOfTask } from './data.ts'
import type { Order } from './data.ts'
import { supplierChoice, upgradeLimits, upgradeServices } from './settings.ts'
import { planName, upgradeServerTexts } from './texts.ts'
import { supplierNamed } from './vendors/index.ts'
import type { Progress, UpgradeSupplier } from './vendors/port.ts'

export const UPGRADE = 'upgrade'
const DESK = 'desk'
/** Timeout of a supplier; then the order is cancelled there and goes to the desk. */
const SUPPLIER_MS = 30 * 60_000
const LOOK_SECONDS = 2

/** Input of `begin` besides the order; part of the task's facts, which desk and member can see. */
interface Lent {
  readonly cardId: string
  readonly amount: string
  readonly fee: string
}
export const factsOf = (order: Order, last4: string, { cardId, amount, fee }: Lent): Readonly<Record<string, string>> => ({
  ...{ order: order.id, service: order.service, plan: order.plan, account: order.account, link: order.link },
  ...(planOf(order.plan)?.team ? { seats: String(order.seats) } : {}),
  ...{ card: last4, cardId, amount, fee },
})

/** Takes a place among the card's accounts and holds the total on the card, in the transaction that starts the task. */
async function begin(deps: Deps, tx: Tx, task: Task): Promise<void> {
  const facts = task.facts as Record<'order' | 'card' | 'cardId' | 'amount' | 'fee', string>
  const order = (await orderById(tx, facts.order, task.user_id)) ?? fail('UPGRADE_UNKNOWN')
  const { merchants } = (await deps.settings.get(upgradeServices))[order.service] ?? fail('SERVICE_UNKNOWN')
  const { accounts: most, days } = await deps.settings.get(upgradeLimits)
  const [amount, fee] = [parseUsd(facts.amount), parseUsd(facts.fee)]
  const name = planName('en', order.plan)
  if (!(await keepForTask(tx, { id: task.id, cardId: facts.cardId, name, amount: plus(amount, fee), merchants })))
    fail('UPGRADE_CARD', { problem: 'short', missing: '0' })
  if (!(await enterQueue(tx, order, { taskId: task.id, cardId: facts.cardId, last4: facts.card, amount, fee, most, days })))
    fail('UPGRADE_CARD_FULL', { most, days })
}

/** Records the outcome in the transaction that ends the task: captures a supplier's delivery from the hold, and releases the rest. */
async function ended(deps: Deps, tx: Tx, task: Task): Promise<void> {
  const now = deps.clock.now()
  const isDone = task.phase === 'done'
  const order = await endOrder(tx, task.id, isDone ? 'done' : 'failed', task.cause)
  if (order && isDone && task.supplier !== DESK) await chargeTask(deps, tx, task.id, order.amount!, now)
  else await freeTask(tx, task.id, now)
  crashPoint('upgrade.ended-before-commit')
}

/** Sends the order to the chosen supplier or the desk; the desk takes what the supplier does not do. */
async function place(deps: Deps, task: Task): Promise<Learned | Again | undefined> {
  const order = (await orderOfTask(deps.db, task.id)) ?? fail('UPGRADE_UNKNOWN')
  const verb = `place:${order.lent}`
  const known = (await callsOf(deps.db, task.id)).find((call) => call.verb === verb)
  const name = known?.supplier ?? ((await isWhole(deps, task, order)) ? await deps.settings.get(supplierChoice) : DESK)
  const supplier = name === DESK ? undefined : supplierNamed(deps, name)
  if (!supplier) {
    if (known && known.state !== 'refused') throw new Error(`${name} is not connected`)
    return { to: 'queued', supplier: DESK }
  }
  const ref = await placed(deps, task, order, supplier, verb)
  if (ref === undefined) return { to: 'queued', supplier: DESK }
  const progress = await supplier.look(ref)
  if (progress.state === 'working' && isSlow(task)) {
    await supplier.cancel(ref)
    // count a result from the last moment
    const last = await supplier.look(ref)
    return last.state === 'done' ? learned(last, supplier, ref) : { to: 'queued', supplier: DESK }
  }
  return learned(progress, supplier, ref)
}

const isSlow = ({ now, entered_at: entered }: Task): boolean => now.getTime() - entered.getTime() > SUPPLIER_MS

/**
 * Checks that the hold covers the amount. We pay the supplier and charge the hold, which is short if the merchant captured during an attempt
 * at the desk.
 */
async function isWhole({ db }: Deps, task: Task, order: Order): Promise<boolean> {
  return ((await taskHoldOf(db, task.id))?.left_nano ?? 0n) >= order.amount!
}

/** Places the order and returns the supplier's reference; undefined if it was certainly not placed. */
async function placed(deps: Deps, task: Task, order: Order, supplier: UpgradeSupplier, verb: string): Promise<string | undefined> {
  const { plan, seats, account, link } = order
  try {
    const { ref } = await askSupplier(deps, task, {
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
    const { kind } = outcomeOf(error)
    // Certainly nothing was placed, and the desk need not wait any longer
    if (kind === 'rejected' || (kind === 'retryable' && isSlow(task))) return undefined
    throw error
  }
}

function learned(progress: Progress, { name }: UpgradeSupplier, ref: string): Learned | Again {
  const by = { supplier: name, supplierRef: ref }
  if (progress.state === 'done') return { to: 'done', ...by, facts: { receipt: progress.receipt } }
  if (progress.state === 'failed') return { to: 'failed', cause: progress.cause, ...by }
  if (progress.state === 'expired') return { to: 'link_expired', ...by }
  if (progress.state === 'captcha') return { to: 'captcha', supplier: DESK, supplierRef: ref }
  return { seconds: LOOK_SECONDS }
}

/** Cancels the task's orders at its suppliers; false if a supplier is no longer configured. Idempotent. */
async function giveBack(deps: Deps, task: Task): Promise<boolean> {
  for (const call of await callsOf(deps.db, task.id)) {
    if (call.state === 'refused' || !call.verb.startsWith('place:')) continue
    const supplier = supplierNamed(deps, call.supplier)
    if (!supplier) return false
    const known = (call.answer?.['ref'] as string | undefined) ?? (await refOf(supplier, call.key))
    if (known) await supplier.cancel(known)
  }
  return true
}

async function refOf(supplier: UpgradeSupplier, key: string): Promise<string | undefined> {
  return (await supplier.byKey(key))?.ref
}

/** Amount and fee on the member's card, and the part captured by the merchant. */
async function onCard(sql: Sql, tasks: readonly Task[]): Promise<ReadonlyMap<string, OnCard>> {
  const ids = tasks.map(({ id }) => id)
  const taken = await takenFor(sql, ids)
  return new Map(
    tasks.map(({ id, facts }) => {
      const { card, amount, fee } = facts as Record<'card' | 'amount' | 'fee', string>
      return [id, { last4: card, amount: plus(parseUsd(amount), parseUsd(fee)), taken: taken.get(id) ?? 0n }]
    }),
  )
}

const waits = async (deps: Deps) => (await deps.settings.get(upgradeLimits)).waitHours * 60
const desk: DeskSpec = { ends: ['done', 'link_expired', 'failed'], facts: ['receipt'], steps: ['open', 'reveal', 'pay', 'check'] }
const byHand = {
  phase: 'waiting',
  to: ['done', 'link_expired', 'failed'],
  desk,
  within: waits,
  late: { to: 'failed', cause: 'too_late' },
  tellAfter: 30,
} as const

/** Service definition. The price is charged to the member's card, so the kit holds nothing from the balance: every task is free there. */
export const upgradeService: ServiceSpec = {
  name: UPGRADE,
  flag: ({ product }) => (product.startsWith('chatgpt-') ? 'enableChatGPT' : 'oneClickUpgrade'),
  prices: Object.fromEntries(plans.map(({ id, price }) => [id, price])),
  first: 'placed',
  states: {
    placed: {
      phase: 'waiting',
      to: ['queued', 'captcha', 'link_expired', 'done', 'failed'],
      work: place,
      within: waits,
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: 40,
    },
    queued: byHand,
    captcha: byHand,
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
  begin,
  ended,
  giveBack,
  byPeople: true,
  onCard,
  glance: ({ facts }) => String(facts['account'] ?? ''),
  texts: upgradeServerTexts,
  path: '/gpt-upgrade',
}
