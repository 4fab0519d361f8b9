import type { PlatformConfig } from '#platform/server/config.ts'
import { fill } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { noticesTexts } from '../texts.ts'

/** What a text message says, and the code that it carries. */
export interface RenderedSms {
  readonly text: string
  readonly code: string
}

/** Short enough for one Chinese message of 70 characters. An unknown purpose is spoken as "confirm it is you". */
export function renderCodeSms(order: { lang: Lang; code: string; purpose: string; minutes: number }, config: PlatformConfig): RenderedSms {
  const texts: Readonly<Record<string, string>> = noticesTexts[order.lang]
  const brand = order.lang === 'zh' ? config.BRAND_NAME_ZH : config.BRAND_NAME
  const purpose = texts[`sms_for_${order.purpose}`] ?? noticesTexts[order.lang].sms_for_other
  return { text: fill(noticesTexts[order.lang].sms_code, { brand, code: order.code, purpose, minutes: order.minutes }), code: order.code }
}
