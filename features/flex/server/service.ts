import { isRejected } from '#platform/shared/suppliers/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import {
  callSupplier,
  selectSupplierCalls,
  extendTask,
  markAtSupplier,
  lockBeginnings,
  moveTask,
  selectTask,
  selectTasks,
} from '#features/services/server/door.ts'
import type { Task, TaskRecheck, TaskTransition, ServiceSpec } from '#features/services/server/door.ts'
import { findFlexPackage, flexPackages } from '../packages.ts'
import type { FlexPackage } from '../packages.ts'
import { hasBought, listPlatformTasks } from './platform-conflicts.ts'
import { lockCodes, deleteFlexTrials } from './data.ts'
import { listTaskAccounts, releaseSeats, takeSeat } from './seats/data.ts'
import type { SeatAccount } from './seats/data.ts'
import { byHandMinutes, setUpMinutes } from './settings.ts'
import { flexServerTexts } from './texts.ts'
import { findSeatSupplier } from './vendors/index.ts'
import { subtractNano, computePartShare, floorToCents } from '#platform/shared/money.ts'
import type { Nano } from '#platform/shared/money.ts'

/** The subscription that this order extends. */
const readExtendedTaskId = ({ facts }: Task): string | undefined => facts['extends'] as string | undefined

/** Refunds renewals of a subscription whose account was lost, by the same share as the subscription itself: their days come last. */
async function refundRenewals(deps: Deps, tx: Tx, main: Task): Promise<void> {
  if (main.cause !== 'account_lost') return
  const done = await selectTasks(tx, { userId: main.userId, service: 'flex', phases: ['done'], limit: 200 })
  for (const { id, charged, returned, state } of done.filter((task) => readExtendedTaskId(task) === main.id)) {
    const giveBack = computeUnusedRefund({ ...main, charged: subtractNano(charged, returned) })
    if (state === 'extended' && giveBack > 0n) await moveTask(deps, tx, { id, from: ['extended'], to: { to: 'extended', giveBack, note: 'account_lost' } })
  }
}

/** Refund in whole cents for the unused share of the time. */
function computeUnusedRefund(task: Pick<Task, 'charged' | 'deliveredAt' | 'expiresAt' | 'now'>): Nano {
  if (!task.deliveredAt || !task.expiresAt || task.charged === 0n) return 0n
  const all = BigInt(task.expiresAt.getTime() - task.deliveredAt.getTime())
  const left = BigInt(Math.max(0, task.expiresAt.getTime() - task.now.getTime()))
  return floorToCents(computePartShare(task.charged, left, all))
}

export const FLEX_SERVICE = 'flex'
const DAY_MS = 86_400_000
/** Supplier name for accounts that operators set up because they have no API. */
export const DESK_SUPPLIER = 'desk'

export const requireFlexPackage = (task: Pick<Task, 'product'>): FlexPackage => findFlexPackage(Number(task.product)) ?? fail('SERVICE_UNKNOWN')

/**
 * Takes a seat for each platform in the transaction that begins the order; without a free seat, nothing begins. Repeats the checks of
 * the order under a lock: several orders made concurrently would each get the first-order discount, or take two seats on a platform.
 */
async function takeSeats(_deps: Deps, tx: Tx, task: Task): Promise<void> {
  await lockBeginnings(tx, task.userId, FLEX_SERVICE)
  const asking = { userId: task.userId, id: task.id }
  if (task.facts['inviteCode'] !== undefined) {
    await lockCodes(tx)
    if (await hasBought(tx, asking)) fail('FLEX_CODE_USED')
  }
  if (readExtendedTaskId(task)) return
  const wanted = requireFlexPackage(task)
  if ((await listPlatformTasks(tx, asking, wanted)).length) fail('SERVICE_NOT_PAYABLE')
  for (const { platform, tier } of wanted.seats) if (!(await takeSeat(tx, task.id, { platform, tier }))) fail('FLEX_SOLD_OUT')
  await markAtSupplier(tx, task.id)
}

