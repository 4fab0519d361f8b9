import { expect, test } from 'vitest'
import { vendorColor } from '#ui/vendor.tsx'
import { vendorSeries } from './vendors.ts'

const files = import.meta.glob<{ models?: readonly { vendor?: string }[] }>('../server/catalogue/prices/*.json', { eager: true, import: 'default' })
const vendors = [...new Set(Object.values(files).flatMap(({ models = [] }) => models.flatMap(({ vendor }) => vendor ?? [])))]

test('every vendor of the price list has a colour of its own', () => {
  expect(vendors.length).toBeGreaterThan(3)
  const colors = vendors.map(vendorColor)
  expect(colors).not.toContain(8)
  expect(new Set(colors).size).toBe(vendors.length)
})

test('a chart names the vendors that talk, those that were used, and the rest together', () => {
  const keys = (...used: string[]) => vendorSeries('other', new Set(used)).map(({ key }) => key)
  expect(keys()).toEqual(['openai', 'anthropic', 'google'])
  expect(keys('openai', 'cohere')).toEqual(['openai', 'anthropic', 'google', 'cohere'])
  expect(keys('nobody')).toEqual(['openai', 'anthropic', 'google', 'other'])
})
