import type { Settings } from '#platform/server/settings.ts'
import { cnyRate } from '../settings.ts'

/** Yuan per dollar, decimal text, at which an order created now would be frozen. */
export async function readExchangeRate(settings: Settings): Promise<string> {
  return settings.get(cnyRate)
}