/** Has the supplier admit the member, or queues the task for an operator; an extension adds time to the existing subscription. */
async function setUp(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck | undefined> {
  if (readExtendedTaskId(task)) return addTime(deps, task, readExtendedTaskId(task)!)
  const accounts = await listTaskAccounts(deps.db, task.id)
  if (accounts.some(({ supplier }) => supplier === DESK_SUPPLIER)) return { to: 'by_hand', supplier: DESK_SUPPLIER }
  const until = new Date(task.startedAt!.getTime() + requireFlexPackage(task).days * DAY_MS)
  const members: Record<string, string> = {}
  for (const account of accounts) {
    const ref = await admitMember(deps, task, { account, until })
    if (ref === undefined) return { to: 'failed', cause: 'refused' }
    if (ref === '') return { seconds: 2 }
    members[account.platform] = ref
  }
  return { to: 'in_use', expiresAt: until, facts: { members }, supplier: accounts[0]!.supplier, supplierRef: Object.values(members).join(',') }
}

/** Reference of the member at the supplier; empty while it is being created, undefined if the supplier refuses. */
async function admitMember(deps: Deps, task: Task, { account, until }: { readonly account: SeatAccount; readonly until: Date }): Promise<string | undefined> {
  const supplier = findSeatSupplier(deps, account.supplier)
  if (!supplier) throw new Error(`${account.supplier} is not connected`)
  const seat = requireFlexPackage(task).seats.find(({ platform }) => platform === account.platform)!
  try {
    const { ref } = await callSupplier(deps, task, {
      supplier: account.supplier,
      verb: `admit:${account.platform}`,
      leaves: true,
      run: async (key) => {
        const made = await supplier.admit({ key, accountRef: account.ref, until, services: requireFlexPackage(task).services, messages: seat.messages[1] })
        return { ref: made.ref }
      },
      find: async (key) => {
        const known = await supplier.memberByKey(key)
        return known && { ref: known.ref }
      },
    })
    const { state } = await supplier.member(ref)
    return state === 'active' ? ref : state === 'pending' ? '' : undefined
  } catch (error) {
    if (isRejected(error)) return undefined
    throw error
  }
}

/** Extends at the supplier first, then our own expiry. Idempotent: a retry sets the same end. */
async function addTime(deps: Deps, task: Task, mainId: string): Promise<TaskTransition | TaskRecheck | undefined> {
  const main = await selectTask(deps.db, mainId)
  if (main?.state !== 'in_use' || !main.expiresAt) return { to: 'failed', cause: 'not_in_use' }
  const until = new Date(main.expiresAt.getTime() + requireFlexPackage(task).days * DAY_MS)
  for (const account of await listTaskAccounts(deps.db, mainId)) {
    const supplier = findSeatSupplier(deps, account.supplier)
    const ref = (main.facts['members'] as Record<string, string> | undefined)?.[account.platform]
    if (!supplier || !ref) continue
    try {
      await callSupplier(deps, task, {
        supplier: account.supplier,
        verb: `extend:${account.platform}:${until.getTime()}`,
        run: async (key) => {
          const said = await supplier.extend({ key, ref, until })
          return { ref: said.ref }
        },
      })
    } catch (error) {
      if (isRejected(error)) return { to: 'failed', cause: 'refused' }
      throw error
    }
  }
  return {
    to: 'extended',
    facts: { until: until.toISOString() },
    also: async (tx) => {
      // A concurrent change won: abort and retry.
      const longer = await extendTask(deps, tx, {
        id: mainId,
        state: 'in_use',
        longer: (now) => (now.expiresAt.getTime() === main.expiresAt!.getTime() ? until : undefined),
      })
      if (!longer) throw new Error(`${mainId} has changed meanwhile`)
    },
  }
}

const computeEnd = (task: Task): Date => new Date(task.now.getTime() + requireFlexPackage(task).days * DAY_MS)

/** Ends the subscription if its supplier lost the account, and refunds the days left. */
async function watchAccount(deps: Deps, task: Task): Promise<TaskTransition | TaskRecheck | undefined> {
  const accounts = await listTaskAccounts(deps.db, task.id)
  if (!accounts.some(({ state }) => state === 'lost')) return { seconds: 300 }
  return { to: 'ended', cause: 'account_lost', back: computeUnusedRefund(task) }
}

/** Removes members at their supplier, or has an operator do it for accounts of the desk; only then are their seats sold again. */
async function removeMembers(deps: Deps, task: Task): Promise<boolean> {
  const accounts = await listTaskAccounts(deps.db, task.id)
  const calls = await selectSupplierCalls(deps.db, task.id)
  for (const account of accounts) {
    const call = calls.find(({ verb }) => verb === `admit:${account.platform}`)
    const supplier = findSeatSupplier(deps, account.supplier)
    if (!call || call.state === 'refused' || account.supplier === DESK_SUPPLIER) continue
    if (!supplier) return false
    const ref = (call.answer?.['ref'] as string | undefined) ?? (await supplier.memberByKey(call.key))?.ref
    if (ref) await supplier.remove({ key: `${task.id}:remove:${account.platform}`, ref })
  }
  if (task.state === 'expired' && accounts.some(({ supplier }) => supplier === DESK_SUPPLIER)) {
    await transact(deps.db, SYSTEM, (tx) => moveTask(deps, tx, { id: task.id, from: ['expired'], to: { to: 'leaving', cause: task.cause } })) // audited by moveTask
    return false
  }
  if (task.state === 'leaving') return false
  await transact(deps.db, SYSTEM, async (tx) => {
    const seats = await releaseSeats(tx, task.id)
    await tx.audit('flex.seats_left', `service:${task.id}`, { seats })
  })
  return true
}

export const flexService: ServiceSpec = {
  name: FLEX_SERVICE,
  orderType: 9,
  flag: ({ product }) => {
    const services = findFlexPackage(Number(product))?.services ?? []
    return services.includes('claude') ? 'enableClaude' : services.length ? 'enableChatGPT' : undefined
  },
  prices: Object.fromEntries(flexPackages.map(({ id, price }) => [String(id), price])),
  first: 'ordered',
  states: {
    ordered: {
      phase: 'waiting',
      to: ['in_use', 'by_hand', 'extended', 'failed'],
      work: setUp,
      within: (deps) => deps.settings.get(setUpMinutes),
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: 5,
    },
    by_hand: {
      phase: 'waiting',
      to: ['in_use', 'failed'],
      desk: { ends: ['in_use', 'failed'], facts: ['shareUrl'], steps: ['admit', 'link', 'test'] },
      within: (deps) => deps.settings.get(byHandMinutes),
      late: { to: 'failed', cause: 'too_late' },
      tellAfter: 60,
    },
    in_use: { phase: 'using', to: ['in_use', 'expired', 'ended'], work: watchAccount, until: computeEnd, expires: { to: 'expired', cause: 'time_up' } },
    expired: { phase: 'done', to: ['leaving'] },
    leaving: { phase: 'done', to: ['removed'], desk: { ends: ['removed'], steps: ['remove'] } },
    removed: { phase: 'done', to: [] },
    extended: { phase: 'done', to: [] },
    ended: { phase: 'failed', to: [] },
    failed: { phase: 'failed', to: [] },
  },
  causes: {
    sold_out: { money: 'back' },
    refused: { money: 'back' },
    too_late: { money: 'back' },
    by_hand: { money: 'back' },
    not_in_use: { money: 'back' },
    time_up: { money: 'keep' },
    account_lost: { money: 'part' },
  },
  begin: takeSeats,
  ended: async (deps, tx, task) => {
    await refundRenewals(deps, tx, task)
    if (requireFlexPackage(task).trial && task.deliveredAt === null) await deleteFlexTrials(tx, task.userId, task.id)
  },
  giveBack: removeMembers,
  texts: flexServerTexts,
  path: '/gpt-plus-share',
}
