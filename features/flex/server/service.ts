import { isRejected } from '#platform/shared/supplier-error.ts'
import type { Deps } from '#platform/server/feature.ts'
import { SYSTEM, transact } from '#platform/server/database/transact.ts'
import type { Tx } from '#platform/server/database/transact.ts'
import { fail } from '#platform/shared/errors.ts'
import { askSupplier, callsOf, extendTask, leavesAtSupplier, lockBeginnings, moveTask, taskById } from '#features/services/server/door.ts'
import type { Again, Learned, ServiceSpec, Task } from '#features/services/server/door.ts'
import { packageOf, packages } from '../packages.ts'
import type { Package } from '../packages.ts'
import { hasBought, onPlatforms } from './alone.ts'
import { lockCodes, returnTrials } from './data.ts'
import { leftOf, mainOf, returnRenewals } from './renewals.ts'
import { accountsOfTask, leaveSeats, takeSeat } from './seats/data.ts'
import type { Account } from './seats/data.ts'
import { byHandMinutes, setUpMinutes } from './settings.ts'
import { flexServerTexts } from './texts.ts'
import { supplierNamed } from './vendors/index.ts'

export const FLEX = 'flex'
const DAY_MS = 86_400_000
/** Supplier name for accounts that operators set up because they have no API. */
export const BY_HAND = 'desk'

export const packageIn = (task: Pick<Task, 'product'>): Package => packageOf(Number(task.product)) ?? fail('SERVICE_UNKNOWN')

/**
 * Takes a seat for each platform in the transaction that begins the order; without a free seat, nothing begins. Repeats the checks of
 * the order under a lock: several orders made concurrently would each get the first-order discount, or take two seats on a platform.
 */
async function begin(_deps: Deps, tx: Tx, task: Task): Promise<void> {
  await lockBeginnings(tx, task.user_id, FLEX)
  const asking = { userId: task.user_id, id: task.id }
  if (task.facts['inviteCode'] !== undefined) {
    await lockCodes(tx)
    if (await hasBought(tx, asking)) fail('FLEX_CODE_USED')
  }
  if (mainOf(task)) return
  const wanted = packageIn(task)
  if ((await onPlatforms(tx, asking, wanted)).length) fail('SERVICE_NOT_PAYABLE')
  for (const { platform, tier } of wanted.seats) if (!(await takeSeat(tx, task.id, platform, tier))) fail('FLEX_SOLD_OUT')
  await leavesAtSupplier(tx, task.id)
}

/** Has the supplier admit the member, or queues the task for an operator; an extension adds time to the existing subscription. */
async function setUp(deps: Deps, task: Task): Promise<Learned | Again | undefined> {
  if (mainOf(task)) return addTime(deps, task, mainOf(task)!)
  const accounts = await accountsOfTask(deps.db, task.id)
  if (accounts.some(({ supplier }) => supplier === BY_HAND)) return { to: 'by_hand', supplier: BY_HAND }
  const until = new Date(task.started_at!.getTime() + packageIn(task).days * DAY_MS)
  const members: Record<string, string> = {}
  for (const account of accounts) {
    const ref = await admitted(deps, task, account, until)
    if (ref === undefined) return { to: 'failed', cause: 'refused' }
    if (ref === '') return { seconds: 2 }
    members[account.platform] = ref
  }
  return { to: 'in_use', expiresAt: until, facts: { members }, supplier: accounts[0]!.supplier, supplierRef: Object.values(members).join(',') }
}

