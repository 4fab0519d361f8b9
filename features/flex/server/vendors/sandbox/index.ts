import { randomBytes } from 'node:crypto'
import { rejectedError } from '#platform/shared/suppliers/supplier-error.ts'
import type { SeatMember, SeatSupplier, SeatSupplierAccount, SeatTools, SeatSupplierVendor } from '../port.ts'
import { claimCall, insertMember, memberByKey, memberByRef, setMember } from './data.ts'
import type { SandboxMember } from './data.ts'
import { windowOf } from './window.ts'

export { postMessage, shareStyle, showShare } from './page.ts'

/** Accounts that the sandbox sells. */
const ACCOUNTS: readonly SeatSupplierAccount[] = [
  ...(['plus', 'max', 'o1', 'token'] as const).map((tier) => account(1, tier)),
  ...(['plus', 'max', 'token', 'tokenPro'] as const).map((tier) => account(2, tier)),
  account(6, 'plus'),
]

function account(platform: 1 | 2 | 6, tier: string): SeatSupplierAccount {
  return { ref: `shared-${platform}-${tier}`, platform, tier, seats: 40, lost: false }
}

const SLOW_MS = 3_000
const token = () => randomBytes(24).toString('base64url')
const shown = ({ ref, state }: SandboxMember): SeatMember => ({ ref, state })

/** A sandbox supplier with its own records, one member per key. The setting `fault` selects its faults; its records stay correct even then. */
export const sandbox: SeatSupplierVendor = { name: 'sandbox', sandbox: true, connect }

function connect(_config: object, tools: SeatTools): SeatSupplier {
  const { query, now, fault } = tools
  /** Activates a slow member once its time has passed. */
  const current = async (member: SandboxMember | undefined): Promise<SandboxMember | undefined> => {
    if (member?.state !== 'pending' || (await fault()) === 'late' || now().getTime() - member.createdAt.getTime() < SLOW_MS) return member
    await setMember(query, member.ref, { state: 'active' })
    return { ...member, state: 'active' }
  }
  const awake = async (): Promise<void> => {
    const wish = await fault()
    if (wish === 'down') throw new Error('the supplier is down')
    if (wish === 'text') throw new SyntaxError(`Unexpected token 'S', "Service busy" is not valid JSON`)
  }
  const known = async (ref: string): Promise<SandboxMember> => {
    await awake()
    const member = await current(await memberByRef(query, ref))
    if (!member) throw new Error(`no member ${ref}`)
    return member
  }
  return {
    name: 'sandbox',
    accounts: async () => {
      await awake()
      return ACCOUNTS
    },
    admit: async ({ key, accountRef, until }) => {
      await awake()
      const wish = await fault()
      if (wish === 'refused') throw rejectedError('refused', 'number pool exhausted')
      const state = wish === 'slow' || wish === 'late' ? 'pending' : 'active'
      const make = () => insertMember(query, { ref: `mem_${token()}`, key, accountRef, until, state, token: token() })
      const made = await make()
      if (wish === 'double') await make()
      if (wish === 'lost' && (await claimCall(query, `${key}:lost`))) throw new Error('the answer was lost')
      return shown(made)
    },
    memberByKey: async (key) => {
      await awake()
      const member = await current(await memberByKey(query, key))
      return member && shown(member)
    },
    member: async (ref) => shown(await known(ref)),
    extend: async ({ key, ref, until }) => {
      const member = await known(ref)
      if (member.state !== 'active') throw rejectedError('refused', 'no such member')
      if (await claimCall(query, key)) await setMember(query, ref, { until })
      return shown(member)
    },
    enter: async ({ ref }) => {
      const member = await known(ref)
      const fresh = token()
      await setMember(query, member.ref, { token: fresh })
      return { url: `${tools.publicUrl()}/sandbox/share/${fresh}`, secret: token(), expiresAt: new Date(now().getTime() + 60_000) }
    },
    windows: async (ref) => {
      const member = await known(ref)
      return [await windowOf(tools, member, 'chat')]
    },
    remove: async ({ ref }) => {
      await awake()
      await setMember(query, ref, { state: 'removed' })
    },
  }
}
