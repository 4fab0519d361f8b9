import type { ConfigShape } from '#platform/server/config.ts'
import { channelVendors } from './vendors/index.ts'
import { payoutVendors } from './withdrawals/vendors/index.ts'

/** Environment variables of all payment and payout channels. A channel without credentials is not offered. */
export const paymentsConfig: ConfigShape = Object.assign({}, ...channelVendors.map(({ env }) => env), ...payoutVendors.map(({ env }) => env))
