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

/** Longest first line of an address; the rest stands in the second one, whole. */
const LINE = 60

export type CardholderData = Pick<IdentityPerson, 'firstName' | 'lastName' | 'birthDate' | 'province' | 'city' | 'county' | 'street' | 'postalCode'>

/** Undefined where the address has no part that an issuer could read. */
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

/** Province and city have fields of their own; an address as papers print it begins with them. */
function streetOf({ province, city, county, street }: CardholderData): string {
  const rest = [province, city, county].reduce((left, part) => (part && left.startsWith(part) ? left.slice(part.length) : left), street.trim())
  return [county, rest || street].filter(Boolean).join(' ')
}

/** Two lines at a word's end; a word longer than a line is broken, never dropped. */
function splitLines(text: string): [string, string] {
  if (text.length <= LINE) return [text, '']
  const space = text.lastIndexOf(' ', LINE)
  const at = space > 0 ? space : LINE
  return [text.slice(0, at).trim(), text.slice(at).trim()]
}
