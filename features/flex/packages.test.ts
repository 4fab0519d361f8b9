import { expect, test } from 'vitest'
import { findPackageExtension, flexPackages, listPackagePlatforms, isPackageRenewal } from './packages.ts'
import { flexServerTexts } from './server/texts.ts'

test('the 24 packages are all there are, each with its names in both languages', () => {
  expect(flexPackages.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 20, 21, 22, 23, 24, 30, 32, 34, 40, 41, 42, 43])
  for (const lang of ['zh', 'en'] as const) for (const { id } of flexPackages) expect(flexServerTexts[lang], `${lang} ${id}`).toHaveProperty(`product_${id}`)
})

test('prices match the agreed ones, and only trials are free', () => {
  const prices = Object.fromEntries(flexPackages.map(({ id, price }) => [id, price]))
  expect(prices).toMatchObject({ 1: '0', 2: '9.90', 8: '49.90', 12: '1.49', 21: '39.90', 23: '107.90', 42: '39.90', 43: '4.90' })
  for (const { id, price, trial } of flexPackages) expect(price === '0', String(id)).toBe(trial)
})

test('an extension extends its own kind only', () => {
  expect([20, 21, 22, 23, 12, 30, 32, 40, 41, 42, 2, 5, 7].map((id) => findPackageExtension(id)?.id)).toEqual([
    ...[24, undefined, 24, undefined, 34, 34, 34, 43, 43, 43],
    ...[undefined, undefined, undefined],
  ])
  // An extension prolongs the same seat, never a more expensive one
  for (const { id, seats } of flexPackages) expect(findPackageExtension(id)?.seats ?? seats, String(id)).toEqual(seats)
  for (const bought of flexPackages)
    for (const { id } of flexPackages) expect(isPackageRenewal(bought, id)).toBe(bought.id === id || findPackageExtension(id)?.id === bought.id)
})

test('a combined package is used on both platforms and has the common line', () => {
  expect(listPackagePlatforms(flexPackages.find(({ id }) => id === 7)!)).toEqual([1, 2, 3])
  expect(listPackagePlatforms(flexPackages.find(({ id }) => id === 41)!)).toEqual([6])
})
