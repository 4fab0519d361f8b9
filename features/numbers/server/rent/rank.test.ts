import { expect, it } from 'vitest'
import { rankSuppliers } from './find-number.ts'

const offers = [
  { name: 'dear', cost: 400n },
  { name: 'cheap', cost: 100n },
  { name: 'mid', cost: 200n },
]
const names = (standings: readonly { supplier: string; rented: number; received: number; broken?: number }[]) =>
  rankSuppliers(
    offers,
    standings.map((one) => ({ broken: 0, ...one })),
  ).map(({ name }) => name)

it('suppliers without history are ranked cheapest first', () => {
  expect(names([])).toEqual(['cheap', 'mid', 'dear'])
})
it('a supplier whose numbers get their messages comes before a cheaper one whose do not', () => {
  expect(
    names([
      { supplier: 'cheap', rented: 100, received: 20 },
      { supplier: 'mid', rented: 100, received: 60 },
      { supplier: 'dear', rented: 100, received: 58 },
    ]),
  ).toEqual(['mid', 'dear', 'cheap'])
})
it('a supplier that failed three times in a row is ranked last', () => {
  expect(
    names([
      { supplier: 'cheap', rented: 100, received: 90, broken: 3 },
      { supplier: 'mid', rented: 10, received: 1 },
    ]),
  ).toEqual(['dear', 'mid', 'cheap'])
})
