import { randomBytes } from 'node:crypto'
import { rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import { UPGRADE_CAUSES } from '../port.ts'
import type { PlacedUpgrade, UpgradeProgress, SupplierTools, UpgradeSupplierVendor, UpgradeCause, UpgradeSupplier } from '../port.ts'
import { insertSandboxOrder, sandboxByKey, sandboxByRef, setSandboxState } from './data.ts'
import type { SandboxOrder } from './data.ts'

/** Tags in the member's address (`anna+risk@…`, or any cause) that choose the result; done without one. */
type Magic = 'expired' | 'captcha' | 'slow' | 'lost' | 'down' | 'text' | 'refused' | 'silent'

const TAKES_MS = 2_000
const SLOW_MS = 20_000

const magicOf = (account: string): string => /\+([a-z_]+)@/.exec(account.toLowerCase())?.[1] ?? ''

/** Fake supplier with its own table: one order per key, even if responses are lost. */
export const sandbox: UpgradeSupplierVendor = { name: 'sandbox', sandbox: true, connect }

function connect(_config: object, { query, now }: SupplierTools): UpgradeSupplier {
  const placed = ({ ref }: SandboxOrder): PlacedUpgrade => ({ ref })
  return {
    name: 'sandbox',
    place: async ({ key, account }) => {
      const magic = magicOf(account) as Magic
      if (magic === 'refused') throw rejectedError('refused', 'region not served')
      const known = await sandboxByKey(query, key)
      if (!known && magic === 'down') throw new Error('the supplier is down')
      if (!known && magic === 'text') throw new SyntaxError(`Unexpected token 'S', "Service busy" is not valid JSON`)
      const made = await insertSandboxOrder(query, { key, ref: `up_${randomBytes(9).toString('base64url')}`, account, createdAt: now() })
      // the order is placed, but the response is lost
      if (!known && magic === 'lost') throw new Error('the answer was lost')
      return placed(made)
    },
    byKey: async (key) => {
      const known = await sandboxByKey(query, key)
      return known && placed(known)
    },
    look: async (ref) => {
      const order = await sandboxByRef(query, ref)
      if (!order) throw new Error(`no order ${ref}`)
      return progressOf(query, order, now())
    },
    cancel: async (ref) => {
      const order = await sandboxByRef(query, ref)
      if (order?.state === 'working' || order?.state === 'captcha' || order?.state === 'expired') await setSandboxState(query, ref, 'cancelled')
    },
  }
}

async function progressOf(query: SupplierTools['query'], order: SandboxOrder, now: Date): Promise<UpgradeProgress> {
  const magic = magicOf(order.account)
  const takes = magic === 'slow' ? SLOW_MS : TAKES_MS
  if (order.state === 'working' && (magic === 'silent' || now.getTime() - order.createdAt.getTime() < takes)) return { state: 'working' }
  const cause = UPGRADE_CAUSES.find((name) => name === magic)
  // a second link succeeds
  const again = order.key.endsWith(':2')
  const end = order.state !== 'working' ? order.state : cause ? 'failed' : magic === 'expired' && !again ? 'expired' : magic === 'captcha' ? 'captcha' : 'done'
  if (order.state === 'working') await setSandboxState(query, order.ref, end, cause ?? '')
  if (end === 'failed') return { state: 'failed', cause: (order.cause || cause) as UpgradeCause }
  if (end === 'expired' || end === 'captcha') return { state: end }
  return end === 'done' ? { state: 'done', receipt: `SBX-${order.ref.slice(-6).toUpperCase()}` } : { state: 'working' }
}
