import type { Settings } from '#platform/server/settings.ts'
import { cnyRate } from '../settings.ts'

/** Yuan for one dollar, decimal text, as an order created now would freeze it. */
export async function readExchangeRate(settings: Settings): Promise<string> {
  return settings.get(cnyRate)
}