/** Reference of the member at the supplier; empty while it is being created, undefined if the supplier refuses. */
async function admitted(deps: Deps, task: Task, account: Account, until: Date): Promise<string | undefined> {
  const supplier = supplierNamed(deps, account.supplier)
  if (!supplier) throw new Error(`${account.supplier} is not connected`)
  const seat = packageIn(task).seats.find(({ platform }) => platform === account.platform)!
  try {
    const { ref } = await askSupplier(deps, task, {
      supplier: account.supplier,
      verb: `admit:${account.platform}`,
      leaves: true,
      run: async (key) => {
        const made = await supplier.admit({ key, accountRef: account.ref, until, services: packageIn(task).services, messages: seat.messages[1] })
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
async function addTime(deps: Deps, task: Task, mainId: string): Promise<Learned | Again | undefined> {
  const main = await taskById(deps.db, mainId)
  if (main?.state !== 'in_use' || !main.expires_at) return { to: 'failed', cause: 'not_in_use' }
  const until = new Date(main.expires_at.getTime() + packageIn(task).days * DAY_MS)
  for (const account of await accountsOfTask(deps.db, mainId)) {
    const supplier = supplierNamed(deps, account.supplier)
    const ref = (main.facts['members'] as Record<string, string> | undefined)?.[account.platform]
    if (!supplier || !ref) continue
    try {
      await askSupplier(deps, task, {
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
      const longer = await extendTask(deps, tx, mainId, 'in_use', (now) => (now.expires_at.getTime() === main.expires_at!.getTime() ? until : undefined))
      if (!longer) throw new Error(`${mainId} has changed meanwhile`)
    },
  }
}

const endOf = (task: Task): Date => new Date(task.now.getTime() + packageIn(task).days * DAY_MS)

/** Ends the subscription if its supplier lost the account, and refunds the days left. */
async function watch(deps: Deps, task: Task): Promise<Learned | Again | undefined> {
  const accounts = await accountsOfTask(deps.db, task.id)
  if (!accounts.some(({ state }) => state === 'lost')) return { seconds: 300 }
  return { to: 'ended', cause: 'account_lost', back: leftOf(task) }
}

/** Removes members at their supplier, or has an operator do it for accounts of the desk; only then are their seats sold again. */
async function giveBack(deps: Deps, task: Task): Promise<boolean> {
  const accounts = await accountsOfTask(deps.db, task.id)
  const calls = await callsOf(deps.db, task.id)
  for (const account of accounts) {
    const call = calls.find(({ verb }) => verb === `admit:${account.platform}`)
    const supplier = supplierNamed(deps, account.supplier)
    if (!call || call.state === 'refused' || account.supplier === BY_HAND) continue
    if (!supplier) return false
    const ref = (call.answer?.['ref'] as string | undefined) ?? (await supplier.memberByKey(call.key))?.ref
    if (ref) await supplier.remove({ key: `${task.id}:remove:${account.platform}`, ref })
  }
  if (task.state === 'expired' && accounts.some(({ supplier }) => supplier === BY_HAND)) {
    await transact(deps.db, SYSTEM, (tx) => moveTask(deps, tx, task.id, ['expired'], { to: 'leaving', cause: task.cause })) // audited by moveTask
    return false
  }
  if (task.state === 'leaving') return false
  await transact(deps.db, SYSTEM, async (tx) => {
    const seats = await leaveSeats(tx, task.id)
    await tx.audit('flex.seats_left', `service:${task.id}`, { seats })
  })
  return true
}

export const flexService: ServiceSpec = {
  name: FLEX,
  orderType: 9,
  flag: ({ product }) => {
    const services = packageOf(Number(product))?.services ?? []
    return services.includes('claude') ? 'enableClaude' : services.length ? 'enableChatGPT' : undefined
  },
  prices: Object.fromEntries(packages.map(({ id, price }) => [String(id), price])),
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
    in_use: { phase: 'using', to: ['in_use', 'expired', 'ended'], work: watch, until: endOf, expires: { to: 'expired', cause: 'time_up' } },
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
  begin,
  ended: async (deps, tx, task) => {
    await returnRenewals(deps, tx, task)
    if (packageIn(task).trial && task.delivered_at === null) await returnTrials(tx, task.user_id, task.id)
  },
  giveBack,
  texts: flexServerTexts,
  path: '/gpt-plus-share',
}
