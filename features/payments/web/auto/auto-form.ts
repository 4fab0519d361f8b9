import { parseUsd, formatUsd } from '#platform/shared/money.ts'
import type { AutoMethod, AutoView } from '../../contract-auto.ts'
import { computePriceFigures, formatFigures } from '../../figures.ts'
import { cleanAmount, findAmountProblem } from '../pay/amount.ts'
import type { AmountBounds } from '../pay/amount.ts'

/** Form values, as typed. */
export interface AutoForm {
  readonly threshold: string
  readonly amount: string
  readonly dayMost: string
  readonly monthMost: string
}
export type FieldName = keyof AutoForm
export const AUTO_FORM_FIELDS: readonly FieldName[] = ['threshold', 'amount', 'dayMost', 'monthMost']

export const toAutoMethodKey = ({ channelType, transactionType }: Pick<AutoMethod, 'channelType' | 'transactionType'>) => `${channelType}:${transactionType}`

/** Price of one charge; undefined while the amount is invalid. */
export function computeAutoPrice(amount: string, method: AutoMethod | undefined) {
  const clean = cleanAmount(amount)
  if (!method || clean === undefined || parseUsd(clean) <= 0n) return undefined
  return formatFigures(computePriceFigures(clean, method, { rate: method.rate }))
}

/** Bounds of each field, as the server checks them: a ceiling covers at least one charge, and the monthly one is at least the daily one. */
export function computeAutoBounds(
  form: AutoForm,
  method: AutoMethod | undefined,
  { bounds }: Pick<AutoView, 'bounds'>,
): Readonly<Record<FieldName, AmountBounds>> {
  const total = computeAutoPrice(form.amount, method)?.total ?? '0'
  const day = cleanAmount(form.dayMost) ?? total
  return {
    threshold: { min: bounds.thresholdMin, max: bounds.thresholdMax },
    amount: { min: method?.min ?? '0', max: method?.max ?? '0' },
    dayMost: { min: total, max: bounds.dayMax },
    monthMost: { min: larger(day, total), max: bounds.monthMax },
  }
}

const larger = (a: string, b: string) => (parseUsd(a) > parseUsd(b) ? formatUsd(parseUsd(a)) : b)

/** The fields whose amounts are out of bounds. */
export function findInvalidFields(form: AutoForm, bounds: Readonly<Record<FieldName, AmountBounds>>): ReadonlySet<FieldName> {
  return new Set(AUTO_FORM_FIELDS.filter((name) => findAmountProblem(cleanAmount(form[name]), bounds[name])))
}

/** The form in the server's format; undefined while a field is invalid. */
export function parseAutoForm(form: AutoForm): AutoForm | undefined {
  const [threshold, amount, dayMost, monthMost] = AUTO_FORM_FIELDS.map((name) => cleanAmount(form[name]))
  return threshold === undefined || amount === undefined || dayMost === undefined || monthMost === undefined
    ? undefined
    : { threshold, amount, dayMost, monthMost }
}
