import type { Shape } from '#platform/server/config.ts'
import { channelVendors } from './vendors/index.ts'
import { payoutVendors } from './withdrawals/vendors/index.ts'

/** What every channel's folder reads from the environment. A channel without its credentials is not offered. */
export const paymentsConfig: Shape = Object.assign({}, ...channelVendors.map(({ env }) => env), ...payoutVendors.map(({ env }) => env))
