/** Mobile numbers of the three regions, for forms and server. Uses no library, because it is in the first bundle of the sign-in. */
export type Region = '86' | '852' | '853'
export const REGIONS = ['86', '852', '853'] as const satisfies readonly Region[]

/** Form state: the selected region and the typed digits, at most 11. */
export interface PhoneInput {
  readonly region: Region
  readonly number: string
}

export interface Phone {
  readonly region: Region
  /** 11 digits (86) or 8 digits (852, 853), without prefix. */
  readonly national: string
  /** Wire format: 86 without prefix, 852 and 853 with it (product.md 1.7). */
  readonly wire: string
  /** +8613800138000; key of the account. */
  readonly e164: string
}

export const PHONE_MAX = 11

const NATIONAL: Readonly<Record<Region, RegExp>> = { 86: /^1[3-9]\d{9}$/, 852: /^\d{8}$/, 853: /^\d{8}$/ }
/** Invisible marks from numbers pasted out of contact cards, and common group separators. */
const BETWEEN = /[\s\p{Cf}().\-\u2010-\u2015]/gu

const phoneOf = (region: Region, national: string): Phone => ({
  region,
  national,
  wire: region === '86' ? national : region + national,
  e164: `+${region}${national}`,
})

/** Converts full-width characters and joins digit groups. */
const plain = (text: string) => text.normalize('NFKC').replace(BETWEEN, '')

/** Splits off the region: after "+", after "00", or because the number is longer than any without it. */
function withPrefix(text: string): PhoneInput | undefined {
  const [, sign = '', digits = ''] = /^(\+|00)?(\d+)$/.exec(text) ?? []
  const region = REGIONS.find((one) => digits.startsWith(one) && (sign !== '' || NATIONAL[one].test(digits.slice(one.length))))
  return region && { region, number: digits.slice(region.length) }
}

/** Parses the number of a form, or returns undefined. 852 or 853 before 8 digits counts as the region, whatever tab is open. */
export function parsePhone({ region, number }: PhoneInput): Phone | undefined {
  const text = plain(number)
  const found = NATIONAL[region].test(text) ? { region, number: text } : withPrefix(text)
  return found && NATIONAL[found.region].test(found.number) ? phoneOf(found.region, found.number) : undefined
}

/** Parses the wire format: 13800138000, 85298765432, or any of them after "+" and its region. Eight bare digits have no region. */
export function readPhone(text: string): Phone | undefined {
  return text.length > 40 ? undefined : parsePhone({ region: '86', number: text })
}

/** Form state after a key press or paste: digits only, at most 11; a pasted "+852 ..." switches the tab. */
export function typePhone(text: string, region: Region): PhoneInput {
  const joined = text.normalize('NFKC').replace(/[^\d+]/g, '')
  const digits = joined.replaceAll('+', '')
  const prefixed = joined.startsWith('+') || digits.startsWith('00') || digits.length > PHONE_MAX ? withPrefix(joined) : undefined
  return prefixed ? { region: prefixed.region, number: prefixed.number.slice(0, PHONE_MAX) } : { region, number: digits.slice(0, PHONE_MAX) }
}

/** On blur the tab switches to the number's region. Eight digits under 86 count as Hong Kong; under 853 they stay there. */
export function settlePhone(typed: PhoneInput): PhoneInput {
  const phone = parsePhone(typed)
  if (phone) return { region: phone.region, number: phone.national }
  if (NATIONAL['86'].test(typed.number)) return { region: '86', number: typed.number }
  return typed.region === '86' && NATIONAL['852'].test(typed.number) ? { region: '852', number: typed.number } : typed
}

const ofE164 = (e164: string): Phone | undefined => {
  const found = withPrefix(e164)
  return found && phoneOf(found.region, found.number)
}

/** The wire form of a stored +86..., +852..., +853... */
export function wirePhone(e164: string): string {
  return ofE164(e164)?.wire ?? e164
}

export function regionOf(e164: string): Region | undefined {
  return ofE164(e164)?.region
}

/** 138 0013 8000; +852 9876 5432. Takes the stored or the wire form. */
export function groupPhone(text: string): string {
  const phone = readPhone(text)
  if (!phone) return text
  return phone.region === '86'
    ? phone.national.replace(/^(\d{3})(\d{4})/, '$1 $2 ')
    : `+${phone.region} ${phone.national.slice(0, 4)} ${phone.national.slice(4)}`
}

/** 138****8000; +852 98****32. */
export function maskPhone(text: string): string {
  const phone = readPhone(text)
  if (!phone) return '****'
  return phone.region === '86' ? phone.national.replace(/^(\d{3})\d{4}/, '$1****') : `+${phone.region} ${phone.national.replace(/^(\d{2})\d{4}/, '$1****')}`
}
