import { expect, test } from 'vitest'
import type { CommandEffects } from '../../../words.ts'
import { listMovedFigures } from './moved-figures.ts'

const effects = (figures: Readonly<Record<string, readonly [number, number]>>): CommandEffects => ({
  changes: Object.entries(figures).map(([name, [before, after]]) => ({ name, before, after })),
  ...{ mails: {}, news: [], rows: {}, result: {}, refusal: null },
})

test('figures that changed, appeared or disappeared have moved; loose ones never have', () => {
  const before = effects({ amount: [1, 2], version: [0, 4], gone: [1, 1] })
  const now = effects({ amount: [1, 3], version: [0, 5], fresh: [1, 1] })
  expect(listMovedFigures(before, now)).toEqual(['amount', 'version', 'gone', 'fresh'])
  expect(listMovedFigures(before, now, ['version'])).toEqual(['amount', 'gone', 'fresh'])
  expect(listMovedFigures(effects({ version: [0, 4] }), effects({ version: [0, 5] }), ['version'])).toEqual([])
})
