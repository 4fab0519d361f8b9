import { expect, test } from 'vitest'
import { findCommandAmount } from './decision-foot.tsx'

const shown = { changes: [], mails: {}, news: [], rows: {}, result: {}, refusal: null }

test('the button shows the current preview’s sum, else the requested amount, and none if no money moves', () => {
  expect(findCommandAmount({ now: null, preview: shown, input: { amount: '75', user: 'usr_1' } })).toBe('75')
  expect(findCommandAmount({ now: { ...shown, result: { total: '120.50' } }, preview: shown, input: { amount: '75' } })).toBe('120.50')
  expect(findCommandAmount({ now: { ...shown, changes: [{ name: 'amount', before: '9', after: '8' }] }, preview: shown, input: { amount: '75' } })).toBe('8')
  expect(findCommandAmount({ now: null, preview: shown, input: { amount: 'all of it', roles: ['owner'] } })).toBeUndefined()
})
