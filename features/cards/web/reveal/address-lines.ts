import type { CardRow } from '../../contract.ts'

type Address = NonNullable<CardRow['billingAddress']>

/** Countries in which issuers register cards; any other is shown as its code. */
const COUNTRIES: Readonly<Record<string, string>> = { CN: 'China', US: 'United States', MO: 'Macao', HK: 'Hong Kong', GB: 'United Kingdom', SG: 'Singapore' }

/** In English, as a checkout abroad wants it. */
export const formatCountry = (code: string): string => COUNTRIES[code] ?? code

/** As on an envelope. */
export function formatAddressLines({ line1, line2, city, state, postalCode, country }: Address): readonly string[] {
  const street = [line1, line2].filter(Boolean).join(', ')
  return [street, [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', '), formatCountry(country)].filter(Boolean)
}
