import { allowsSandbox } from '#platform/server/config.ts'
import type { PlatformConfig } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import { withFaults } from '#platform/server/suppliers/faults.ts'
import type { FaultSource } from '#platform/server/suppliers/faults.ts'
import type { SupplierPort } from '#platform/server/suppliers/ports.ts'
import { alipayTransfer } from './alipay-transfer/index.ts'
import type { Payout, PayoutConfig, PayoutTools, PayoutVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Payout vendors, one line each; the first with credentials pays. */
export const payoutVendors: readonly PayoutVendor[] = [alipayTransfer, sandbox]

export const payoutPort = {
  port: 'payments.payout',
  operations: { send: 'write', query: 'read' },
  vendors: payoutVendors.map(({ name }) => name),
} as const satisfies SupplierPort

type Stage = Pick<PlatformConfig, 'STAGE' | 'ALLOW_SANDBOX'>
const connected = new WeakMap<object, readonly Payout[]>()

function listPayouts(config: Stage & PayoutConfig): readonly Payout[] {
  const known = connected.get(config)
  if (known) return known
  const payouts = payoutVendors
    .filter((vendor) => !vendor.sandbox || allowsSandbox(config, 'payment'))
    .map((vendor) => {
      const payout = vendor.connect(config)
      return payout && vendor.sandbox ? withFaults(payoutPort, payout, ([tools]) => tools as FaultSource) : payout
    })
    .filter((payout) => payout !== undefined)
  connected.set(config, payouts)
  return payouts
}

/** Vendor for new payouts; undefined if none is configured, which closes withdrawals. */
export function findCurrentPayout(config: Stage & PayoutConfig): Payout | undefined {
  return listPayouts(config)[0]
}

/** Vendor that sent an existing payout. Only it is queried, whichever vendor sends new payouts. */
export function findPayoutByName(config: Stage & PayoutConfig, name: string): Payout | undefined {
  return listPayouts(config).find((payout) => payout.name === name)
}

/** Reads the credentials once, so that invalid ones stop the start and not the first payout. */
export function checkPayouts(config: Stage & PayoutConfig): void {
  listPayouts(config)
}

export function createPayoutTools(deps: Deps): PayoutTools {
  return { now: () => deps.clock.now(), query: (text, values) => deps.db.query(text, values) as Promise<never[]> }
}
