import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { rateNow } from './rate-now.ts'

export const exchangeRate: Handler<typeof paymentsContract.exchangeRate> = async (ctx) => ({ from: 'USD', to: 'CNY', rate: await rateNow(ctx.settings) })
