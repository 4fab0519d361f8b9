import { isIdentityNumber, birthdayIn } from '#platform/shared/identity-number.ts'
import type { Flow } from '#features/identity/contract.ts'
import type { FieldRead } from '#features/identity/contract-papers.ts'
import type { Paper, Picture, ReadField } from '#features/identity/contract-words.ts'

/** Rows of the check, in the order of the paper. `address` travels as `street`. */
export const ROWS = ['chineseName', 'latin', 'number', 'birthDate', 'address', 'place', 'issuer', 'validUntil', 'email'] as const
export type RowName = (typeof ROWS)[number]
export type Values = Readonly<Record<string, string>>

/** A picture that is read; a photo of the holder is not. */
export type Side = Exclude<Picture, 'photo'>
export const isSide = (picture: Picture): picture is Side => picture !== 'photo'

export function readOf(flow: Flow, name: ReadField): FieldRead | undefined {
  return flow.readings.flatMap(({ fields }) => fields).find((field) => field.name === name)
}

/** Merges typed values with those read from the document, and derives the rest. */
export function filled(flow: Flow, typed: Values): Values {
  const read = (name: ReadField) => readOf(flow, name)?.value ?? ''
  const paper = (typed['paper'] ?? 'idcard') as Paper
  const [latinLast = '', latinFirst = ''] = read('latinName').split(',')
  const address = typed['address'] ?? read('address')
  const place = placeIn(address)
  const number = typed['number'] ?? read('number')
  return {
    paper,
    chineseName: typed['chineseName'] ?? '',
    lastName: typed['lastName'] ?? latinLast,
    firstName: typed['firstName'] ?? latinFirst,
    number,
    birthDate: typed['birthDate'] ?? (read('birthDate') || (isIdentityNumber(number) ? birthdayIn(number) : '')),
    address,
    province: typed['province'] ?? place.province,
    city: typed['city'] ?? place.city,
    postalCode: typed['postalCode'] ?? '',
    issuer: typed['issuer'] ?? read('issuer'),
    validFrom: read('validFrom'),
    validUntil: typed['validUntil'] ?? read('validUntil'),
    email: typed['email'] ?? '',
  }
}

/** Parses province and city from the start of an address; the four municipalities are both. */
export function placeIn(address: string): { province: string; city: string } {
  const municipal = /^(北京|上海|天津|重庆)市?/.exec(address)
  if (municipal) return { province: `${municipal[1]}市`, city: `${municipal[1]}市` }
  const parts = /^(.{2,8}?(?:省|自治区|特别行政区))?(.{2,10}?(?:市|自治州|地区|盟))?/.exec(address)
  return { province: parts?.[1] ?? '', city: parts?.[2] ?? '' }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Rows with an invalid format; the server checks all of it again. */
export function wrongRows(values: Values, needsEmail: boolean): RowName[] {
  const at = (name: string) => values[name] ?? ''
  const wrong: RowName[] = []
  if (at('paper') === 'idcard' && !/^\p{Script=Han}[\p{Script=Han}·]{0,28}\p{Script=Han}$/u.test(at('chineseName'))) wrong.push('chineseName')
  if (!/^[A-Z][A-Z '-]*$/i.test(at('lastName')) || !/^[A-Z][A-Z '-]*$/i.test(at('firstName'))) wrong.push('latin')
  const number = at('number').toUpperCase().replaceAll(' ', '')
  if (at('paper') === 'idcard' ? !isIdentityNumber(number) : !/^[A-Z]{1,2}[0-9]{7,8}$/.test(number)) wrong.push('number')
  if (!DAY.test(at('birthDate'))) wrong.push('birthDate')
  if (at('address').trim().length < 4) wrong.push('address')
  if (!at('province').trim() || !at('city').trim() || !/^\d{6}$/.test(at('postalCode'))) wrong.push('place')
  if (at('validUntil') !== 'forever' && !DAY.test(at('validUntil'))) wrong.push('validUntil')
  if (needsEmail && !/^\S+@\S+\.\S+$/.test(at('email'))) wrong.push('email')
  return wrong
}

const bare = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
const READS: Partial<Record<RowName, ReadField>> = {
  chineseName: 'chineseName',
  latin: 'latinName',
  number: 'number',
  birthDate: 'birthDate',
  address: 'address',
  issuer: 'issuer',
  validUntil: 'validUntil',
}
export const readFor = (flow: Flow, row: RowName): FieldRead | undefined => (READS[row] ? readOf(flow, READS[row]) : undefined)

/** True if the user must confirm a row: it was read with low confidence, or differs from the document. */
export function needsTick(field: FieldRead | undefined, row: RowName, values: Values): boolean {
  if (!field) return false
  const said = row === 'latin' ? `${values['lastName']},${values['firstName']}` : (values[row] ?? '')
  return !field.sure || bare(said) !== bare(field.value)
}

export const isEdited = (field: FieldRead | undefined, row: RowName, values: Values): boolean =>
  field !== undefined &&
  field.value !== '' &&
  bare(row === 'latin' ? `${values['lastName']},${values['firstName']}` : (values[row] ?? '')) !== bare(field.value)
