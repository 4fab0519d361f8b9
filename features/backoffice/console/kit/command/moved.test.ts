import { expect, test } from 'vitest'
import type { Shown } from '../../../words.ts'
import { movedIn } from './moved.ts'

const shown = (figures: Readonly<Record<string, readonly [number, number]>>): Shown => ({
  changes: Object.entries(figures).map(([name, [before, after]]) => ({ name, before, after })),
  ...{ mails: {}, news: [], rows: {}, result: {}, refusal: null },
})

test('figures that changed, appeared or disappeared have moved; loose ones never have', () => {
  const before = shown({ amount: [1, 2], version: [0, 4], gone: [1, 1] })
  const now = shown({ amount: [1, 3], version: [0, 5], fresh: [1, 1] })
  expect(movedIn(before, now)).toEqual(['amount', 'version', 'gone', 'fresh'])
  expect(movedIn(before, now, ['version'])).toEqual(['amount', 'gone', 'fresh'])
  expect(movedIn(shown({ version: [0, 4] }), shown({ version: [0, 5] }), ['version'])).toEqual([])
})
