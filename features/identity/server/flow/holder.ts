import type { IdentityPerson } from '../person.ts'
import { toLatinAddress } from './pinyin.ts'

/** The cardholder as issuers receive it. No text is empty; what is absent is left out. */
export interface Cardholder {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  /** E.164. */
  readonly phone?: string
  readonly birthDate: string
  readonly address: {
    readonly line1: string
    readonly line2?: string
    readonly city: string
    readonly state: string
    readonly postalCode: string
    readonly country: string
  }
}

/** Longest first line of an address; the rest goes to the second one, uncut. */
const LINE = 60

export type CardholderData = Pick<IdentityPerson, 'firstName' | 'lastName' | 'birthDate' | 'province' | 'city' | 'county' | 'street' | 'postalCode'>

/** Maps the holder's data for an issuer; undefined if the address has no part that an issuer could read. */
export function toCardholder(person: CardholderData, email: string, mobile?: string): Cardholder | undefined {
  const state = toLatinAddress(person.province || person.city)
  const city = toLatinAddress(person.city || person.province)
  const [line1, line2] = splitLines(toLatinAddress(streetOf(person)))
  if (!line1 || !city || !state || !person.postalCode) return undefined
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    email,
    ...(mobile ? { phone: mobile } : {}),
    birthDate: person.birthDate,
    address: { line1, ...(line2 ? { line2 } : {}), city, state, postalCode: person.postalCode, country: 'CN' },
  }
}

/** Removes province and city, which have their own fields, from the start of an address as printed on papers. */
function streetOf({ province, city, county, street }: CardholderData): string {
  const rest = [province, city, county].reduce((left, part) => (part && left.startsWith(part) ? left.slice(part.length) : left), street.trim())
  return [county, rest || street].filter(Boolean).join(' ')
}

/** Splits an address into two lines between words; a word longer than a line is broken, never dropped. */
function splitLines(text: string): [string, string] {
  if (text.length <= LINE) return [text, '']
  const space = text.lastIndexOf(' ', LINE)
  const at = space > 0 ? space : LINE
  return [text.slice(0, at).trim(), text.slice(at).trim()]
}
