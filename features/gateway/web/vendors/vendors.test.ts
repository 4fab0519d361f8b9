import { expect, test } from 'vitest'
import { buildVendorSeries } from './series.ts'
import { CHAT_VENDORS, getVendorColor, SHOWN_VENDORS } from './shown.ts'

const files = import.meta.glob<{ models?: readonly { id: string; vendor?: string }[] }>('../../server/catalogue/prices/*.json', {
  eager: true,
  import: 'default',
})
const models = Object.values(files).flatMap((file) => file.models ?? [])
const priced = [...new Set(models.flatMap(({ vendor }) => vendor ?? []))]
const named = new Map(models.flatMap(({ id, vendor }) => (vendor ? [[id, vendor]] : [])))

test('every vendor has a colour and words of its own', () => {
  expect(new Set(SHOWN_VENDORS.map(({ color }) => color)).size).toBe(SHOWN_VENDORS.length)
  const words = SHOWN_VENDORS.flatMap((vendor) => [...new Set([vendor.id, vendor.label.toLowerCase(), ...vendor.words])])
  expect(words).toEqual([...new Set(words)])
})

test('vendors with chat models have an example on the price list', () => {
  expect(CHAT_VENDORS.map(({ id, example }) => [id, named.get(example ?? '')])).toEqual(CHAT_VENDORS.map(({ id }) => [id, id]))
})

test('every vendor of the price list has a colour of its own', () => {
  expect(priced.length).toBeGreaterThan(3)
  const colors = priced.map(getVendorColor)
  expect(colors).not.toContain(8)
  expect(new Set(colors).size).toBe(priced.length)
})

test('a chart names the vendors that talk, those that were used, and the rest together', () => {
  const keys = (...used: string[]) => buildVendorSeries('other', new Set(used)).map(({ key }) => key)
  const talking = CHAT_VENDORS.map(({ id }) => id)
  expect(keys()).toEqual(talking)
  expect(new Set(keys(talking[0]!, 'cohere'))).toEqual(new Set([...talking, 'cohere']))
  expect(keys('nobody')).toEqual([...talking, 'other'])
})
