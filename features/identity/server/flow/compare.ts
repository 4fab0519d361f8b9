import { fail } from '#platform/shared/errors.ts'
import type { FieldReading, PaperReading } from '../../contract-papers.ts'
import type { PaperField } from '../../contract-words.ts'
import type { IdentityPayload } from '../person.ts'

/** Payload field of each reading. */
const TYPED: Partial<Record<PaperField, (it: IdentityPayload) => string>> = {
  chineseName: (it) => it.chineseName,
  latinName: (it) => `${it.lastName},${it.firstName}`,
  number: (it) => it.number,
  birthDate: (it) => it.birthDate,
  address: (it) => it.street,
  issuer: (it) => it.issuer,
  validUntil: (it) => it.validUntil,
}

const normalize = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')

/**
 * Compares the typed data with the readings. A number with a correct check digit and a name read as sure are authoritative; readings that are
 * not sure, or differ from a sure one, need the user's confirmation.
 */
export function requireMatchingReadings(payload: IdentityPayload, readings: readonly PaperReading[]): void {
  const open: string[] = []
  for (const field of readings.flatMap(({ fields }) => fields)) {
    const typed = TYPED[field.name]?.(payload)
    if (typed === undefined) continue
    const same = normalize(typed) === normalize(field.value)
    if (field.sure && !same) requireSameValue(field, typed)
    if ((!field.sure || !same) && !payload.confirmed.includes(field.name)) open.push(field.name)
  }
  if (open.length) fail('CONFIRM_MISSING', { fields: [...new Set(open)] })
}

function requireSameValue({ name, value, proof }: FieldReading, typed: string): void {
  if (name === 'number' && proof === 'checkDigit') fail('IDENTITY_MISMATCH')
  if (name === 'chineseName') fail('NAME_MISMATCH', { typed, paper: value })
  if (name === 'birthDate' && proof !== 'read') fail('IDENTITY_MISMATCH')
}
