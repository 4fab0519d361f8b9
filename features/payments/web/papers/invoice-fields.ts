import { z } from 'zod'
import { FIELD_MAX } from '#features/account/contract-fields.ts'
import { invoiceForm } from '../../contract-paper.ts'
import { FIRST_INVOICE_YEAR, INVOICE_NAME } from '../../words-out.ts'

/** Fields of the invoice form, and their validation. */
type Field = keyof typeof invoiceForm
export type Details = Record<Field, string>
export const INVOICE_FIELDS: readonly { readonly name: Field; readonly autoComplete: string; readonly wide?: true }[] = [
  { name: 'userName', autoComplete: 'name' },
  { name: 'email', autoComplete: 'email' },
  { name: 'country', autoComplete: 'country-name' },
  { name: 'state', autoComplete: 'address-level1' },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'postalCode', autoComplete: 'postal-code' },
  { name: 'addressLine', autoComplete: 'street-address', wide: true },
]
export const EMPTY_INVOICE_DETAILS: Details = { userName: '', email: '', country: '', state: '', city: '', addressLine: '', postalCode: '' }
export const invoiceDetailsSchema = z.object(invoiceForm)

export function findInvoiceProblem(name: Field, text: string) {
  const clean = text.trim()
  if (clean === '') return 'inv_required'
  if ([...clean].length > FIELD_MAX) return 'inv_max'
  if (name === 'userName' && !INVOICE_NAME.test(clean)) return 'inv_letters'
  return invoiceForm[name].safeParse(clean).success ? undefined : name === 'email' ? 'inv_email_bad' : 'inv_line'
}

/** Fields in the order of the paper: name, address, contact. */
export function toPrintedLines({ userName, email, addressLine, city, state, postalCode, country }: Details): string[] {
  return [userName, email, addressLine, [city, state, postalCode].join(', '), country].map((line) => line.trim()).filter(Boolean)
}

/** Years, newest first, back to the first with invoices. */
export function listInvoiceYears(today: string): string[] {
  const last = Number(today.slice(0, 4))
  return Array.from({ length: last - FIRST_INVOICE_YEAR + 1 }, (_, index) => String(last - index))
}
