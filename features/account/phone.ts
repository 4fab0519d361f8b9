/** Mobile numbers of the three regions, for forms and server. Uses no library, because it is in the first bundle of the sign-in. */
export type PhoneRegion = '86' | '852' | '853'
export const PHONE_REGIONS = ['86', '852', '853'] as const satisfies readonly PhoneRegion[]

/** Form state: the selected region and the typed digits, at most 11. */
export interface PhoneInput {
  readonly region: PhoneRegion
  readonly number: string
}

export interface Phone {
  readonly region: PhoneRegion
  /** 11 digits (86) or 8 digits (852, 853), without prefix. */
  readonly national: string
  /** Wire format: 86 without prefix, 852 and 853 with it (product.md 1.7). */
  readonly wire: string
  /** +8613800138000; key of the account. */
  readonly e164: string
}

export const PHONE_MAX = 11

const NATIONAL_PATTERNS: Readonly<Record<PhoneRegion, RegExp>> = { 86: /^1[3-9]\d{9}$/, 852: /^\d{8}$/, 853: /^\d{8}$/ }
/** Invisible marks from numbers pasted out of contact cards, and common group separators. */
const DIGIT_SEPARATORS = /[\s\p{Cf}().\-\u2010-\u2015]/gu

const buildPhone = (region: PhoneRegion, national: string): Phone => ({
  region,
  national,
  wire: region === '86' ? national : region + national,
  e164: `+${region}${national}`,
})

/** Converts full-width characters and joins digit groups. */
const joinDigitGroups = (text: string) => text.normalize('NFKC').replace(DIGIT_SEPARATORS, '')

/** Splits off the region: after "+", after "00", or because the number is longer than any without it. */
function splitRegionPrefix(text: string): PhoneInput | undefined {
  const [, sign = '', digits = ''] = /^(\+|00)?(\d+)$/.exec(text) ?? []
  const region = PHONE_REGIONS.find((one) => digits.startsWith(one) && (sign !== '' || NATIONAL_PATTERNS[one].test(digits.slice(one.length))))
  return region && { region, number: digits.slice(region.length) }
}

/** Parses the number of a form, or returns undefined. 852 or 853 before 8 digits counts as the region, whatever tab is open. */
export function parsePhone({ region, number }: PhoneInput): Phone | undefined {
  const text = joinDigitGroups(number)
  const found = NATIONAL_PATTERNS[region].test(text) ? { region, number: text } : splitRegionPrefix(text)
  return found && NATIONAL_PATTERNS[found.region].test(found.number) ? buildPhone(found.region, found.number) : undefined
}

/** Parses the wire format: 13800138000, 85298765432, or any of them after "+" and its region. Eight bare digits have no region. */
export function parseWirePhone(text: string): Phone | undefined {
  return text.length > 40 ? undefined : parsePhone({ region: '86', number: text })
}

/** Form state after a key press or paste: digits only, at most 11; a pasted "+852 ..." switches the tab. */
export function updatePhoneInput(text: string, region: PhoneRegion): PhoneInput {
  const joined = text.normalize('NFKC').replace(/[^\d+]/g, '')
  const digits = joined.replaceAll('+', '')
  const prefixed = joined.startsWith('+') || digits.startsWith('00') || digits.length > PHONE_MAX ? splitRegionPrefix(joined) : undefined
  return prefixed ? { region: prefixed.region, number: prefixed.number.slice(0, PHONE_MAX) } : { region, number: digits.slice(0, PHONE_MAX) }
}

/** On blur the tab switches to the number's region. Eight digits under 86 count as Hong Kong; under 853 they stay there. */
export function normalizePhoneInput(typed: PhoneInput): PhoneInput {
  const phone = parsePhone(typed)
  if (phone) return { region: phone.region, number: phone.national }
  if (NATIONAL_PATTERNS['86'].test(typed.number)) return { region: '86', number: typed.number }
  return typed.region === '86' && NATIONAL_PATTERNS['852'].test(typed.number) ? { region: '852', number: typed.number } : typed
}

const parseE164 = (e164: string): Phone | undefined => {
  const found = splitRegionPrefix(e164)
  return found && buildPhone(found.region, found.number)
}

/** The wire form of a stored +86..., +852..., +853... */
export function toWirePhone(e164: string): string {
  return parseE164(e164)?.wire ?? e164
}

export function findPhoneRegion(e164: string): PhoneRegion | undefined {
  return parseE164(e164)?.region
}

/** 138 0013 8000; +852 9876 5432. Takes the stored or the wire form. */
export function formatPhone(text: string): string {
  const phone = parseWirePhone(text)
  if (!phone) return text
  return phone.region === '86'
    ? phone.national.replace(/^(\d{3})(\d{4})/, '$1 $2 ')
    : `+${phone.region} ${phone.national.slice(0, 4)} ${phone.national.slice(4)}`
}

/** 138****8000; +852 98****32. */
export function maskPhone(text: string): string {
  const phone = parseWirePhone(text)
  if (!phone) return '****'
  return phone.region === '86' ? phone.national.replace(/^(\d{3})\d{4}/, '$1****') : `+${phone.region} ${phone.national.replace(/^(\d{2})\d{4}/, '$1****')}`
}
