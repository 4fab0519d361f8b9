import type { Settings } from '#platform/server/settings.ts'
import { ORDER_TYPE } from '../../words.ts'
import { amountsSetting, feePercents } from '../settings.ts'

/** Default fee and bounds of an API balance top-up, where no channel overrides them: percent text and dollar texts. */
export async function readRechargeTerms(settings: Settings): Promise<{ feePercent: string; min: string; max: string }> {
  const percents = await settings.get(feePercents)
  const key = String(ORDER_TYPE.OPENAI_API)
  const amounts = (await settings.get(amountsSetting))[key] ?? amountsSetting.fallback[key]!
  return { feePercent: percents['default'] ?? feePercents.fallback['default']!, min: amounts.min, max: amounts.max }
}
