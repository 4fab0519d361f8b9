import type { Handler } from '#platform/server/feature.ts'
import type { paymentsContract } from '../../contract.ts'
import { readExchangeRate } from './rate-now.ts'

export const exchangeRate: Handler<typeof paymentsContract.exchangeRate> = async (ctx) => ({
  from: 'USD',
  to: 'CNY',
  rate: await readExchangeRate(ctx.settings),
})
