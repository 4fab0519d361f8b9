import { createVendorRegistry } from '#platform/server/suppliers/registry.ts'
import type { ConfigHolder } from '#platform/server/suppliers/registry.ts'
import { alipayTransfer } from './alipay-transfer/index.ts'
import type { PayoutVendor } from './port.ts'
import { sandbox } from './sandbox/index.ts'

/** Payout vendors, one line each; the first with credentials sends new payouts, and each answers for the payouts that it sent. */
export const payoutRegistry = createVendorRegistry<PayoutVendor, ConfigHolder>({
  port: 'payments.payout',
  operations: { send: 'write', query: 'read' },
  vendors: [alipayTransfer, sandbox],
  sandbox: 'payment',
})
