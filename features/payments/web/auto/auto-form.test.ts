import { expect, test } from 'vitest'
import type { AutoMethod } from '../../contract-auto.ts'
import { computeAutoBounds, computeAutoPrice, findInvalidFields, parseAutoForm } from './auto-form.ts'

const method: AutoMethod = {
  channelType: 25,
  transactionType: 5,
  name: 'Card',
  img: '',
  feePercent: '3.5',
  fixedFee: '0',
  payCurrency: 'CNY',
  rate: '7.1230',
  min: '5',
  max: '200',
  everyDays: 0,
}
const view = { bounds: { thresholdMin: '1', thresholdMax: '100', dayMax: '500', monthMax: '3000', perDay: 3 } }
const form = { threshold: '5', amount: '10', dayMost: '35', monthMost: '200' }

test('the price of a charge is the one that an order freezes', () => {
  expect(computeAutoPrice('10', method)).toMatchObject({ amount: '10', fee: '0.35', total: '10.35', payAmount: '73.73' })
  expect([computeAutoPrice('', method), computeAutoPrice('0', method), computeAutoPrice('10', undefined)]).toEqual([undefined, undefined, undefined])
})

test('a ceiling takes one charge with its fee, and the month no less than the day', () => {
  const bounds = computeAutoBounds(form, method, view)
  expect(bounds).toMatchObject({ amount: { min: '5', max: '200' }, dayMost: { min: '10.35', max: '500' }, monthMost: { min: '35', max: '3000' } })
  expect(findInvalidFields(form, bounds).size).toBe(0)
  const low = { ...form, dayMost: '10.34', monthMost: '10', threshold: '0.99', amount: '' }
  expect([...findInvalidFields(low, computeAutoBounds({ ...low, amount: '10' }, method, view))]).toEqual(['threshold', 'amount', 'dayMost', 'monthMost'])
})

test('the form sends clean amounts, and nothing while a field is empty', () => {
  expect(parseAutoForm({ threshold: '05.', amount: '10.50', dayMost: '35', monthMost: '200' })).toEqual({
    threshold: '5',
    amount: '10.5',
    dayMost: '35',
    monthMost: '200',
  })
  expect(parseAutoForm({ ...form, dayMost: '' })).toBeUndefined()
})
