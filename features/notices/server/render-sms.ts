import type { PlatformConfig } from '#platform/server/config.ts'
import { fill, createTextLookup } from '#platform/shared/texts.ts'
import type { Lang } from '#platform/shared/texts.ts'
import { noticesTexts } from '../texts.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

/** Text of a message, and the code in it. */
export interface RenderedSms {
  readonly text: string
  readonly code: string
  /** Variables of an alarm for a carrier's approved template. */
  readonly alarm?: { readonly name: string; readonly detail: string }
}

const purposeWords = createTextLookup(noticesTexts, 'sms_for_')

/** Renders a code within 70 characters, the size of one Chinese message. An unknown purpose becomes "confirm it is you". */
export function renderCodeSms(order: { lang: Lang; code: string; purpose: string; minutes: number }, config: PlatformConfig): RenderedSms {
  const brand = chooseBrand(order.lang, { brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH })
  const purpose = purposeWords(order.lang, order.purpose) ?? noticesTexts[order.lang].sms_for_other
  return { text: fill(noticesTexts[order.lang].sms_code, { brand, code: order.code, purpose, minutes: order.minutes }), code: order.code }
}

/** A Chinese message is 70 characters; the detail is truncated to fit. */
const NAME_LENGTH = 20
const DETAIL_LENGTH = 35

const truncateText = (text: string, length: number) => (text.length > length ? `${text.slice(0, length - 1)}…` : text)

/** An alarm for an operator. */
export function renderAlarmSms(order: { lang: Lang; name: string; detail: string }, config: PlatformConfig): RenderedSms {
  const brand = chooseBrand(order.lang, { brand: config.BRAND_NAME, brandZh: config.BRAND_NAME_ZH })
  const alarm = { name: truncateText(order.name, NAME_LENGTH), detail: truncateText(order.detail, DETAIL_LENGTH) }
  return { text: fill(noticesTexts[order.lang].sms_alarm, { brand, ...alarm }), code: '', alarm }
}
