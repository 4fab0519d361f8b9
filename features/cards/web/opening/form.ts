import { isIdentityNumber, readBirthday } from '#platform/shared/identity-number.ts'
import type { OpeningFlow } from '#features/identity/contract.ts'
import type { FieldReading } from '#features/identity/contract-papers.ts'
import type { IdentityPaper, IdentityPicture, PaperField } from '#features/identity/contract-words.ts'

/** Rows of the check, in the order of the paper. `address` travels as `street`. */
export const CHECK_ROWS = ['chineseName', 'latin', 'number', 'birthDate', 'address', 'place', 'issuer', 'validUntil', 'email'] as const
export type CheckRowName = (typeof CHECK_ROWS)[number]
export type PaperValues = Readonly<Record<string, string>>

/** A picture that is read; a photo of the holder is not. */
export type PaperSide = Exclude<IdentityPicture, 'photo'>
export const isPaperSide = (picture: IdentityPicture): picture is PaperSide => picture !== 'photo'

export function findReading(flow: OpeningFlow, name: PaperField): FieldReading | undefined {
  return flow.readings.flatMap(({ fields }) => fields).find((field) => field.name === name)
}

/** Merges typed values with those read from the document, and derives the rest. */
export function mergeReadings(flow: OpeningFlow, typed: PaperValues): PaperValues {
  const read = (name: PaperField) => findReading(flow, name)?.value ?? ''
  const paper = (typed['paper'] ?? 'idcard') as IdentityPaper
  const [latinLast = '', latinFirst = ''] = read('latinName').split(',')
  const address = typed['address'] ?? read('address')
  const place = parsePlace(address)
  const number = typed['number'] ?? read('number')
  return {
    paper,
    chineseName: typed['chineseName'] ?? '',
    lastName: typed['lastName'] ?? latinLast,
    firstName: typed['firstName'] ?? latinFirst,
    number,
    birthDate: typed['birthDate'] ?? (read('birthDate') || (isIdentityNumber(number) ? readBirthday(number) : '')),
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
export function parsePlace(address: string): { province: string; city: string } {
  const municipal = /^(北京|上海|天津|重庆)市?/.exec(address)
  if (municipal) return { province: `${municipal[1]}市`, city: `${municipal[1]}市` }
  const parts = /^(.{2,8}?(?:省|自治区|特别行政区))?(.{2,10}?(?:市|自治州|地区|盟))?/.exec(address)
  return { province: parts?.[1] ?? '', city: parts?.[2] ?? '' }
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
/** Rows with an invalid format; the server checks all of it again. */
export function findWrongRows(values: PaperValues, needsEmail: boolean): CheckRowName[] {
  const at = (name: string) => values[name] ?? ''
  const wrong: CheckRowName[] = []
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

const normalize = (text: string) => text.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
const READ_FIELD_BY_ROW: Partial<Record<CheckRowName, PaperField>> = {
  chineseName: 'chineseName',
  latin: 'latinName',
  number: 'number',
  birthDate: 'birthDate',
  address: 'address',
  issuer: 'issuer',
  validUntil: 'validUntil',
}
export const findRowReading = (flow: OpeningFlow, row: CheckRowName): FieldReading | undefined =>
  READ_FIELD_BY_ROW[row] ? findReading(flow, READ_FIELD_BY_ROW[row]) : undefined

/** True if the user must confirm a row: it was read with low confidence, or differs from the document. */
export function needsConfirmation(field: FieldReading | undefined, row: CheckRowName, values: PaperValues): boolean {
  if (!field) return false
  const said = row === 'latin' ? `${values['lastName']},${values['firstName']}` : (values[row] ?? '')
  return !field.sure || normalize(said) !== normalize(field.value)
}

export const isEditedRow = (field: FieldReading | undefined, row: CheckRowName, values: PaperValues): boolean =>
  field !== undefined &&
  field.value !== '' &&
  normalize(row === 'latin' ? `${values['lastName']},${values['firstName']}` : (values[row] ?? '')) !== normalize(field.value)
